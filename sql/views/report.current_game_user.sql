create or replace view report.current_game_user as
select
  app_id,
  user_id,
  channel_id,
  character_id,
  user_level,
  class_id,
  observed_at,
  observed_at_source,
  source_file_id,
  line_number
from rollup.current_game_user;

comment on view report.current_game_user is
  'One row per character of a user in a channel, as last observed. A snapshot with a time of its own always outranks one dated by the start of its load; among those, the newest load counts. Loading an older snapshot later changes nothing.';
