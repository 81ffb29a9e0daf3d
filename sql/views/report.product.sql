create or replace view report.product as
select
  k.app_id,
  k.gamebase_product_id,
  coalesce(n.product_name, k.gamebase_product_id, 'unknown') as product_name,
  n.product_name is not null as is_named,
  p.product_type,
  coalesce(m.market_item_id_count, 0) as market_item_id_count,
  p.first_sold_on,
  p.last_sold_on
from (
  select app_id, gamebase_product_id from rollup.product
  union
  select app_id, gamebase_product_id from rollup.current_item
  union
  select app_id, gamebase_product_id from rollup.product_name
) k
-- Equality of replaced NULLs: no identifier is the empty text.
left join rollup.product p
  on p.app_id = k.app_id and coalesce(p.gamebase_product_id, '') = coalesce(k.gamebase_product_id, '')
left join rollup.product_name n on n.app_id = k.app_id and n.gamebase_product_id = k.gamebase_product_id
left join (
  select i.app_id, i.gamebase_product_id, count(i.market_item_id) as market_item_id_count
  from (
    select app_id, gamebase_product_id, market_item_id from rollup.product_market_item
    union
    select app_id, gamebase_product_id, market_item_id from rollup.current_item
  ) i
  group by i.app_id, i.gamebase_product_id
) m on m.app_id = k.app_id and coalesce(m.gamebase_product_id, '') = coalesce(k.gamebase_product_id, '');

comment on view report.product is
  'One row per application and product of any receipt, stored item or kept name; products without an id are one row. The views with gamebase_product_id have product_name, so no join is needed for it.';
comment on column report.product.app_id is 'The application; empty when unknown.';
comment on column report.product.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.product.product_name is 'Name in the Gamebase console, its first 200 characters, by the newest item with one: a snapshot with a time of its own outranks one dated by the start of its load, and at one instant the smallest store, ids and currency count. The id when no item has a name; unknown without an id.';
comment on column report.product.is_named is 'True when product_name is a name from the shop.';
comment on column report.product.product_type is 'Type of the newest receipt: UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when it has none, or without a receipt.';
comment on column report.product.market_item_id_count is 'Different ids in the stores, of receipts and items.';
comment on column report.product.first_sold_on is 'Day of the first paid purchase in the reporting zone; NULL for none.';
comment on column report.product.last_sold_on is 'Day of the last paid purchase in the reporting zone; NULL for none.';
