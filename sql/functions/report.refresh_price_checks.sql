-- Touched are the changed receipts, and those from the time of the earliest touched item of their application on.
--
-- The price of an item at a purchase follows from its changes. Only where it differs, the snapshots are read, for the
-- time of the last one.
create or replace function report.refresh_price_checks(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  touched text[];
begin
  if p_is_full then
    touched := array(select r.payment_seq from report.purchase_rollup r);
  else
    touched := array(
      select t.payment_seq from staging.touched_row t where t.stream = 'receipt'
      union
      select r.payment_seq
        from staging.touched_item_app a
        join report.purchase_rollup r on r.app_id = a.app_id and r.purchased_at >= a.since);
  end if;
  delete from report.price_check_rollup k using unnest(touched) t (payment_seq) where k.payment_seq = t.payment_seq;
  insert into report.price_check_rollup (payment_seq, item_amount_minor, observed_at)
    with shown as (
      select r.payment_seq, r.purchased_at, r.amount_minor, i.app_id, i.store_code, i.gamebase_product_id,
          i.market_item_id, i.item_seq, i.currency, i.valid_from, i.amount_minor as item_amount_minor,
          i.store_code is not distinct from r.store_code as is_of_store
        from unnest(touched) t (payment_seq)
        join report.purchase_rollup r on r.payment_seq = t.payment_seq
        cross join lateral (
          select distinct on (p.store_code, p.market_item_id, p.item_seq) p.*
            from report.item_change_rollup p
            where p.app_id = r.app_id and p.gamebase_product_id = r.gamebase_product_id and p.currency = r.currency
              and p.valid_from <= r.purchased_at
            order by p.store_code, p.market_item_id, p.item_seq, p.valid_from desc
        ) i
        where r.is_sandbox is not true
      union all
      select r.payment_seq, r.purchased_at, r.amount_minor, i.app_id, i.store_code, i.gamebase_product_id,
          i.market_item_id, i.item_seq, i.currency, i.valid_from, i.amount_minor,
          i.store_code is not distinct from r.store_code
        from unnest(touched) t (payment_seq)
        join report.purchase_rollup r on r.payment_seq = t.payment_seq
        cross join lateral (
          select distinct on (p.store_code, p.gamebase_product_id, p.item_seq) p.*
            from report.item_change_rollup p
            where p.app_id = r.app_id and p.market_item_id = r.market_item_id and p.currency = r.currency
              and p.valid_from <= r.purchased_at
            order by p.store_code, p.gamebase_product_id, p.item_seq, p.valid_from desc
        ) i
        where r.is_sandbox is not true and r.gamebase_product_id is null
    ), of_store as (
      select s.*, bool_or(s.is_of_store) over (partition by s.payment_seq) as has_store from shown s
    ), differing as (
      select s.*, bool_or(s.item_amount_minor <> s.amount_minor) over (partition by s.payment_seq) as is_differing
        from of_store s
        where s.is_of_store or not s.has_store
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
        where d.is_differing
        order by d.payment_seq, l.observed_at desc, d.store_code, d.gamebase_product_id, d.market_item_id, d.item_seq
    )
    select l.payment_seq, l.item_amount_minor, l.observed_at
      from last_seen l
      where l.item_amount_minor <> l.amount_minor;
end
$$;
revoke execute on function report.refresh_price_checks from public;
comment on function report.refresh_price_checks is
  'Compares the touched receipts with the prices of their items, in report.price_check_rollup. Part of report.refresh.';
