create or replace view report.revenue_converted_by_period as
select
  c.period,
  c.period_start,
  c.app_id,
  c.base_currency,
  c.paid_count,
  c.unconverted_count,
  case when c.unconverted_count = 0 then round(round(c.base_amount, c.minor_unit) / c.minor_unit_value) end::numeric(60, 0)
    as amount_minor,
  case when c.unconverted_count = 0 then round(c.base_amount, c.minor_unit) end::numeric(60, 4) as amount,
  c.base_currency is not null and c.unconverted_count = 0 as is_converted,
  c.is_complete
from rollup.converted_period c;

comment on view report.revenue_converted_by_period is
  'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Revenue of paid purchases in all currencies, converted to the base currency. While no base currency is set, base_currency and the amounts are NULL, and no purchase is converted.';
comment on column report.revenue_converted_by_period.period is 'day, week (from Monday) or month, in the reporting zone.';
comment on column report.revenue_converted_by_period.period_start is 'First day of the period.';
comment on column report.revenue_converted_by_period.app_id is 'The application; empty when unknown.';
comment on column report.revenue_converted_by_period.base_currency is 'ISO 4217 code of the setting base-currency; NULL while it is not set.';
comment on column report.revenue_converted_by_period.paid_count is 'Number of paid purchases, in all currencies.';
comment on column report.revenue_converted_by_period.unconverted_count is 'Paid purchases in a currency without a rate on the day of the purchase or in the 7 days before it.';
comment on column report.revenue_converted_by_period.amount_minor is 'Sum of the paid purchases in the minor unit of the base currency; NULL when unconverted_count is above 0. Each uses the rate of its day, or the last one before it. The sum is exact and rounded once, half up.';
comment on column report.revenue_converted_by_period.amount is 'amount_minor in the major unit of the base currency; NULL like amount_minor.';
comment on column report.revenue_converted_by_period.is_converted is 'True when a base currency is set and every paid purchase of the period has a rate.';
comment on column report.revenue_converted_by_period.is_complete is 'True when the receipts of the application go from before the period''s start to after its end and no day before that is open (see report.open_failure).';
