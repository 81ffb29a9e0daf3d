create or replace view report.revenue_by_cohort as
with cell as (
  select s.app_id, s.cohort_kind, s.cohort_on, s.day_n, p.currency, p.minor_unit, p.minor_unit_value, s.cohort_size,
      (sum(coalesce(r.payer_count, 0)) over days)::bigint as payer_count,
      sum(coalesce(r.amount_minor, 0)) over days as amount_minor, s.is_paid_mature as is_mature
    from rollup.cohort_cell s
    join rollup.paid_currency p on p.app_id = s.app_id
    left join rollup.cohort_revenue r
      on r.app_id = s.app_id and r.cohort_kind = s.cohort_kind and r.cohort_on = s.cohort_on and r.day_n = s.day_n
        and r.currency = p.currency
    window days as (partition by s.app_id, s.cohort_kind, s.cohort_on, p.currency order by s.day_n)
)
select
  c.app_id,
  c.cohort_kind,
  c.cohort_on,
  c.day_n,
  c.currency,
  c.cohort_size,
  case when c.is_mature then c.cohort_size end as mature_size,
  case when c.is_mature then c.payer_count end as payer_count,
  case when c.is_mature then c.amount_minor * c.minor_unit_value end::numeric(38, 4) as cumulative_amount,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  case when c.is_mature
    then round(div(c.amount_minor * 200 + c.cohort_size, c.cohort_size * 2::numeric) * c.minor_unit_value * 0.01,
      c.minor_unit + 2) end::numeric(38, 6) as amount_per_user,
  c.is_mature
from cell c;

comment on view report.revenue_by_cohort is
  'One row per application, kind of cohort, day of the cohort, day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365) and currency in which the application was ever paid. Gross revenue of paid purchases, in the currency of the purchases.';
comment on column report.revenue_by_cohort.cohort_on is 'The cohort: the day on which its users were first observed, or first paid.';
comment on column report.revenue_by_cohort.cohort_size is 'Users of the cohort, whatever they paid. Do not add it over currencies.';
comment on column report.revenue_by_cohort.payer_count is
  'Users of the cohort with a paid purchase in the currency on day_n or before. Do not add it over rows. NULL while immature.';
comment on column report.revenue_by_cohort.cumulative_amount is
  'Sum of the cohort''s paid purchases in the currency on day_n or before, in the major unit; what was paid before cohort_on (for a subscription that a store continued) counts from day 0 on. NULL while immature.';
comment on column report.revenue_by_cohort.amount_per_user is
  'cumulative_amount / cohort_size, with two digits more than the currency. NULL while immature.';
