-- Compared are the receipts of new files, the changed ones, and those from the time of the earliest touched item of their
-- application on. It compares facts, so it needs no narrow rows, and a player who is set aside has a part in it.
create or replace function rollup.refresh_price_checks() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
-- With a nested loop the time would grow with the square of the prices of a product.
set enable_nestloop = off
as $$
declare
  -- 0 in a rebuild, in which every file is new.
  newest constant bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt');
  changed constant text[] := array(
    select distinct t.payment_seq from pg_temp.touched_row t where t.stream = 'receipt' and t.source_file_id <= newest);
  earliest constant timestamptz := (select min(a.since) from pg_temp.touched_item_app a);
begin
  delete from rollup.price_check k
    where newest = 0 or k.payment_seq = any (changed)
      or exists (select from pg_temp.touched_item_app a where a.app_id = k.app_id and a.since <= k.purchased_at);
  -- Most receipts have the only price that their item ever had.
  create temporary table suspected_receipt on commit drop as
    with receipt as (
      select g.* from game.receipt g where g.source_file_id > newest
      union all
      select g.* from game.receipt g where g.source_file_id <= newest and g.payment_seq = any (changed)
      union all
      select g.*
        from game.receipt g join pg_temp.touched_item_app a on a.app_id = g.app_id and a.since <= g.purchased_at
        where g.source_file_id <= newest and g.purchased_at >= earliest and g.payment_seq <> all (changed)
    ), price as materialized (
      select c.app_id, coalesce(c.store_code, '') as store, k.kind, k.id, c.currency, min(c.amount_minor) as lowest,
          max(c.amount_minor) as highest
        from rollup.item_change c
        cross join lateral (values ('product', c.gamebase_product_id), ('market', c.market_item_id)) k (kind, id)
        group by c.app_id, store, k.kind, k.id, c.currency
    )
    select r.payment_seq, r.app_id, r.store_code, r.gamebase_product_id, r.market_item_id, r.currency, r.purchased_at,
        r.amount_minor, p.store, p.kind, p.id
      from receipt r
      join price p on p.app_id = r.app_id and p.currency = r.currency and p.store = coalesce(r.store_code, '')
        and p.kind = case when r.gamebase_product_id is null then 'market' else 'product' end
        and p.id = coalesce(r.gamebase_product_id, r.market_item_id)
      where r.is_sandbox is not true and (r.amount_minor <> p.lowest or r.amount_minor <> p.highest);
  insert into rollup.price_check (payment_seq, app_id, store_code, gamebase_product_id, market_item_id, currency,
      purchased_at, amount_minor, item_amount_minor, observed_at)
    with change as materialized (
      select k.app_id, k.store, k.kind, k.id, k.currency, c.valid_from, c.amount_minor,
          row_number() over (order by c.valid_from) as number,
          -- Of several items of a product the one with the smallest ids counts.
          dense_rank() over (order by c.gamebase_product_id, c.market_item_id, c.item_seq) as item
        from (select distinct app_id, store, kind, id, currency from suspected_receipt) k
        join rollup.item_change c on c.app_id = k.app_id and coalesce(c.store_code, '') = k.store and c.currency = k.currency
          and k.id = case k.kind when 'product' then c.gamebase_product_id else c.market_item_id end
    ), placed as (
      -- One pass in the order of time over changes and receipts, so that the time grows as n log n.
      select m.*, min(m.item) over (
            partition by m.app_id, m.store, m.kind, m.id, m.currency order by m.at) as first_item
        from (
          select null::text as payment_seq, c.app_id, c.store, c.kind, c.id, c.currency, c.valid_from as at, c.item, c.number
            from change c
          union all
          select r.payment_seq, r.app_id, r.store, r.kind, r.id, r.currency, r.purchased_at, null, null
            from suspected_receipt r
        ) m
    ), chosen as (
      select p.payment_seq, max(p.number) over (
            partition by p.app_id, p.store, p.kind, p.id, p.currency, coalesce(p.item, p.first_item) order by p.at) as number
        from placed p
    )
    select r.payment_seq, r.app_id, r.store_code, r.gamebase_product_id, r.market_item_id, r.currency, r.purchased_at,
        r.amount_minor, c.amount_minor, c.valid_from
      from chosen o
      join change c on c.number = o.number
      join suspected_receipt r on r.payment_seq = o.payment_seq
      where c.amount_minor <> r.amount_minor;
  drop table suspected_receipt;
end
$$;
revoke execute on function rollup.refresh_price_checks from public;
comment on function rollup.refresh_price_checks is
  'Compares the touched receipts with the prices of their items, in rollup.price_check. Part of rollup.finish_refresh.';
