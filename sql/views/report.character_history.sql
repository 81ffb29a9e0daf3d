create or replace view report.character_history as
select
  app_id,
  user_id,
  channel_id,
  character_id,
  valid_from,
  user_level,
  class_id,
  lead(valid_from) over (partition by app_id, user_id, channel_id, character_id order by valid_from) as valid_to
from rollup.character_change;

comment on view report.character_history is
  'One row per application, user, channel, character and change of level or class, from snapshots with a time of their own. The last row of a character is open.';
comment on column report.character_history.valid_from is 'Time of the first snapshot with this level and class.';
comment on column report.character_history.user_level is 'The level from valid_from until before valid_to.';
comment on column report.character_history.class_id is 'The class from valid_from until before valid_to; NULL when missing.';
comment on column report.character_history.valid_to is 'Time of the snapshot with the next level or class; NULL for the last one known.';
