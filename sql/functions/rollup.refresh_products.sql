-- New receipts can only add to what is known of a product. Of the products of changed and deleted receipts all receipts are
-- read again. The rows that players lost tell the products of receipts that are gone.
create or replace function rollup.refresh_products(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  newest constant bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt');
  -- The changed products; an unknown one is the empty text, which no id is.
  apps text[] := '{}';
  products text[] := '{}';
begin
  if p_is_full then
    delete from rollup.product;
    delete from rollup.product_market_item;
  else
    select coalesce(array_agg(c.app_id), '{}'), coalesce(array_agg(c.product), '{}') into apps, products
      from (
        select p.app_id, coalesce(p.gamebase_product_id, '') as product
          from staging.touched_row t
          join rollup.purchase p on p.app_id = t.app_id and p.user_id = t.user_id and p.payment_seq = t.payment_seq
          where t.stream = 'receipt' and t.source_file_id <= newest
        union
        select g.app_id, coalesce(g.gamebase_product_id, '')
          from staging.touched_row t
          join pg_temp.gone_purchase g on g.payment_seq = t.payment_seq
          where t.stream = 'receipt' and t.source_file_id <= newest
      ) c;
    delete from rollup.product p
      using unnest(apps, products) c (app_id, product)
      where p.app_id = c.app_id and coalesce(p.gamebase_product_id, '') = c.product;
    delete from rollup.product_market_item p
      using unnest(apps, products) c (app_id, product)
      where p.app_id = c.app_id and coalesce(p.gamebase_product_id, '') = c.product;
  end if;
  with receipt as (
    select r.app_id, r.gamebase_product_id, r.market_item_id, r.product_type, r.purchased_at, r.payment_seq,
        r.is_sandbox is not true and r.is_promotion is not true and r.amount_minor > 0 as is_paid
      from game.receipt r
      where p_is_full
    union all
    select r.app_id, r.gamebase_product_id, r.market_item_id, r.product_type, r.purchased_at, r.payment_seq,
        r.is_sandbox is not true and r.is_promotion is not true and r.amount_minor > 0 as is_paid
      from staging.touched_row t join game.receipt r on r.payment_seq = t.payment_seq
      where not p_is_full and t.stream = 'receipt' and t.source_file_id > newest
    union all
    select r.app_id, r.gamebase_product_id, r.market_item_id, r.product_type, r.purchased_at, r.payment_seq,
        r.is_sandbox is not true and r.is_promotion is not true and r.amount_minor > 0 as is_paid
      from unnest(apps, products) c (app_id, product)
      join game.receipt r on r.app_id = c.app_id and coalesce(r.gamebase_product_id, '') = c.product
      where apps <> '{}'
  ), market_item as (
    insert into rollup.product_market_item (app_id, gamebase_product_id, market_item_id)
      select distinct r.app_id, r.gamebase_product_id, r.market_item_id
        from receipt r
        where r.market_item_id is not null
      on conflict do nothing
  ), product as (
    select r.app_id, r.gamebase_product_id, max(r.purchased_at) as newest_at, min(s.sold_on) as first_sold_on,
        max(s.sold_on) as last_sold_on
      from receipt r
      cross join lateral (select case when r.is_paid then (r.purchased_at at time zone zone)::date end as sold_on) s
      group by r.app_id, r.gamebase_product_id
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
    on conflict (app_id, gamebase_product_id) do update
      set product_type = case when (excluded.newest_at, excluded.newest_payment_seq) >= (p.newest_at, p.newest_payment_seq)
          then excluded.product_type else p.product_type end,
        newest_at = greatest(p.newest_at, excluded.newest_at),
        newest_payment_seq = case when (excluded.newest_at, excluded.newest_payment_seq)
          >= (p.newest_at, p.newest_payment_seq) then excluded.newest_payment_seq else p.newest_payment_seq end,
        first_sold_on = least(p.first_sold_on, excluded.first_sold_on),
        last_sold_on = greatest(p.last_sold_on, excluded.last_sold_on);
end
$$;
revoke execute on function rollup.refresh_products from public;
comment on function rollup.refresh_products is
  'Brings rollup.product and rollup.product_market_item up to date. Part of rollup.finish_refresh and rollup.forget_user.';
