create or replace view report.revenue_converted_by_period as
select
  c.period,
  c.period_start,
  c.app_id,
  c.base_currency,
  c.paid_count,
  c.unconverted_count,
  c.rounded_amount as base_amount,
  c.is_complete
from rollup.converted_period c;

comment on view report.revenue_converted_by_period is
  'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Revenue of paid purchases in all currencies, converted to the base currency. While no base currency is set, base_currency and base_amount are NULL, and no purchase is converted.';
comment on column report.revenue_converted_by_period.paid_count is 'Number of paid purchases, in all currencies, with a rate or without one.';
comment on column report.revenue_converted_by_period.unconverted_count is 'Paid purchases in a currency without a rate on the day of the purchase or in the 7 days before it. They are missing in base_amount; see report.rate_gap.';
comment on column report.revenue_converted_by_period.base_amount is 'Of the converted purchases only: the sum of the paid purchases with a rate, in the base currency. Each uses the rate of its day, or the last one before it. The sum is exact and rounded once, half up. 0 without a paid purchase; NULL when none of them has a rate.';
