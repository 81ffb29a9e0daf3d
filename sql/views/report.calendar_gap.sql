-- A condition on stream, app_id or day reaches the tables, because each is a column of the grouping.
--
-- The wider range of days leaves no day out. The planner expects each condition to keep a third of the days of a century;
-- with only two it expects so many that it compiles the query.
create or replace view report.calendar_gap as
with line as not materialized (
  select
    h.stream,
    h.app_id,
    h.app_newest_on,
    c.period_start as day,
    coalesce(case when d.day = h.newest_on then h.newest_day_line_count end, d.line_count, 0) as line_count,
    exists (
      select from rollup.dropped_month m
      where m.stream = h.stream and m.starts_at < c.ends_at and m.ends_at > c.starts_at) as is_dropped
  from (
    select
      stream,
      app_id,
      first_on,
      newest_on,
      newest_day_line_count,
      max(newest_on) over (partition by app_id) as app_newest_on
    from rollup.horizon
  ) h
  join rollup.calendar_period c
    on c.period = 'day' and c.period_start >= h.first_on and c.period_start <= h.app_newest_on
      and c.period_start > h.first_on - 1 and c.period_start < h.app_newest_on + 1
  -- A dead feed of receipt files shows, even while receipts come in events.
  left join rollup.stream_day d
    on d.stream = h.stream and d.app_id = h.app_id and d.day = c.period_start
      and (h.stream <> 'receipt' or d.day <= h.newest_on)
), compared as (
  select
    l.stream,
    l.app_id,
    l.day,
    l.app_newest_on,
    l.is_dropped,
    l.line_count,
    percentile_cont(0.5) within group (order by b.line_count)::numeric(20, 1) as median_line_count
  from line l
  cross join (values (7), (14), (21), (28), (35), (42), (49), (56)) w (day_count)
  left join line b
    on b.stream = l.stream and b.app_id = l.app_id and b.day = l.day - w.day_count and not b.is_dropped
  group by l.stream, l.app_id, l.day, l.app_newest_on, l.is_dropped, l.line_count
)
select
  stream,
  app_id,
  day,
  line_count,
  median_line_count,
  case when not is_dropped then line_count = 0 end as is_missing,
  case when not is_dropped and day < app_newest_on then
    line_count * 2 < median_line_count or line_count > median_line_count * 2 end as is_unusual
from compared;

comment on view report.calendar_gap is
  'One row per stream, application and day, from the first event of the application in the stream to its newest event in any stream, also for days without a line.';
comment on column report.calendar_gap.line_count is 'Standing rows with a time of their own on the day. Of receipts those that came in events count, too, but none after the newest event of the receipt files.';
comment on column report.calendar_gap.median_line_count is 'Median of line_count over the same weekday in the 8 weeks before, as far as the stream goes back, without days in months that retention dropped; NULL without such a day.';
comment on column report.calendar_gap.is_missing is 'True for a day without a line; NULL for days in months that retention dropped.';
comment on column report.calendar_gap.is_unusual is 'True when line_count is below half or above twice the median. NULL without a median, for the day of the application''s newest event, which is not over, and for days in months that retention dropped.';
