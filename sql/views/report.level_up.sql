-- The calendar and the wider ranges do here what they do in report.event.
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
comment on column report.level_up.day is 'Day of the level-up in the reporting zone.';
comment on column report.level_up.leveled_up_at is 'Time of the level-up, to the millisecond.';
