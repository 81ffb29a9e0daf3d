create or replace view report.receipt_price_check as
with item as materialized (
  select
    c.*,
    coalesce(c.store_code, '') as store,
    k.kind,
    k.id,
    lead(c.valid_from, 1, 'infinity') over (
      partition by k.kind, c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq
      order by c.valid_from) as valid_to,
    min(c.amount_minor) over same as lowest,
    max(c.amount_minor) over same as highest
  from rollup.item_change c
  cross join lateral (values ('product', c.gamebase_product_id), ('market', c.market_item_id)) k (kind, id)
  window same as (partition by c.app_id, c.currency, coalesce(c.store_code, ''), k.kind, k.id)
), checked as (
  -- Of several items of a product the one with the smallest ids counts. The other columns let a reader's conditions in.
  select distinct on (r.app_id, r.purchased_at, r.payment_seq)
    r.payment_seq,
    r.app_id,
    r.store_code,
    r.gamebase_product_id,
    r.market_item_id,
    r.currency,
    r.purchased_at,
    r.amount_minor,
    i.amount_minor as item_amount_minor,
    i.valid_from as observed_at
  from game.receipt r
  -- As of the last refresh, like the items.
  join rollup.refresh_state s on s.stream = 'receipt' and r.source_file_id <= s.source_file_id
  join item i on i.app_id = r.app_id and i.currency = r.currency and i.store = coalesce(r.store_code, '')
    and i.kind = case when r.gamebase_product_id is null then 'market' else 'product' end
    and i.id = coalesce(r.gamebase_product_id, r.market_item_id)
    and i.valid_from <= r.purchased_at and i.valid_to > r.purchased_at
  -- Most receipts have the only price that their item ever had.
  where r.is_sandbox is not true and (r.amount_minor <> i.lowest or r.amount_minor <> i.highest)
  order by r.app_id, r.purchased_at, r.payment_seq, i.gamebase_product_id, i.market_item_id, i.item_seq
)
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
from checked k
join game.currency c on c.currency = k.currency
left join game.store st on st.store_code = k.store_code
left join rollup.product_name n on n.app_id = k.app_id and n.gamebase_product_id = k.gamebase_product_id
where k.item_amount_minor <> k.amount_minor;

comment on view report.receipt_price_check is
  'One row per production receipt (paymentSeq) whose price differs from that of its item in report.item_history at the purchase: the item of the receipt''s application, store, currency and gamebase_product_id, or without one its market_item_id; of several the one with the smallest ids. Receipts and items without a price are not compared; a free trial differs.';
comment on column report.receipt_price_check.amount_minor is 'Price of the receipt in the minor unit of the currency.';
comment on column report.receipt_price_check.item_amount_minor is 'Price of the item in the minor unit of the currency.';
comment on column report.receipt_price_check.item_amount is 'Price of the item in the major unit.';
comment on column report.receipt_price_check.difference_minor is 'Price of the receipt less that of the item, in the minor unit.';
comment on column report.receipt_price_check.difference is 'Price of the receipt less that of the item, in the major unit.';
comment on column report.receipt_price_check.observed_at is 'Time since which the item had its values (valid_from of report.item_history).';
