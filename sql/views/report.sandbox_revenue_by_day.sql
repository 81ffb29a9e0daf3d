create or replace view report.sandbox_revenue_by_day as
select
  r.day,
  r.app_id,
  r.currency,
  r.store_code,
  r.gamebase_product_id,
  r.purchase_count,
  r.payer_count,
  r.amount_minor::numeric(38, 0) as amount_minor,
  (r.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  coalesce(st.name, r.store_code, 'unknown') as store_name,
  coalesce(n.product_name, r.gamebase_product_id, 'unknown') as product_name
from rollup.sandbox_day r
join game.currency c on c.currency = r.currency
left join game.store st on st.store_code = r.store_code
left join rollup.product_name n on n.app_id = r.app_id and n.gamebase_product_id = r.gamebase_product_id;

comment on view report.sandbox_revenue_by_day is
  'One row per day, application, currency, store and product. Sandbox (test) purchases only; no money was paid.';
comment on column report.sandbox_revenue_by_day.day is 'Day of the purchases in the reporting zone.';
comment on column report.sandbox_revenue_by_day.purchase_count is 'Number of test purchases.';
comment on column report.sandbox_revenue_by_day.payer_count is 'Users with a test purchase in this row, at any price. Do not add it over rows.';
comment on column report.sandbox_revenue_by_day.amount_minor is 'Sum of the nominal prices, in the minor unit of the currency.';
