create or replace view report.rate_gap as
select
  p.app_id,
  p.currency,
  min(p.period_start) as first_purchased_on,
  max(p.period_start) as last_purchased_on,
  sum(p.paid_count)::bigint as unconverted_count,
  sum(p.amount_minor)::numeric(38, 0) as amount_minor,
  (sum(p.amount_minor) * u.minor_unit_value)::numeric(38, 4) as amount
from rollup.currency_period p
join game.currency u on u.currency = p.currency
join rollup.base_unit b on b.currency is not null
where p.period = 'day' and not exists (
  select from rollup.day_rate r where r.currency = p.currency and r.day = p.period_start)
group by p.app_id, p.currency, u.minor_unit_value;

comment on view report.rate_gap is
  'One row per application and currency with paid purchases that have no exchange rate on their day or in the 7 days before it: load rates from first_purchased_on on. No row while no base currency is set.';
comment on column report.rate_gap.first_purchased_on is 'Day of the first purchase without a rate, in the reporting zone.';
comment on column report.rate_gap.last_purchased_on is 'Day of the last one. Days between can have a rate.';
comment on column report.rate_gap.unconverted_count is 'Paid purchases without a rate.';
comment on column report.rate_gap.amount_minor is 'Sum of these purchases, in the minor unit of the currency.';
