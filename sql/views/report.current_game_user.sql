create or replace view report.current_game_user as
select distinct on (app_id, user_id, channel_id, character_id)
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
from game.game_user_snapshot
order by app_id, user_id, channel_id, character_id, observed_at desc;

comment on view report.current_game_user is
  'One row per character of a user in a channel, as last observed; an older snapshot that is loaded later changes nothing.';
comment on column report.current_game_user.app_id is 'The application; empty when unknown.';
comment on column report.current_game_user.user_id is 'The user.';
comment on column report.current_game_user.channel_id is 'The channel or server; NULL when the game has none.';
comment on column report.current_game_user.character_id is 'The character; NULL when the game has none.';
comment on column report.current_game_user.user_level is 'The level when last observed.';
comment on column report.current_game_user.class_id is 'The class when last observed.';
comment on column report.current_game_user.observed_at is 'When that was.';
comment on column report.current_game_user.observed_at_source is 'Where observed_at comes from: line, option (--observed-at) or load_start.';
comment on column report.current_game_user.source_file_id is 'The file that says so.';
comment on column report.current_game_user.line_number is 'The line in that file.';
