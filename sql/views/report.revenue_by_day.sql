create or replace view report.revenue_by_day as
select
  r.day,
  r.app_id,
  r.currency,
  r.store_code,
  r.gamebase_product_id,
  r.is_promotion,
  r.purchase_count,
  r.payer_count,
  r.unpriced_count,
  r.imprecise_count,
  r.amount_minor::numeric(38, 0) as amount_minor,
  (r.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  r.paid_count,
  r.free_count,
  r.unknown_sandbox_count,
  (r.promotion_amount_minor * c.minor_unit_value)::numeric(38, 4) as promotion_amount,
  coalesce(st.name, r.store_code, 'unknown') as store_name,
  coalesce(n.product_name, r.gamebase_product_id, 'unknown') as product_name
from rollup.revenue_day r
join game.currency c on c.currency = r.currency
left join game.store st on st.store_code = r.store_code
left join rollup.product_name n on n.app_id = r.app_id and n.gamebase_product_id = r.gamebase_product_id;

comment on view report.revenue_by_day is
  'One row per day, application, currency, store, product and promotion flag with a production purchase. Gross revenue of paid purchases; the receipts contain no refunds. Never add amounts of different currencies.';
comment on column report.revenue_by_day.day is 'Day of the purchases in the reporting zone.';
comment on column report.revenue_by_day.is_promotion is 'True for promotional purchases; false also for receipts without the flag.';
comment on column report.revenue_by_day.purchase_count is 'Number of production purchases, also promotional, free and unpriced ones.';
comment on column report.revenue_by_day.paid_count is 'Number of paid purchases: with a price above 0, and no promotion.';
comment on column report.revenue_by_day.free_count is 'Purchases with the price 0.';
comment on column report.revenue_by_day.unpriced_count is 'Purchases without a price; the amounts do not include them.';
comment on column report.revenue_by_day.imprecise_count is 'Purchases whose price may have lost digits in the vendor''s 32-bit float.';
comment on column report.revenue_by_day.unknown_sandbox_count is 'Purchases that count as production because they have no sandbox flag.';
comment on column report.revenue_by_day.promotion_amount is 'Sum of the prices of promotional purchases, in the major unit; not part of amount.';
