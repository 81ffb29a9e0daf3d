-- The rollup has no rows for a sum of 0, so each cohort brings its rows without a sum. A join of the two would read the
-- whole rollup, because a filter on cohort_on would reach only one side of it; it reaches both sides of a union.
create or replace view report.revenue_by_cohort as
with paid_currency as (
  select p.app_id, c.currency, c.minor_unit::integer as minor_unit, 10::numeric ^ c.minor_unit as unit_count,
      a.paid_through
    from (select distinct app_id, currency from report.concentration_month_rollup where top_share = 1) p
    join game.currency c on c.currency = p.currency
    left join report.cohort_app_rollup a on a.app_id = p.app_id
), part as (
  select s.app_id, s.cohort_kind, s.cohort_on, n.day_n, p.currency, s.cohort_size,
      0::bigint as payer_count, 0::numeric as amount_minor
    from report.cohort_size_rollup s
    join paid_currency p on p.app_id = s.app_id
    cross join report.cohort_step n
  union all
  select r.app_id, r.cohort_kind, r.cohort_on, r.day_n, r.currency, null, r.payer_count, r.amount_minor
    from report.cohort_revenue_rollup r
), cell as (
  select app_id, cohort_kind, cohort_on, day_n, currency, max(cohort_size) as cohort_size,
      max(payer_count) as payer_count, max(amount_minor) as amount_minor
    from part
    group by app_id, cohort_kind, cohort_on, day_n, currency
)
select
  c.app_id,
  c.cohort_kind,
  c.cohort_on,
  c.day_n,
  c.currency,
  c.cohort_size,
  case when m.is_mature then c.payer_count end as payer_count,
  case when m.is_mature then round(c.amount_minor / p.unit_count, p.minor_unit) end as cumulative_amount,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  case when m.is_mature
    then round(div(c.amount_minor * 200 + c.cohort_size, c.cohort_size * 2::numeric) / (p.unit_count * 100),
      p.minor_unit + 2) end as amount_per_user,
  m.is_mature
from cell c
join paid_currency p on p.app_id = c.app_id and p.currency = c.currency
cross join lateral (select coalesce(c.cohort_on + c.day_n <= p.paid_through, false) as is_mature) m;

comment on view report.revenue_by_cohort is
  'One row per application, kind of cohort, day of the cohort, day_n (0, 1, 3, 7, 14, 30, 60, 90, 180, 365) and currency in which the application was ever paid. Gross revenue of paid purchases, in the currency of the purchases.';
comment on column report.revenue_by_cohort.app_id is 'The application.';
comment on column report.revenue_by_cohort.cohort_kind is
  'first_observed: users by the day of their first observation. first_paid: users by the day of their first paid purchase, in any currency.';
comment on column report.revenue_by_cohort.cohort_on is 'The cohort: the day on which its users were first observed, or first paid.';
comment on column report.revenue_by_cohort.day_n is 'Number of calendar days after cohort_on.';
comment on column report.revenue_by_cohort.currency is 'ISO 4217 code.';
comment on column report.revenue_by_cohort.cohort_size is 'Users of the cohort, whatever they paid. Do not add it over currencies.';
comment on column report.revenue_by_cohort.payer_count is
  'Users of the cohort with a paid purchase in the currency on day_n or before. Do not add it over rows. NULL while immature.';
comment on column report.revenue_by_cohort.cumulative_amount is
  'Sum of the cohort''s paid purchases in the currency on day_n or before, in the major unit; what was paid before cohort_on (for a subscription that a store continued) counts from day 0 on. NULL while immature.';
comment on column report.revenue_by_cohort.amount_per_user is
  'cumulative_amount / cohort_size, with two digits more than the currency. NULL while immature.';
comment on column report.revenue_by_cohort.is_mature is
  'True when day_n ends at or before the application''s newest receipt.';
