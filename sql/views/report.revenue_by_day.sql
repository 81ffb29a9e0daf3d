create or replace view report.revenue_by_day as
select
  (r.purchased_at at time zone report.time_zone())::date as purchased_on,
  r.app_id,
  r.currency,
  r.store_code,
  r.gamebase_product_id,
  r.is_promotion is true as is_promotion,
  count(*) as purchase_count,
  count(distinct r.user_id) as payer_count,
  count(*) filter (where r.amount_minor is null) as unpriced_count,
  count(*) filter (where r.price_imprecise) as imprecise_count,
  coalesce(sum(r.amount_minor), 0) as amount_minor,
  round(coalesce(sum(r.amount_minor), 0) / 10::numeric ^ c.minor_unit, c.minor_unit::integer) as amount
from game.receipt r
join game.currency c on c.currency = r.currency
where r.is_sandbox is not true
group by 1, 2, 3, 4, 5, 6, c.minor_unit;

comment on view report.revenue_by_day is
  'One row per day, application, currency, store, product and promotion flag. Gross revenue: sandbox purchases are excluded, and the receipts contain no refunds. Never add amounts of different currencies.';
comment on column report.revenue_by_day.purchased_on is 'Day of the purchase in report.time_zone().';
comment on column report.revenue_by_day.app_id is 'The application; empty when unknown.';
comment on column report.revenue_by_day.currency is 'ISO 4217 code.';
comment on column report.revenue_by_day.store_code is 'Code of the store, as written in the receipts; NULL when missing.';
comment on column report.revenue_by_day.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column report.revenue_by_day.is_promotion is 'True for promotional purchases; false also for receipts without the flag.';
comment on column report.revenue_by_day.purchase_count is 'Number of purchases.';
comment on column report.revenue_by_day.payer_count is 'Number of distinct users. Do not add it over rows; see report.payers_by_day.';
comment on column report.revenue_by_day.unpriced_count is 'Purchases without a price; the amounts do not include them.';
comment on column report.revenue_by_day.imprecise_count is 'Purchases whose price may have lost digits in the vendor''s 32-bit float.';
comment on column report.revenue_by_day.amount_minor is 'Sum of the prices, in the minor unit of the currency.';
comment on column report.revenue_by_day.amount is 'amount_minor in the major unit of the currency, exact.';
