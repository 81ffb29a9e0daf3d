-- Compared are the touched receipts, and those from the time of the earliest touched item of their application on.
--
-- The price of an item at a purchase is that of the last snapshot. Only receipts of products with more than one price, or
-- with another one than the receipt, are compared with snapshots.
create or replace function rollup.refresh_price_checks(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
-- The rows of a night are few and their pages are in memory, so look-ups are not as dear as the planner takes them for.
set random_page_cost = 1
-- A merge join would sort all snapshots.
set enable_mergejoin = off
as $$
declare
  zone constant text := rollup.reporting_zone();
  newest constant bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt');
  nested_loops constant text := current_setting('enable_nestloop');
  -- The payments whose check has a product, and lacks the item of the store.
  checked text[];
begin
  if p_is_full then
    delete from rollup.price_check;
    create temporary view compared_receipt as
      select p.* from rollup.purchase p where exists (select 1 from rollup.item_change);
  else
    create temporary table compared_receipt on commit drop as
      select n.payment_seq, n.app_id, n.gamebase_product_id, n.store_code, n.currency, n.amount_minor, n.purchased_at,
          n.is_sandbox
        from pg_temp.new_purchase n
      union all
      select distinct r.payment_seq, r.app_id, r.gamebase_product_id, r.store_code, r.currency, r.amount_minor,
          r.purchased_at, r.is_sandbox
        from (
          -- A changed product id in the store changes no narrow row.
          select p.*
            from staging.touched_row t
            cross join lateral (
              select * from rollup.purchase
                where app_id = t.app_id and user_id = t.user_id and payment_seq = t.payment_seq offset 0) p
            where t.stream = 'receipt' and t.source_file_id <= newest
          union all
          select p.*
            from staging.touched_item_app a
            cross join lateral (
              select * from rollup.purchase
                where app_id = a.app_id and day >= (a.since at time zone zone)::date and purchased_at >= a.since
                offset 0) p
        ) r
        where not exists (select from pg_temp.new_purchase n where n.payment_seq = r.payment_seq);
    analyze compared_receipt;
    delete from rollup.price_check k
      where k.payment_seq in (
        select n.payment_seq from compared_receipt n
        union all
        select t.payment_seq from staging.touched_row t where t.stream = 'receipt' and t.source_file_id <= newest);
  end if;

  -- Most receipts have the only price that their product ever had, in any store.
  create temporary table suspected_receipt on commit drop as
    with price as materialized (
      select c.app_id, k.kind, k.id, c.currency, min(c.amount_minor) as lowest, max(c.amount_minor) as highest
        from rollup.item_change c
        cross join lateral (values ('product', c.gamebase_product_id), ('market', c.market_item_id)) k (kind, id)
        where k.id is not null and c.amount_minor is not null
        group by c.app_id, k.kind, k.id, c.currency
    ), receipt as (
      -- The narrow row of a receipt tells its product, but not its id in the store.
      select r.*, 'product' as kind, r.gamebase_product_id as id, null::text as market_item_id
        from compared_receipt r
        where r.gamebase_product_id is not null
      union all
      select r.*, 'market', g.market_item_id, g.market_item_id
        from compared_receipt r join game.receipt g on g.payment_seq = r.payment_seq
        where r.gamebase_product_id is null
    )
    select r.payment_seq, r.app_id, r.kind, r.id, r.gamebase_product_id, r.market_item_id, r.currency, r.store_code,
        r.purchased_at, r.amount_minor
      from receipt r
      join price p on p.app_id = r.app_id and p.kind = r.kind and p.id = r.id and p.currency = r.currency
      where r.is_sandbox is not true and (r.amount_minor <> p.lowest or r.amount_minor <> p.highest);
  analyze suspected_receipt;

  -- With a nested loop the time would grow with the square of the prices of a product.
  perform set_config('enable_nestloop', 'off', true);
  insert into rollup.price_check (payment_seq, app_id, store_code, gamebase_product_id, market_item_id, currency,
      purchased_at, amount_minor, item_amount_minor, observed_at)
    with compared as materialized (
      select row_number() over () as item, r.*
        from (select distinct app_id, kind, id, currency from suspected_receipt) r
    ), snapshot as materialized (
      select c.item, g.store_code, g.observed_at, g.amount_minor,
          -- Of two snapshots that a receipt can be compared with, the one with the larger rank counts.
          row_number() over (order by g.observed_at, g.store_code desc nulls first,
            g.gamebase_product_id desc nulls first, g.market_item_id desc nulls first, g.item_seq desc nulls first)
            as rank
        from (
          select s.*, 'product' as kind, s.gamebase_product_id as id from game.item_snapshot s
          union all
          select s.*, 'market', s.market_item_id from game.item_snapshot s
        ) g
        join compared c on c.app_id = g.app_id and c.kind = g.kind and c.id = g.id and c.currency = g.currency
        where g.observed_at <= (select max(r.purchased_at) from suspected_receipt r)
          and g.observed_at_source <> 'load_start' and g.amount_minor is not null
    ), chosen as (
      -- One pass in the order of time over receipts and snapshots, so that the time grows as n log n. A snapshot of the
      -- receipt's store goes before those of others.
      select b.payment_seq, b.amount_minor,
          coalesce(
            max(b.rank) over (partition by b.item, b.store_code order by b.at),
            max(b.rank) over (partition by b.item order by b.at)) as rank
        from (
          select null::text as payment_seq, s.item, s.store_code, s.observed_at as at, null::bigint as amount_minor, s.rank
            from snapshot s
          union all
          select r.payment_seq, c.item, r.store_code, r.purchased_at, r.amount_minor, null
            from suspected_receipt r join compared c using (app_id, kind, id, currency)
        ) b
    )
    select r.payment_seq, r.app_id, r.store_code, r.gamebase_product_id, r.market_item_id, r.currency, r.purchased_at,
        r.amount_minor, s.amount_minor, s.observed_at
      from chosen c
      join snapshot s on s.rank = c.rank
      join suspected_receipt r on r.payment_seq = c.payment_seq
      where s.amount_minor <> c.amount_minor
    -- The program gives each payment one narrow row; a caller of its own could give two.
    on conflict (payment_seq) do nothing;
  perform set_config('enable_nestloop', nested_loops, true);
  checked := array(
    select k.payment_seq
      from rollup.price_check k join suspected_receipt r on r.payment_seq = k.payment_seq
      where k.gamebase_product_id is not null);
  with g as materialized (
    select payment_seq, market_item_id
      from game.receipt
      where payment_seq = any (checked) and market_item_id is not null
  )
  update rollup.price_check k set market_item_id = g.market_item_id from g where g.payment_seq = k.payment_seq;
  drop table suspected_receipt;
  execute format('drop %s compared_receipt', case when p_is_full then 'view' else 'table' end);
end
$$;
revoke execute on function rollup.refresh_price_checks from public;
comment on function rollup.refresh_price_checks is
  'Compares the touched receipts with the prices of their items, in rollup.price_check. Part of rollup.finish_refresh.';
