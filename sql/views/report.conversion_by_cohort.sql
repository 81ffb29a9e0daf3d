create or replace view report.conversion_by_cohort as
with cell as (
  select s.app_id, s.cohort_on, s.day_n, s.cohort_size, s.is_paid_mature as is_mature,
      (sum(coalesce(r.converted_count, 0)) over (partition by s.app_id, s.cohort_on order by s.day_n))::bigint
        as converted_count
    from rollup.cohort_cell s
    left join rollup.cohort_converted r
      on r.app_id = s.app_id and r.cohort_on = s.cohort_on and r.day_n = s.day_n
    where s.cohort_kind = 'first_observed'
)
select
  c.app_id,
  c.cohort_on,
  c.day_n,
  c.cohort_size,
  case when c.is_mature then c.cohort_size end as mature_size,
  case when c.is_mature then c.converted_count end as converted_count,
  case when c.is_mature then round(c.converted_count::numeric / c.cohort_size, 6) end::numeric(7, 6) as rate,
  c.is_mature
from cell c;

comment on view report.conversion_by_cohort is
  'One row per application, day of the first observation and day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365). Users who had paid by then.';
comment on column report.conversion_by_cohort.converted_count is
  'Users of the cohort whose first paid purchase falls on day_n or before; one before cohort_on (a subscription that a store continued) counts from day 0 on. Do not add it over rows. NULL while immature.';
comment on column report.conversion_by_cohort.rate is 'converted_count / cohort_size, 6 digits. NULL while immature.';
