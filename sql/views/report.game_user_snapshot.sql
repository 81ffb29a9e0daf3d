-- The calendar turns a range of days into a range of times, which finds the months.
--
-- The wider ranges leave no row out. The planner knows no better than that each condition keeps a third of the rows. With
-- only two it expects so many rows of a day that a server of a cluster compares each row with each day, instead of
-- looking the days up by the index.
create or replace view report.game_user_snapshot as
select
  r.observed_at,
  r.app_id,
  r.user_id,
  r.channel_id,
  r.character_id,
  r.user_level,
  r.class_id,
  r.observed_at_source,
  r.text_repaired,
  r.source_file_id,
  r.line_number,
  c.period_start as day
from game.game_user_snapshot r
join rollup.calendar_period c on c.period = 'day' and c.starts_at <= r.observed_at and c.ends_at > r.observed_at
  and c.starts_at - interval '1 hour' < r.observed_at and c.ends_at + interval '1 hour' > r.observed_at
  and c.starts_at - interval '2 hours' < r.observed_at and c.ends_at + interval '2 hours' > r.observed_at
where r.observed_at_source <> 'load_start'
union all
select
  r.observed_at, r.app_id, r.user_id, r.channel_id, r.character_id, r.user_level, r.class_id, r.observed_at_source,
  r.text_repaired, r.source_file_id, r.line_number, null
from game.game_user_snapshot r
where r.observed_at_source = 'load_start';

comment on view report.game_user_snapshot is
  'One row per observation of a character of a user, as stored now, also between refreshes. Members of a line without a column are not shown.';
comment on column report.game_user_snapshot.observed_at is 'Time of the observation, to the millisecond.';
comment on column report.game_user_snapshot.channel_id is 'The channel or server; NULL when missing.';
comment on column report.game_user_snapshot.character_id is 'The character; NULL when the game has none.';
comment on column report.game_user_snapshot.user_level is 'The level at that time.';
comment on column report.game_user_snapshot.class_id is 'The character''s class; NULL when missing.';
comment on column report.game_user_snapshot.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in a text that is not shown.';
comment on column report.game_user_snapshot.day is 'Day of the observation in the reporting zone; NULL when observed_at is the start of the run.';
