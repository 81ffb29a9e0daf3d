create or replace view report.receipt_price_check as
select
  k.payment_seq,
  k.app_id,
  k.store_code,
  k.gamebase_product_id,
  k.market_item_id,
  k.currency,
  k.purchased_at,
  k.amount_minor,
  (k.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  k.item_amount_minor,
  (k.item_amount_minor * c.minor_unit_value)::numeric(38, 4) as item_amount,
  k.amount_minor - k.item_amount_minor as difference_minor,
  ((k.amount_minor - k.item_amount_minor) * c.minor_unit_value)::numeric(38, 4) as difference,
  k.observed_at,
  coalesce(st.name, k.store_code, 'unknown') as store_name,
  coalesce(n.product_name, k.gamebase_product_id, 'unknown') as product_name
from rollup.price_check k
join game.currency c on c.currency = k.currency
left join game.store st on st.store_code = k.store_code
left join rollup.product_name n on n.app_id = k.app_id and n.gamebase_product_id = k.gamebase_product_id;

comment on view report.receipt_price_check is
  'One row per production receipt (paymentSeq) whose price differs from that of its item in report.item_history at the purchase: the item of the receipt''s application, store, currency and gamebase_product_id, or without one its market_item_id; of several the one with the smallest ids. Receipts and items without a price are not compared; a free trial differs.';
comment on column report.receipt_price_check.payment_seq is 'The vendor''s number of the payment.';
comment on column report.receipt_price_check.app_id is 'The application; empty when unknown.';
comment on column report.receipt_price_check.store_code is 'Code of the receipt''s store; NULL when unknown.';
comment on column report.receipt_price_check.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when the receipt has none.';
comment on column report.receipt_price_check.market_item_id is 'The product''s id in the store; NULL when the receipt has none.';
comment on column report.receipt_price_check.currency is 'ISO 4217 code of both prices.';
comment on column report.receipt_price_check.purchased_at is 'Time of the purchase.';
comment on column report.receipt_price_check.amount_minor is 'Price of the receipt in the minor unit of the currency.';
comment on column report.receipt_price_check.amount is 'Price of the receipt in the major unit.';
comment on column report.receipt_price_check.item_amount_minor is 'Price of the item in the minor unit of the currency.';
comment on column report.receipt_price_check.item_amount is 'Price of the item in the major unit.';
comment on column report.receipt_price_check.difference_minor is 'Price of the receipt less that of the item, in the minor unit.';
comment on column report.receipt_price_check.difference is 'Price of the receipt less that of the item, in the major unit.';
comment on column report.receipt_price_check.observed_at is 'Time since which the item had its values (valid_from of report.item_history).';
comment on column report.receipt_price_check.store_name is 'Name of the store; its code when that is not in game.store, unknown without one.';
comment on column report.receipt_price_check.product_name is 'Name of the product as in report.product; its id when no name is known, unknown without one.';
