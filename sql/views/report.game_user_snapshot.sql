-- The calendar and the wider ranges do here what they do in report.event.
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
comment on column report.game_user_snapshot.day is 'Day of the observation in the reporting zone; NULL when observed_at is the start of the run.';
