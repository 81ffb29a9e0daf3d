create or replace view report.receipt_price_check as
select
  k.payment_seq,
  k.app_id,
  k.store_code,
  k.gamebase_product_id,
  k.market_item_id,
  k.currency,
  k.purchased_at,
  k.day as purchased_on,
  k.amount_minor,
  (k.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  k.item_amount_minor,
  (k.item_amount_minor * c.minor_unit_value)::numeric(38, 4) as item_amount,
  k.amount_minor - k.item_amount_minor as difference_minor,
  ((k.amount_minor - k.item_amount_minor) * c.minor_unit_value)::numeric(38, 4) as difference,
  k.observed_at,
  coalesce(st.name, k.store_code, 'unknown') as store_name,
  coalesce(n.product_name, k.gamebase_product_id, 'unknown') as product_name
from (
  -- The other columns, which the payment determines, let a reader's conditions on them choose the rows.
  select distinct on (r.payment_seq, r.app_id, r.currency, r.gamebase_product_id, r.day)
    r.*,
    i.market_item_id,
    i.amount_minor as item_amount_minor,
    i.valid_from as observed_at
  from (
    select p.payment_seq, p.app_id, p.store_code, p.gamebase_product_id, p.currency, p.purchased_at, p.day, p.amount_minor,
      'product' as kind, p.gamebase_product_id as id
    from rollup.purchase p
    where p.is_sandbox is not true and p.gamebase_product_id is not null
    union all
    select p.payment_seq, p.app_id, p.store_code, p.gamebase_product_id, p.currency, p.purchased_at, p.day, p.amount_minor,
      'market', f.market_item_id
    from rollup.purchase p
    join game.receipt f on f.payment_seq = p.payment_seq
    where p.is_sandbox is not true and p.gamebase_product_id is null
  ) r
  join (
    select i.*, k.kind, k.id,
      lead(i.valid_from) over (
        partition by i.app_id, k.kind, k.id, i.currency, i.store_code, i.gamebase_product_id, i.market_item_id, i.item_seq
        order by i.valid_from) as valid_to,
      min(i.amount_minor) over item as lowest,
      max(i.amount_minor) over item as highest
    from rollup.item_change i
    cross join lateral (values ('product', i.gamebase_product_id), ('market', i.market_item_id)) k (kind, id)
    window item as (partition by i.app_id, k.kind, k.id, i.currency, i.store_code)
  ) i
    on i.app_id = r.app_id and i.kind = r.kind and i.id = r.id and i.currency = r.currency
      -- Equality of replaced NULLs: no code is the empty text.
      and coalesce(i.store_code, '') = coalesce(r.store_code, '')
      and i.valid_from <= r.purchased_at and (i.valid_to > r.purchased_at) is not false
      -- Most receipts have the only price that their item ever had.
      and (r.amount_minor <> i.lowest or r.amount_minor <> i.highest)
  where i.amount_minor is not null
  order by r.payment_seq, r.app_id, r.currency, r.gamebase_product_id, r.day, i.gamebase_product_id, i.market_item_id,
    i.item_seq
) k
join game.currency c on c.currency = k.currency
left join game.store st on st.store_code = k.store_code
left join rollup.product_name n on n.app_id = k.app_id and n.gamebase_product_id = k.gamebase_product_id
where k.amount_minor <> k.item_amount_minor;

comment on view report.receipt_price_check is
  'One row per production receipt (paymentSeq) whose price differs from that of its item in report.item_history at the purchase: the item of the same application, store and currency with its gamebase_product_id, or without one with its market_item_id; of several, the one with the smallest ids. Receipts and items without a price are not compared; a free trial differs.';
comment on column report.receipt_price_check.payment_seq is 'The vendor''s number of the payment.';
comment on column report.receipt_price_check.app_id is 'The application; empty when unknown.';
comment on column report.receipt_price_check.store_code is 'Code of the receipt''s store; NULL when unknown.';
comment on column report.receipt_price_check.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when the receipt has none.';
comment on column report.receipt_price_check.market_item_id is 'The item''s id in the store; NULL when it has none.';
comment on column report.receipt_price_check.currency is 'ISO 4217 code of both prices.';
comment on column report.receipt_price_check.purchased_at is 'Time of the purchase.';
comment on column report.receipt_price_check.purchased_on is 'Day of the purchase in the reporting zone.';
comment on column report.receipt_price_check.amount_minor is 'Price of the receipt in the minor unit of the currency.';
comment on column report.receipt_price_check.amount is 'Price of the receipt in the major unit.';
comment on column report.receipt_price_check.item_amount_minor is 'Price of the item in the minor unit of the currency.';
comment on column report.receipt_price_check.item_amount is 'Price of the item in the major unit.';
comment on column report.receipt_price_check.difference_minor is 'Price of the receipt less that of the item, in the minor unit.';
comment on column report.receipt_price_check.difference is 'Price of the receipt less that of the item, in the major unit.';
comment on column report.receipt_price_check.observed_at is 'Time at which the item was first observed with this price and its other values.';
comment on column report.receipt_price_check.store_name is 'Name of the store; its code when that is not in game.store, unknown without one.';
comment on column report.receipt_price_check.product_name is 'Name of the product as in report.product; its id when no name is known, unknown without one.';
