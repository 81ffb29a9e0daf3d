-- The calendar turns a range of days into a range of times, which finds the months.
--
-- The wider ranges leave no row out. The planner knows no better than that each condition keeps a third of the rows. With
-- only two it expects so many rows of a day that a server of a cluster compares each row with each day, instead of
-- looking the days up by the index.
create or replace view report.level_up as
select
  r.leveled_up_at,
  r.app_id,
  r.user_id,
  r.user_level,
  r.character_id,
  r.channel_id,
  r.class_id,
  r.text_repaired,
  r.source_file_id,
  r.line_number,
  c.period_start as day
from game.level_up r
join rollup.calendar_period c on c.period = 'day' and c.starts_at <= r.leveled_up_at and c.ends_at > r.leveled_up_at
  and c.starts_at - interval '1 hour' < r.leveled_up_at and c.ends_at + interval '1 hour' > r.leveled_up_at
  and c.starts_at - interval '2 hours' < r.leveled_up_at and c.ends_at + interval '2 hours' > r.leveled_up_at;

comment on view report.level_up is
  'One row per level that a character of a user reached, as stored now, also between refreshes. Members of a line without a column are not shown.';
comment on column report.level_up.leveled_up_at is 'Time of the level-up, to the millisecond.';
comment on column report.level_up.user_level is 'The level reached.';
comment on column report.level_up.character_id is 'The character; NULL when the game has none.';
comment on column report.level_up.channel_id is 'The channel or server; NULL when missing.';
comment on column report.level_up.class_id is 'The character''s class; NULL when missing.';
comment on column report.level_up.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in a text that is not shown.';
comment on column report.level_up.day is 'Day of the level-up in the reporting zone.';
