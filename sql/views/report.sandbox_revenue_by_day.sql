create or replace view report.sandbox_revenue_by_day as
select
  r.day,
  r.app_id,
  r.currency,
  r.store_code,
  r.gamebase_product_id,
  r.purchase_count,
  r.payer_count,
  r.amount_minor,
  r.amount_minor * c.minor_unit_value as amount
from rollup.sandbox_day r
join game.currency c on c.currency = r.currency;

comment on view report.sandbox_revenue_by_day is
  'One row per day, application, currency, store and product. Sandbox (test) purchases only; no money was paid.';
comment on column report.sandbox_revenue_by_day.day is 'Day of the purchase in the reporting zone.';
comment on column report.sandbox_revenue_by_day.app_id is 'The application; empty when unknown.';
comment on column report.sandbox_revenue_by_day.currency is 'ISO 4217 code.';
comment on column report.sandbox_revenue_by_day.store_code is 'Code of the store, as written in the receipts; NULL when missing.';
comment on column report.sandbox_revenue_by_day.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column report.sandbox_revenue_by_day.purchase_count is 'Number of test purchases.';
comment on column report.sandbox_revenue_by_day.payer_count is 'Users with a test purchase in this row, at any price. Do not add it over rows.';
comment on column report.sandbox_revenue_by_day.amount_minor is 'Sum of the nominal prices, in the minor unit of the currency.';
comment on column report.sandbox_revenue_by_day.amount is 'amount_minor in the major unit of the currency, exact.';
