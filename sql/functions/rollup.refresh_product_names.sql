-- Of an application with a changed or deleted item all items are read again, of the others the new ones.
--
-- A file can bring an item again whose month was dropped, with another name. The stored item then counts, and of two
-- dropped ones that of the later file.
create or replace function rollup.refresh_product_names(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  newest constant bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = 'item');
  reread constant text[] := array(select a.app_id from pg_temp.touched_item_app a where a.has_change);
  added constant text[] := array(select a.app_id from pg_temp.touched_item_app a where not a.has_change);
begin
  delete from rollup.product_name n where p_is_full or n.app_id = any (reread);
  insert into rollup.product_name as n (app_id, gamebase_product_id, product_name, is_dated, observed_at, store_code,
      market_item_id, item_seq, currency)
    select distinct on (i.app_id, i.gamebase_product_id) i.app_id, i.gamebase_product_id, i.product_name, i.is_dated,
        i.observed_at, i.store_code, i.market_item_id, i.item_seq, i.currency
      from (
        select g.app_id, g.gamebase_product_id, left(g.item_name, 200) as product_name,
            g.observed_at_source <> 'load_start' as is_dated, g.observed_at, g.store_code, g.market_item_id, g.item_seq,
            g.currency, true as is_stored, g.source_file_id
          from game.item_snapshot g
          where (p_is_full or g.app_id = any (reread)) and g.item_name is not null and g.gamebase_product_id is not null
        union all
        select g.app_id, g.gamebase_product_id, left(g.item_name, 200), g.observed_at_source <> 'load_start', g.observed_at,
            g.store_code, g.market_item_id, g.item_seq, g.currency, true, g.source_file_id
          from game.item_snapshot g
          where not p_is_full and g.source_file_id > newest and g.app_id = any (added) and g.item_name is not null
            and g.gamebase_product_id is not null
        union all
        select k.app_id, k.gamebase_product_id, k.item_name, k.is_dated, k.observed_at, k.store_code, k.market_item_id,
            k.item_seq, k.currency, false, k.source_file_id
          from ingest.kept_item_name k
          where p_is_full or k.app_id = any (reread)
        union all
        select p.*, false, 0 from rollup.product_name p where not p_is_full and p.app_id = any (added)
      ) i
      order by i.app_id, i.gamebase_product_id, i.is_dated desc, i.observed_at desc, i.store_code, i.market_item_id,
        i.item_seq, i.currency, i.is_stored desc, i.source_file_id desc
    on conflict (app_id, gamebase_product_id) do update
      set product_name = excluded.product_name, is_dated = excluded.is_dated, observed_at = excluded.observed_at,
        store_code = excluded.store_code, market_item_id = excluded.market_item_id, item_seq = excluded.item_seq,
        currency = excluded.currency
      where n is distinct from excluded;
end
$$;
revoke execute on function rollup.refresh_product_names from public;
comment on function rollup.refresh_product_names is
  'Brings rollup.product_name up to date. Part of rollup.finish_refresh, after rollup.refresh_items.';
