-- The loader analyzes the tables that it fills, because autovacuum comes later and never analyzes a partitioned table as a
-- whole. A table of 8 MiB or more is analyzed when it has grown by a tenth since VACUUM or ANALYZE last recorded its size, so
-- the total cost stays small in the long run. SECURITY DEFINER, because only the owner can run ANALYZE.
create or replace function ingest.analyze_if_grown(p_stream text) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set default_statistics_target = 50
as $$
declare
  target regclass;
  grown regclass[];
  -- Rows of the partitioned table: the planner's number, and an estimate from the sizes of the partitions.
  whole real;
  estimate real;
  leaf_name text;
  grown_pages bigint;
  all_bytes bigint;
begin
  if ingest.is_distributed(p_stream) then
    -- Each server analyzes its shards by autovacuum.
    return 0;
  end if;
  select format('game.%I', target_table)::regclass into strict target
    from ingest.stream where stream = p_stream;

  with leaf as (
    select c.oid, pg_relation_size(c.oid) / current_setting('block_size')::integer as pages,
        nullif(c.relpages, 0) as known_pages, nullif(c.reltuples, -1) as known_rows
      from pg_class c
      where c.relkind = 'r'
        and (c.oid = target or c.oid in (select relid from pg_partition_tree(target) where isleaf))
  ), density as (
    select sum(known_rows) / sum(known_pages) as rows_per_page from leaf where known_rows is not null
  )
  select coalesce(array_agg(oid::regclass) filter (where pages * current_setting('block_size')::bigint >= 8388608
        and (known_rows is null or pages > 1.1 * coalesce(known_pages, 0))), '{}'),
      sum(pages * coalesce(known_rows / known_pages, rows_per_page)), max(pages),
      sum(pages) * current_setting('block_size')::bigint
    into grown, estimate, grown_pages, all_bytes
    from leaf, density;
  if cardinality(grown) = 0 then
    -- A BRIN index does not summarize appended pages until VACUUM runs, and until then every query reads them.
    -- Autovacuum soon visits a table that has grown more.
    perform brin_summarize_new_values(i.indexrelid)
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where i.indrelid = target and a.amname = 'brin' and c.relkind = 'i';
    return 0;
  end if;

  select reltuples into whole from pg_class where oid = target and relkind = 'p';
  -- With missing or old statistics, ANALYZE of the parent also covers the partitions. Below 64 MiB it is not worth
  -- its time: every plan reads such a table quickly, and ANALYZE of the whole would take as long as that of the month.
  if whole is not null and all_bytes >= 67108864 and (whole < 0 or estimate is null or estimate > 1.1 * whole) then
    grown := array[target];
  end if;
  -- The sample grows with the table, so ANALYZE takes the same share of a load of any size. It is at most half of
  -- PostgreSQL's default sample, which takes less than half the time and detects a growth by a tenth equally well.
  perform set_config('default_statistics_target', greatest(10, least(50, grown_pages / 450))::text, true);
  for leaf_name in
    select format('%I.%I', c.relnamespace::regnamespace, c.relname) from pg_class c where c.oid = any (grown)
  loop
    begin
      -- A table that another session has locked is skipped: that session is probably running ANALYZE itself, and the
      -- next load analyzes the table otherwise.
      execute format('analyze (skip_locked) %s', leaf_name);
    exception when undefined_table then
      -- Another session has dropped the month.
      null;
    end;
  end loop;
  return cardinality(grown);
end
$$;
comment on function ingest.analyze_if_grown is
  'Analyzes the tables of a stream that have grown by a tenth since VACUUM or ANALYZE last recorded their size, and returns their number. If none has, adds the new pages to the BRIN indexes.';
