create or replace view report.retention_by_cohort as
with dropped_day as (
  select distinct c.period_start as day
    from rollup.dropped_month m
    join rollup.calendar_period c on c.period = 'day' and c.starts_at < m.ends_at and c.ends_at > m.starts_at
    where m.stream in ('receipt', 'level_up', 'game_user')
), cell as (
  select s.app_id, s.cohort_on, s.day_n, s.cohort_size,
      coalesce(r.observed_count, 0) as observed_count,
      s.is_observed_mature and d.day is null as is_mature
    from rollup.cohort_cell s
    left join rollup.cohort_observed r
      on r.app_id = s.app_id and r.cohort_on = s.cohort_on and r.day_n = s.day_n
    left join dropped_day d on d.day = s.cohort_on + s.day_n
    where s.cohort_kind = 'first_observed'
)
select
  c.app_id,
  c.cohort_on,
  c.day_n,
  c.cohort_size,
  case when c.is_mature then c.cohort_size end as mature_size,
  case when c.is_mature then c.observed_count end as observed_count,
  case when c.is_mature then round(c.observed_count::numeric / c.cohort_size, 6) end::numeric(7, 6) as rate,
  c.is_mature
from cell c;

comment on view report.retention_by_cohort is
  'One row per application, day of the first observation and day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365). Users who were observed on exactly that day of the reporting zone; day 0 is that of the cohort, so its rate is 1. A user is observed at a level-up, at a snapshot with a time of its own, and at a purchase, also a free or promotional one, that is no sandbox purchase and that no store can have made by itself (a period of the kind continued, renewal or resubscription). Observations in dropped months only fix the day of the cohort. A player set aside is in no cohort.';
comment on column report.retention_by_cohort.observed_count is
  'Users of the cohort who were observed on day_n. Do not add it over day_n. NULL while immature.';
comment on column report.retention_by_cohort.rate is 'observed_count / cohort_size, 6 digits. NULL while immature.';
comment on column report.retention_by_cohort.is_mature is
  'True when day_n ends at or before the trusted horizon of the application, and no month with that day was dropped, of any application. That horizon is the earliest of the newest events of level_up, game_user and the receipt feed, without a stream more than 8 days behind the others, and not beyond the start of an open day.';
