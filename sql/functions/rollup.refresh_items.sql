-- No row of an application changed before the time of its earliest touched row. So the changes before that time stay, and
-- the last one of each item is the state with which the snapshots from that time on are compared.
--
-- A snapshot of a new file takes the place of the current one if it outranks it. Where a snapshot of an older file
-- changed or is gone, the current ones and the names of the application are found again among all snapshots.
create or replace function rollup.refresh_items(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The best plan depends on how far back the touched rows lie.
set plan_cache_mode = force_custom_plan
as $$
declare
  -- 0 in a rebuild, in which every file is new.
  newest constant bigint := (select source_file_id from rollup.refresh_state where stream = 'item');
  -- For all applications together, so that only the months from there on are read.
  earliest timestamptz;
begin
  create temporary table touched_item_app on commit drop as
    -- A rebuild touches all of each application, also of one without a row.
    select r.app_id, '-infinity'::timestamptz as since, true as is_read_again
      from (
        select app_id from game.item_snapshot
        union select app_id from ingest.kept_item_name
        union select app_id from rollup.item_change
        union select app_id from rollup.current_item
        union select app_id from rollup.product_name
      ) r
      where p_is_full
    union all
    select t.app_id, coalesce(min(t.event_at) filter (where t.is_dated), 'infinity'), bool_or(t.source_file_id <= newest)
      from pg_temp.touched_row t
      where t.stream = 'item'
      group by t.app_id;
  select min(since) into earliest from pg_temp.touched_item_app;
  if earliest is null then
    drop table pg_temp.touched_item_app;
    return;
  end if;
  execute format(
    'create temporary view read_item as
       select g.* from game.item_snapshot g where g.source_file_id > %1$s
       union all
       select g.* from pg_temp.touched_item_app a join game.item_snapshot g on g.app_id = a.app_id
         where a.is_read_again and g.source_file_id <= %1$s', newest);

  delete from rollup.item_change c
    using pg_temp.touched_item_app a
    where c.app_id = a.app_id and c.valid_from >= a.since;
  insert into rollup.item_change
    with seen as (
      select g.app_id, g.store_code, g.gamebase_product_id, g.market_item_id, g.item_seq, g.currency, g.observed_at,
          g.amount_minor, g.product_type, g.item_name, g.localized_title, g.is_active
        from game.item_snapshot g join pg_temp.touched_item_app a on a.app_id = g.app_id and g.observed_at >= a.since
        where g.observed_at >= earliest and g.observed_at_source <> 'load_start'
      union all
      -- The last change before that time.
      select k.*
        from (
          select distinct on (c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq) c.*
            from rollup.item_change c join pg_temp.touched_item_app a on a.app_id = c.app_id
            order by c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq,
              c.valid_from desc
        ) k
    ), compared as (
      select s.*, (s.amount_minor, s.product_type, s.item_name, s.localized_title, s.is_active) is distinct from
            (lag(s.amount_minor) over snapshots, lag(s.product_type) over snapshots, lag(s.item_name) over snapshots,
              lag(s.localized_title) over snapshots, lag(s.is_active) over snapshots)
          or row_number() over snapshots = 1 as is_change
        from seen s
        window snapshots as (
          partition by s.app_id, s.gamebase_product_id, s.currency, s.market_item_id, s.store_code, s.item_seq
          order by s.observed_at)
    )
    select c.app_id, c.store_code, c.gamebase_product_id, c.market_item_id, c.item_seq, c.currency, c.observed_at,
        c.amount_minor, c.product_type, c.item_name, c.localized_title, c.is_active
      from compared c
      where c.is_change
    on conflict do nothing;

  create temporary table newest_item on commit drop as
    select distinct on (i.app_id, i.gamebase_product_id, i.currency, i.market_item_id, i.store_code, i.item_seq) i.*
      from (
        select c.* from rollup.current_item c join pg_temp.touched_item_app a on a.app_id = c.app_id and not a.is_read_again
        union all
        select g.app_id, g.store_code, g.gamebase_product_id, g.market_item_id, g.item_seq, g.currency, g.amount_minor,
            g.product_type, g.item_name, g.localized_price, g.localized_title, g.localized_description, g.is_active,
            g.observed_at, g.observed_at_source, g.source_file_id, g.line_number
          from pg_temp.read_item g
      ) i
      -- Of load_start rows, the newest load counts.
      order by i.app_id, i.gamebase_product_id, i.currency, i.market_item_id, i.store_code, i.item_seq,
        i.observed_at_source = 'load_start',
        case when i.observed_at_source = 'load_start' then i.source_file_id end desc, i.observed_at desc;
  delete from rollup.current_item c using pg_temp.touched_item_app a where c.app_id = a.app_id;
  insert into rollup.current_item select * from pg_temp.newest_item;

  -- A file can bring an item again whose month was dropped, with another name. The stored item then counts, and of two
  -- dropped ones that of the later file.
  create temporary table newest_name on commit drop as
    select distinct on (i.app_id, i.gamebase_product_id) i.app_id, i.gamebase_product_id, i.product_name, i.is_dated,
        i.observed_at, i.store_code, i.market_item_id, i.item_seq, i.currency
      from (
        select g.app_id, g.gamebase_product_id, left(g.item_name, 200) as product_name,
            g.observed_at_source <> 'load_start' as is_dated, g.observed_at, g.store_code, g.market_item_id, g.item_seq,
            g.currency, true as is_stored, g.source_file_id
          from pg_temp.read_item g
          where g.item_name is not null and g.gamebase_product_id is not null
        union all
        select k.app_id, k.gamebase_product_id, k.item_name, k.is_dated, k.observed_at, k.store_code, k.market_item_id,
            k.item_seq, k.currency, false, k.source_file_id
          from ingest.kept_item_name k join pg_temp.touched_item_app a on a.app_id = k.app_id and a.is_read_again
        union all
        select p.*, false, 0
          from rollup.product_name p join pg_temp.touched_item_app a on a.app_id = p.app_id and not a.is_read_again
      ) i
      order by i.app_id, i.gamebase_product_id, i.is_dated desc, i.observed_at desc, i.store_code, i.market_item_id,
        i.item_seq, i.currency, i.is_stored desc, i.source_file_id desc;
  delete from rollup.product_name n using pg_temp.touched_item_app a where n.app_id = a.app_id;
  insert into rollup.product_name select * from pg_temp.newest_name;
  drop view pg_temp.read_item;
  drop table pg_temp.touched_item_app, pg_temp.newest_item, pg_temp.newest_name;
end
$$;
comment on function rollup.refresh_items is
  'Brings rollup.item_change, rollup.current_item and rollup.product_name up to date. Part of rollup.finish_refresh.';
