create or replace view report.value_by_cohort as
with cell as (
  -- Each day of a cohort, up to each day_n.
  select s.app_id, s.cohort_kind, s.cohort_on, s.day_n, s.cohort_size, s.paid_through, s.is_paid_mature as is_mature,
      case s.cohort_kind when 'first_paid' then s.cohort_size else sum(coalesce(p.converted_count, 0)) over days end
        as payer_count,
      sum(coalesce(v.paid_count, 0)) over days as paid_count,
      sum(coalesce(v.converted_count, 0)) over days as converted_count,
      sum(coalesce(v.base_amount, 0)) over days as base_amount
    from rollup.cohort_cell s
    left join rollup.cohort_value v
      on v.app_id = s.app_id and v.cohort_kind = s.cohort_kind and v.cohort_on = s.cohort_on and v.day_n = s.day_n
    left join rollup.cohort_converted p
      on s.cohort_kind = 'first_observed' and p.app_id = s.app_id and p.cohort_on = s.cohort_on and p.day_n = s.day_n
    window days as (partition by s.app_id, s.cohort_kind, s.cohort_on order by s.day_n)
), cohort as (
  select c.app_id, c.cohort_kind, p.period, p.cohort_start, c.day_n, c.paid_through,
      sum(c.cohort_size)::bigint as cohort_size,
      sum(c.cohort_size) filter (where c.is_mature)::bigint as mature_size,
      sum(c.payer_count) filter (where c.is_mature)::bigint as payer_count,
      sum(c.paid_count) filter (where c.is_mature)::bigint as paid_count,
      sum(c.converted_count) filter (where c.is_mature)::bigint as converted_count,
      sum(c.base_amount) filter (where c.is_mature) as base_amount
    from cell c
    cross join lateral (values ('day', c.cohort_on), ('week', date_trunc('week', c.cohort_on::timestamp)::date),
      ('month', date_trunc('month', c.cohort_on::timestamp)::date)) p (period, cohort_start)
    group by c.app_id, c.cohort_kind, p.period, p.cohort_start, c.day_n, c.paid_through
)
select
  c.app_id,
  c.cohort_kind,
  c.period,
  c.cohort_start,
  c.day_n,
  b.currency as base_currency,
  c.cohort_size,
  coalesce(c.mature_size, 0) as mature_size,
  c.payer_count,
  case when c.converted_count > 0 or c.paid_count = 0 then round(c.base_amount, b.minor_unit) end::numeric(60, 4)
    as base_amount,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  case when c.converted_count = c.paid_count
    then round(div(c.base_amount * 200 / b.minor_unit_value + c.mature_size, c.mature_size * 2::numeric)
      * b.minor_unit_value * 0.01, b.minor_unit + 2) end::numeric(60, 6) as base_amount_per_user,
  c.paid_count - c.converted_count as unconverted_count,
  coalesce(case c.period when 'day' then c.cohort_start when 'week' then c.cohort_start + 6
    else (c.cohort_start + interval '1 month')::date - 1 end + c.day_n <= c.paid_through, false) as is_mature
from cohort c
cross join rollup.base_unit b;

comment on view report.value_by_cohort is
  'One row per application, kind of cohort, period, start of the cohort and day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365). What users paid in all currencies, in the base currency: lifetime value by day. The cohort of a week or month is the users of its days; each day counts from the day on which it is mature itself.';
comment on column report.value_by_cohort.period is 'day, week (from Monday) or month, in the reporting zone: the days that make one cohort.';
comment on column report.value_by_cohort.cohort_start is 'First day of the cohort.';
comment on column report.value_by_cohort.day_n is 'Number of calendar days after the day of each user.';
comment on column report.value_by_cohort.cohort_size is 'Users of the cohort. Do not add it over day_n or periods.';
comment on column report.value_by_cohort.mature_size is 'Users of the days of the cohort that are mature at day_n by the receipts, to which the figures refer: the denominator of sums over cohorts; 0 when no day is mature.';
comment on column report.value_by_cohort.payer_count is 'Those of mature_size with a paid purchase, in any currency, on day_n or before. NULL when no day with users is mature.';
comment on column report.value_by_cohort.base_amount is 'Sum of the paid purchases with a rate of these users on day_n or before, in the base currency, exact and rounded once to its minor unit, half up; what was paid before the day of the cohort (for a subscription that a store continued) counts from day 0 on. 0 when they paid nothing; NULL when none of it has a rate, and when no day with users is mature.';
comment on column report.value_by_cohort.base_amount_per_user is 'base_amount / mature_size, with two digits more than the base currency. NULL when unconverted_count is above 0, and when no day with users is mature.';
comment on column report.value_by_cohort.unconverted_count is 'Paid purchases of these users on day_n or before in a currency without a rate on the day of the purchase or in the 7 days before it. NULL when no day with users is mature.';
comment on column report.value_by_cohort.is_mature is 'True when all days of the cohort are mature at day_n: its last day and day_n more end at or before the trusted horizon of the application''s receipt feed: its newest event, and not beyond the start of an open day (see report.open_failure).';
