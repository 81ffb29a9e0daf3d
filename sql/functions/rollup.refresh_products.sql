-- New and changed receipts extend the figures of a product. The stored figures hold as long as the receipts stand that gave
-- them. If a changed or deleted receipt may have been one of those, all receipts of the product are read.
create or replace function rollup.refresh_products(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The planner knows no counts of new receipts, and would compare all of them with all products.
set enable_nestloop = off
as $$
declare
  zone constant text := rollup.reporting_zone();
  newest constant bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt');
  -- The payments of changed and deleted receipts.
  changed constant text[] := array(
    select distinct t.payment_seq
      from staging.touched_row t
      where not p_is_full and t.stream = 'receipt' and t.source_file_id <= newest);
  lost jsonb := '[]';
begin
  if p_is_full then
    delete from rollup.product;
    delete from rollup.product_market_item;
  elsif changed <> '{}' then
    lost := rollup.products_to_read(changed);
    delete from rollup.product p
      using jsonb_to_recordset(lost) l (app_id text, product text)
      where p.app_id = l.app_id and coalesce(p.gamebase_product_id, '') = l.product;
    delete from rollup.product_market_item p
      using jsonb_to_recordset(lost) l (app_id text, product text)
      where p.app_id = l.app_id and coalesce(p.gamebase_product_id, '') = l.product;
  end if;
  -- As a text with numbers, so that the planner sees which files are new. An erasure refreshes no new file.
  execute format(
    $sql$
      with receipt as %s (
        select r.app_id, r.gamebase_product_id, r.market_item_id, r.product_type, r.purchased_at, r.payment_seq,
            r.is_sandbox is not true and r.is_promotion is not true and r.amount_minor > 0 as is_paid
          from %s
      ), item as materialized (
        select r.app_id, r.gamebase_product_id, r.market_item_id, max(r.purchased_at) as newest_at,
            min((r.purchased_at at time zone $1)::date) filter (where r.is_paid) as first_sold_on,
            max((r.purchased_at at time zone $1)::date) filter (where r.is_paid) as last_sold_on,
            min(r.payment_seq) as payment_seq
          from receipt r
          group by r.app_id, r.gamebase_product_id, r.market_item_id
      ), market_item as (
        insert into rollup.product_market_item as m (app_id, gamebase_product_id, market_item_id, payment_seq)
          select i.app_id, i.gamebase_product_id, i.market_item_id, i.payment_seq
            from item i
            where i.market_item_id is not null
          on conflict on constraint product_market_item_key do update
            set payment_seq = excluded.payment_seq
            where m.payment_seq > excluded.payment_seq or m.payment_seq is null
      ), product as materialized (
        select i.app_id, i.gamebase_product_id, max(i.newest_at) as newest_at, min(i.first_sold_on) as first_sold_on,
            max(i.last_sold_on) as last_sold_on
          from item i
          group by i.app_id, i.gamebase_product_id
      )
      insert into rollup.product as p
          (app_id, gamebase_product_id, product_type, newest_at, newest_payment_seq, first_sold_on, last_sold_on)
        select distinct on (n.app_id, n.gamebase_product_id) n.app_id, n.gamebase_product_id, r.product_type, n.newest_at,
            r.payment_seq, n.first_sold_on, n.last_sold_on
          from product n
          join receipt r
            on r.app_id = n.app_id and coalesce(r.gamebase_product_id, '') = coalesce(n.gamebase_product_id, '')
              and r.purchased_at = n.newest_at
          order by n.app_id, n.gamebase_product_id, r.payment_seq desc
        on conflict on constraint product_key do update
          set product_type = case when (excluded.newest_at, excluded.newest_payment_seq)
              >= (p.newest_at, p.newest_payment_seq) then excluded.product_type else p.product_type end,
            newest_at = greatest(p.newest_at, excluded.newest_at),
            newest_payment_seq = case when (excluded.newest_at, excluded.newest_payment_seq)
              >= (p.newest_at, p.newest_payment_seq) then excluded.newest_payment_seq else p.newest_payment_seq end,
            first_sold_on = least(p.first_sold_on, excluded.first_sold_on),
            last_sold_on = greatest(p.last_sold_on, excluded.last_sold_on)
    $sql$,
    case when p_is_full then 'not materialized' else 'materialized' end,
    case when p_is_full then 'game.receipt r'
      else concat(
        '(select * from game.receipt where source_file_id > ', newest,
        '   and source_file_id in (select t.source_file_id from staging.touched_file t)',
        case when changed <> '{}' then ' union all select * from game.receipt where payment_seq = any ($2)' end,
        case when lost <> '[]' then concat(
          ' union all select r.* from jsonb_to_recordset($3) l (app_id text, product text)
            join game.receipt r on r.app_id = l.app_id and coalesce(r.gamebase_product_id, '''') = l.product
            where r.source_file_id <= ', newest) end,
        ') r') end)
    using zone, changed, lost;
end
$$;
revoke execute on function rollup.refresh_products from public;
comment on function rollup.refresh_products is
  'Brings rollup.product and rollup.product_market_item up to date. Part of rollup.finish_refresh and rollup.forget_user.';
