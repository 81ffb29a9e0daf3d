create or replace view report.revenue_converted_by_day as
select
  period_start as day,
  app_id,
  base_currency,
  paid_count,
  unconverted_count,
  amount_minor,
  amount,
  is_converted,
  is_complete
from report.revenue_converted_by_period
where period = 'day';

comment on view report.revenue_converted_by_day is
  'One row per day and application: the days of report.revenue_converted_by_period.';
comment on column report.revenue_converted_by_day.day is 'Day of the purchases in the reporting zone.';
comment on column report.revenue_converted_by_day.app_id is 'The application; empty when unknown.';
comment on column report.revenue_converted_by_day.base_currency is 'ISO 4217 code of the setting base-currency; NULL while it is not set.';
comment on column report.revenue_converted_by_day.paid_count is 'Number of paid purchases, in all currencies.';
comment on column report.revenue_converted_by_day.unconverted_count is 'Paid purchases in a currency without a rate on the day or in the 7 days before it.';
comment on column report.revenue_converted_by_day.amount_minor is 'Sum of the paid purchases in the minor unit of the base currency; NULL when unconverted_count is above 0. Each uses the rate of the day, or the last one before it. The sum is exact and rounded once, half up.';
comment on column report.revenue_converted_by_day.amount is 'amount_minor in the major unit of the base currency; NULL like amount_minor.';
comment on column report.revenue_converted_by_day.is_converted is 'True when a base currency is set and every paid purchase of the day has a rate.';
comment on column report.revenue_converted_by_day.is_complete is 'True when the receipts of the application go from before the day''s start to after its end and no day before that is open (see report.open_failure).';
