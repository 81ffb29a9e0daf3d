-- Compared are the touched receipts, and those from the time of the earliest touched item of their application on.
--
-- The price of an item at a purchase follows from its changes. Only where it differs, the snapshots are read, for the
-- time of the last one.
create or replace function rollup.refresh_price_checks(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  zone constant text := rollup.reporting_zone();
begin
  if p_is_full then
    delete from rollup.price_check;
    create temporary table compared_receipt on commit drop as
      select r.payment_seq, r.app_id, r.gamebase_product_id, r.market_item_id, r.store_code, r.currency, r.amount_minor,
          r.is_sandbox, r.purchased_at
        from game.receipt r
        where exists (select 1 from rollup.item_change);
  else
    create temporary table compared_receipt on commit drop as
      select r.payment_seq, r.app_id, r.gamebase_product_id, r.market_item_id, r.store_code, r.currency, r.amount_minor,
          r.is_sandbox, r.purchased_at
        from (
          select t.payment_seq from staging.touched_row t where t.stream = 'receipt'
          union
          select p.payment_seq
            from staging.touched_item_app a
            join rollup.purchase p on p.app_id = a.app_id and p.day >= (a.since at time zone zone)::date
              and p.purchased_at >= a.since
        ) n
        join game.receipt r on r.payment_seq = n.payment_seq;
  end if;
  analyze compared_receipt;
  delete from rollup.price_check k
    where k.payment_seq in (
      select n.payment_seq from compared_receipt n
      union all
      select t.payment_seq from staging.touched_row t where t.stream = 'receipt');

  insert into rollup.price_check (payment_seq, item_amount_minor, observed_at)
    -- Most receipts have the only price that their product ever had, in any store.
    with suspected as (
      select r.*
        from compared_receipt r
        where r.is_sandbox is not true and exists (
          select 1 from rollup.item_change p
            where p.app_id = r.app_id and p.gamebase_product_id = r.gamebase_product_id and p.currency = r.currency
              and p.valid_from <= r.purchased_at and p.amount_minor <> r.amount_minor)
      union all
      select r.*
        from compared_receipt r
        where r.is_sandbox is not true and r.gamebase_product_id is null and exists (
          select 1 from rollup.item_change p
            where p.app_id = r.app_id and p.market_item_id = r.market_item_id and p.currency = r.currency
              and p.valid_from <= r.purchased_at and p.amount_minor <> r.amount_minor)
    ), differing as (
      select r.payment_seq, r.purchased_at, r.amount_minor, i.app_id, i.store_code, i.gamebase_product_id,
          i.market_item_id, i.item_seq, i.currency, i.valid_from, i.amount_minor as item_amount_minor
        from suspected r
        cross join lateral (
          select o.*, bool_or(o.amount_minor <> r.amount_minor) over () as is_differing
            from (
              select c.*, c.store_code is not distinct from r.store_code as is_of_store,
                  bool_or(c.store_code is not distinct from r.store_code) over () as has_store
                from (
                  select distinct on (p.gamebase_product_id, p.market_item_id, p.store_code, p.item_seq) p.*
                    from rollup.item_change p
                    where p.app_id = r.app_id and p.currency = r.currency and p.valid_from <= r.purchased_at
                      and (p.gamebase_product_id = r.gamebase_product_id
                        or r.gamebase_product_id is null and p.market_item_id = r.market_item_id)
                    order by p.gamebase_product_id, p.market_item_id, p.store_code, p.item_seq, p.valid_from desc
                ) c
            ) o
            where o.is_of_store or not o.has_store
        ) i
        where i.is_differing
    ), last_seen as (
      select distinct on (d.payment_seq) d.payment_seq, d.amount_minor, d.item_amount_minor, l.observed_at
        from differing d
        cross join lateral (
          select g.observed_at
            from game.item_snapshot g
            where g.observed_at between d.valid_from and d.purchased_at and g.app_id = d.app_id
              and g.store_code is not distinct from d.store_code
              and g.gamebase_product_id is not distinct from d.gamebase_product_id
              and g.market_item_id is not distinct from d.market_item_id
              and g.item_seq is not distinct from d.item_seq and g.currency = d.currency
              and g.observed_at_source <> 'load_start'
            order by g.observed_at desc
            limit 1
        ) l
        order by d.payment_seq, l.observed_at desc, d.store_code, d.gamebase_product_id, d.market_item_id, d.item_seq
    )
    select l.payment_seq, l.item_amount_minor, l.observed_at
      from last_seen l
      where l.item_amount_minor <> l.amount_minor;
  drop table compared_receipt;
end
$$;
revoke execute on function rollup.refresh_price_checks from public;
comment on function rollup.refresh_price_checks is
  'Compares the touched receipts with the prices of their items, in rollup.price_check. Part of rollup.finish_refresh.';
