-- No row of an application changed before the time of its earliest touched row. So the changes before that time stay, and
-- the last one of each item is the state with which the snapshots from that time on are compared.
--
-- A snapshot of a new file takes the place of the current one if it outranks it. Where a snapshot of an older file
-- changed or is gone, the current ones of the application are found again among all snapshots.
create or replace function rollup.refresh_items(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The best plan depends on how far back the touched rows lie.
set plan_cache_mode = force_custom_plan
as $$
declare
  newest constant bigint := (select source_file_id from rollup.refresh_state where stream = 'item');
  -- For all applications together, so that only the months from there on are read.
  earliest timestamptz;
begin
  if p_is_full then
    delete from rollup.item_change;
    delete from rollup.current_item;
    insert into pg_temp.touched_item_app (app_id, since, has_change)
      select distinct app_id, '-infinity'::timestamptz, false from game.item_snapshot;
  else
    insert into pg_temp.touched_item_app (app_id, since, has_change)
      select t.app_id, coalesce(min(t.event_at) filter (where t.is_dated), 'infinity'),
          bool_or(t.source_file_id <= newest)
        from pg_temp.touched_row t
        where t.stream = 'item'
        group by t.app_id;
  end if;
  select min(since) into earliest from pg_temp.touched_item_app;
  if earliest is null then
    return;
  end if;

  delete from rollup.item_change c
    using pg_temp.touched_item_app a
    where c.app_id = a.app_id and c.valid_from >= a.since;
  insert into rollup.item_change (app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency,
      valid_from, amount_minor, product_type, item_name, localized_title, is_active)
    with known as (
      select distinct on (c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq) c.*
        from rollup.item_change c join pg_temp.touched_item_app a on a.app_id = c.app_id
        order by c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq,
          c.valid_from desc
    ), seen as (
      select g.app_id, g.store_code, g.gamebase_product_id, g.market_item_id, g.item_seq, g.currency, g.observed_at,
          g.amount_minor, g.product_type, g.item_name, g.localized_title, g.is_active, false as is_known
        from game.item_snapshot g join pg_temp.touched_item_app a on a.app_id = g.app_id and g.observed_at >= a.since
        where g.observed_at >= earliest and g.observed_at_source <> 'load_start'
      union all
      select k.app_id, k.store_code, k.gamebase_product_id, k.market_item_id, k.item_seq, k.currency, k.valid_from,
          k.amount_minor, k.product_type, k.item_name, k.localized_title, k.is_active, true
        from known k
    ), compared as (
      select s.*, row_number() over snapshots = 1 as is_first,
          (s.amount_minor, s.product_type, s.item_name, s.localized_title, s.is_active) is distinct from
            (lag(s.amount_minor) over snapshots, lag(s.product_type) over snapshots, lag(s.item_name) over snapshots,
              lag(s.localized_title) over snapshots, lag(s.is_active) over snapshots) as is_other
        from seen s
        window snapshots as (
          partition by s.app_id, s.gamebase_product_id, s.currency, s.market_item_id, s.store_code, s.item_seq
          order by s.observed_at)
    )
    select c.app_id, c.store_code, c.gamebase_product_id, c.market_item_id, c.item_seq, c.currency, c.observed_at,
        c.amount_minor, c.product_type, c.item_name, c.localized_title, c.is_active
      from compared c
      where not c.is_known and (c.is_first or c.is_other);

  delete from rollup.current_item c
    using pg_temp.touched_item_app a
    where c.app_id = a.app_id and a.has_change;
  insert into rollup.current_item as c (app_id, store_code, gamebase_product_id, market_item_id, item_seq,
      currency, amount_minor, product_type, item_name, localized_price, localized_title, localized_description,
      is_active, observed_at, observed_at_source, source_file_id, line_number)
    select distinct on (g.app_id, g.gamebase_product_id, g.currency, g.market_item_id, g.store_code, g.item_seq)
        g.app_id, g.store_code, g.gamebase_product_id, g.market_item_id, g.item_seq, g.currency, g.amount_minor,
        g.product_type, g.item_name, g.localized_price, g.localized_title, g.localized_description, g.is_active,
        g.observed_at, g.observed_at_source, g.source_file_id, g.line_number
      from (
        select g.* from game.item_snapshot g where g.source_file_id > newest
        union all
        select g.* from pg_temp.touched_item_app a join game.item_snapshot g on g.app_id = a.app_id where a.has_change
      ) g
      -- Of load_start rows, the newest load counts.
      order by g.app_id, g.gamebase_product_id, g.currency, g.market_item_id, g.store_code, g.item_seq,
        g.observed_at_source = 'load_start',
        case when g.observed_at_source = 'load_start' then g.source_file_id end desc, g.observed_at desc
    on conflict (app_id, gamebase_product_id, currency, market_item_id, store_code, item_seq) do update
      set amount_minor = excluded.amount_minor, product_type = excluded.product_type, item_name = excluded.item_name,
        localized_price = excluded.localized_price, localized_title = excluded.localized_title,
        localized_description = excluded.localized_description, is_active = excluded.is_active,
        observed_at = excluded.observed_at, observed_at_source = excluded.observed_at_source,
        source_file_id = excluded.source_file_id, line_number = excluded.line_number
      where (excluded.observed_at_source <> 'load_start',
          case when excluded.observed_at_source = 'load_start' then excluded.source_file_id else 0 end,
          excluded.observed_at)
        > (c.observed_at_source <> 'load_start',
          case when c.observed_at_source = 'load_start' then c.source_file_id else 0 end, c.observed_at);
  if p_is_full then
    analyze rollup.item_change;
  end if;
end
$$;
revoke execute on function rollup.refresh_items from public;
comment on function rollup.refresh_items is
  'Brings rollup.item_change and rollup.current_item up to date. Part of rollup.finish_refresh.';
