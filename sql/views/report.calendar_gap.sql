create or replace view report.calendar_gap as
with stream as (
  select stream, app_id, min(day) as first_on
  from rollup.stream_day
  group by stream, app_id
), app as (
  select app_id, max(day) as newest_on
  from rollup.stream_day
  group by app_id
)
select
  s.stream,
  s.app_id,
  c.period_start as day,
  coalesce(r.line_count, 0) as line_count,
  m.median_line_count,
  r.line_count is null as is_missing,
  case
    when m.median_line_count is null or c.period_start = a.newest_on then null
    when exists (
      select 1
      from rollup.dropped_month d
      where d.stream = s.stream
        and d.month::timestamp at time zone 'UTC' < c.ends_at
        and (d.month + interval '1 month') at time zone 'UTC' > c.starts_at
    ) then null
    else coalesce(r.line_count, 0) * 2 < m.median_line_count
      or coalesce(r.line_count, 0) > m.median_line_count * 2
  end as is_unusual
from stream s
join app a on a.app_id = s.app_id
join rollup.calendar_period c
  on c.period = 'day' and c.period_start >= s.first_on and c.period_start <= a.newest_on
left join rollup.stream_day r
  on r.stream = s.stream and r.app_id = s.app_id and r.day = c.period_start
cross join lateral (
  select percentile_cont(0.5) within group (order by coalesce(b.line_count, 0))::numeric as median_line_count
  from (values (7), (14), (21), (28), (35), (42), (49), (56)) w (day_count)
  left join rollup.stream_day b
    on b.stream = s.stream and b.app_id = s.app_id and b.day = c.period_start - w.day_count
  where c.period_start - w.day_count >= s.first_on
) m;

comment on view report.calendar_gap is
  'One row per stream, application and day, from the first event of the application in the stream to its newest event in any stream, also for days without a line.';
comment on column report.calendar_gap.stream is 'The stream.';
comment on column report.calendar_gap.app_id is 'The application; empty when unknown.';
comment on column report.calendar_gap.day is 'Day in the reporting zone.';
comment on column report.calendar_gap.line_count is 'Standing rows with a time of their own on the day.';
comment on column report.calendar_gap.median_line_count is 'Median of line_count over the same weekday in the 8 weeks before, as far as the stream goes back; NULL in its first week.';
comment on column report.calendar_gap.is_missing is 'True for a day without a line.';
comment on column report.calendar_gap.is_unusual is 'True when line_count is below half or above twice the median. NULL without a median, for the day of the application''s newest event, which is not over, and for days in months that retention dropped.';
