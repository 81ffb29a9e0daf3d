create or replace view report.calendar_gap as
with line as not materialized (
  -- A dead feed of receipt files shows, even while receipts come in events.
  select
    h.stream,
    h.app_id,
    d.day,
    case when d.day = h.newest_on then coalesce(h.newest_day_line_count, d.line_count) else d.line_count end
      as line_count
  from rollup.horizon h
  join rollup.stream_day d
    on d.stream = h.stream and d.app_id = h.app_id and (h.stream <> 'receipt' or d.day <= h.newest_on)
)
select
  h.stream,
  h.app_id,
  c.period_start as day,
  coalesce(l.line_count, 0) as line_count,
  m.median_line_count,
  case when not d.is_dropped then l.line_count is null end as is_missing,
  case when not d.is_dropped and c.period_start < h.app_newest_on then
    coalesce(l.line_count, 0) * 2 < m.median_line_count or coalesce(l.line_count, 0) > m.median_line_count * 2 end
    as is_unusual
from (
  select stream, app_id, first_on, newest_on, max(newest_on) over (partition by app_id) as app_newest_on
  from rollup.horizon
) h
join rollup.calendar_period c
  on c.period = 'day' and c.period_start >= h.first_on and c.period_start <= h.app_newest_on
left join line l on l.stream = h.stream and l.app_id = h.app_id and l.day = c.period_start
cross join lateral (
  select exists (
    select from rollup.dropped_month d
    where d.stream = h.stream and d.starts_at < c.ends_at and d.ends_at > c.starts_at) as is_dropped
) d
cross join lateral (
  select percentile_cont(0.5) within group (order by coalesce(b.line_count, 0))::numeric(20, 1) as median_line_count
  from (values (7), (14), (21), (28), (35), (42), (49), (56)) w (day_count)
  join rollup.calendar_period p on p.period = 'day' and p.period_start = c.period_start - w.day_count
  left join line b on b.stream = h.stream and b.app_id = h.app_id and b.day = p.period_start
  where p.period_start >= h.first_on
    and not exists (
      select from rollup.dropped_month d
      where d.stream = h.stream and d.starts_at < p.ends_at and d.ends_at > p.starts_at)
) m;

comment on view report.calendar_gap is
  'One row per stream, application and day, from the first event of the application in the stream to its newest event in any stream, also for days without a line.';
comment on column report.calendar_gap.stream is 'The stream.';
comment on column report.calendar_gap.app_id is 'The application; empty when unknown.';
comment on column report.calendar_gap.day is 'Day in the reporting zone.';
comment on column report.calendar_gap.line_count is 'Standing rows with a time of their own on the day. Of receipts those that came in events count, too, but none after the newest event of the receipt files.';
comment on column report.calendar_gap.median_line_count is 'Median of line_count over the same weekday in the 8 weeks before, as far as the stream goes back, without days in months that retention dropped; NULL without such a day.';
comment on column report.calendar_gap.is_missing is 'True for a day without a line; NULL for days in months that retention dropped.';
comment on column report.calendar_gap.is_unusual is 'True when line_count is below half or above twice the median. NULL without a median, for the day of the application''s newest event, which is not over, and for days in months that retention dropped.';
