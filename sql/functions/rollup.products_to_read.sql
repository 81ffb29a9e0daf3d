-- Receipts as witnesses: the newest one of a product, the smallest one of each of its ids in a store, and paid purchases on
-- its first and its last day. A product is an unknown one with the empty text, which no id is.
create or replace function rollup.products_to_read(p_changed text[]) returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The products of the receipts as they were and as they are.
  products constant jsonb := (
    select coalesce(jsonb_agg(c), '[]')
      from (
        select p.app_id, coalesce(p.gamebase_product_id, '') as product
          from staging.touched_row t
          cross join lateral (
            select * from rollup.purchase
              where app_id = t.app_id and user_id = t.user_id and payment_seq = t.payment_seq offset 0) p
          where t.stream = 'receipt' and t.payment_seq = any (p_changed)
        union
        select g.app_id, coalesce(g.gamebase_product_id, '')
          from pg_temp.gone_purchase g
          where g.payment_seq = any (p_changed)
      ) c);
  witnesses constant text[] := array(
    select p.newest_payment_seq
      from jsonb_to_recordset(products) c (app_id text, product text)
      join rollup.product p on p.app_id = c.app_id and coalesce(p.gamebase_product_id, '') = c.product
    union
    select m.payment_seq
      from jsonb_to_recordset(products) c (app_id text, product text)
      join rollup.product_market_item m on m.app_id = c.app_id and coalesce(m.gamebase_product_id, '') = c.product);
begin
  return (
    with witness as materialized (
      select payment_seq, app_id, coalesce(gamebase_product_id, '') as product, market_item_id, purchased_at
        from game.receipt
        where payment_seq = any (witnesses)
    )
    select coalesce(jsonb_agg(l), '[]')
      from (
        select c.app_id, c.product
          from jsonb_to_recordset(products) c (app_id text, product text)
          join rollup.product p on p.app_id = c.app_id and coalesce(p.gamebase_product_id, '') = c.product
          left join witness w
            on w.payment_seq = p.newest_payment_seq and w.app_id = c.app_id and w.product = c.product
              and w.purchased_at = p.newest_at
          where w.payment_seq is null
            or exists (
              select from (values (p.first_sold_on), (p.last_sold_on)) s (day)
                where s.day is not null and not exists (
                  select from rollup.purchase r
                    where r.app_id = c.app_id and r.day = s.day and r.is_paid
                      and coalesce(r.gamebase_product_id, '') = c.product
                    -- Of one day by the index, not of all days.
                    offset 0))
        union
        select c.app_id, c.product
          from jsonb_to_recordset(products) c (app_id text, product text)
          join rollup.product_market_item m on m.app_id = c.app_id and coalesce(m.gamebase_product_id, '') = c.product
          left join witness w
            on w.payment_seq = m.payment_seq and w.app_id = c.app_id and w.product = c.product
              and w.market_item_id = m.market_item_id
          where w.payment_seq is null
      ) l);
end
$$;
revoke execute on function rollup.products_to_read from public;
comment on function rollup.products_to_read is
  'The products whose stored figures changed or deleted receipts (payment_seq) may have given, as a JSON array of app_id and product. Part of rollup.refresh_products.';
