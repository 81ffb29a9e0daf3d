create or replace view report.product as
select
  k.app_id,
  k.gamebase_product_id,
  coalesce(n.product_name, k.gamebase_product_id, 'unknown') as product_name,
  n.product_name is not null as is_named,
  f.product_type,
  k.first_sold_on,
  k.last_sold_on
from (
  select u.app_id, u.gamebase_product_id, min(u.day) filter (where u.is_sold) as first_sold_on,
    max(u.day) filter (where u.is_sold) as last_sold_on, max(u.day) as newest_on
  from (
    select app_id, gamebase_product_id, day, paid_count > 0 as is_sold from rollup.revenue_day
    union all
    select app_id, gamebase_product_id, day, false from rollup.sandbox_day
    union all
    select app_id, gamebase_product_id, null, false from rollup.current_item
    union all
    select app_id, gamebase_product_id, null, false from rollup.product_name
  ) u
  group by u.app_id, u.gamebase_product_id
) k
left join lateral (
  select p.payment_seq
  from rollup.purchase p
  -- Equality of replaced NULLs: no identifier is the empty text.
  where p.app_id = k.app_id and p.day = k.newest_on
    and coalesce(p.gamebase_product_id, '') = coalesce(k.gamebase_product_id, '')
  order by p.purchased_at desc, p.payment_seq desc
  limit 1
) r on true
left join game.receipt f on f.payment_seq = r.payment_seq
left join rollup.product_name n on n.app_id = k.app_id and n.gamebase_product_id = k.gamebase_product_id;

comment on view report.product is
  'One row per application and product of any receipt, stored item or kept name; products without an id are one row. The views with gamebase_product_id have product_name, so no join is needed for it.';
comment on column report.product.product_name is 'Name in the Gamebase console, its first 200 characters, by the newest item with one: a snapshot with a time of its own outranks one dated by the start of its load, and at one instant the smallest store, ids and currency count. The id when no item has a name; unknown without an id.';
comment on column report.product.is_named is 'True when product_name is a name from the shop.';
comment on column report.product.product_type is 'Type of the newest receipt: UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when it has none, or without a receipt. Until the next refresh, a type that a later file filled shows already.';
comment on column report.product.first_sold_on is 'Day of the first paid purchase in the reporting zone; NULL for none.';
comment on column report.product.last_sold_on is 'Day of the last paid purchase in the reporting zone; NULL for none.';
