-- The planner's knowledge of a table is renewed by those who make it old: autovacuum comes later, and
-- never to a partitioned table as a whole.
--
-- A table is analysed when it has grown by a tenth since the last time, so that all of it costs little
-- in the long run, and from 8 MiB on. SECURITY DEFINER, since ANALYZE is its owner's right.
create or replace function ingest.analyze_if_grown(p_stream text) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set default_statistics_target = 50
as $$
declare
  target regclass;
  grown regclass[];
  -- What the partitioned table is thought to have, and what its partitions come to.
  whole real;
  estimate real;
  leaf regclass;
  grown_pages bigint;
  all_bytes bigint;
begin
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
    return 0;
  end if;

  select reltuples into whole from pg_class where oid = target and relkind = 'p';
  -- Unknown, or old: the partitions are looked at on the way. What is small as a whole is read in a moment by
  -- any plan, and a look at all of it would take as long as the look at the month.
  if whole is not null and all_bytes >= 67108864 and (whole < 0 or estimate is null or estimate > 1.1 * whole) then
    grown := array[target];
  end if;
  -- A part of the table, so that a load of any size pays the same share of its time; half of PostgreSQL's
  -- usual sample at most, which takes less than half the time and knows a tenth more or less as well.
  perform set_config('default_statistics_target', greatest(10, least(50, grown_pages / 450))::text, true);
  foreach leaf in array grown loop
    -- Somebody else who has the lock is at the same work, or will be done soon enough for the next run.
    execute format('analyze (skip_locked) %s', leaf);
  end loop;
  return cardinality(grown);
end
$$;
revoke execute on function ingest.analyze_if_grown from public;
comment on function ingest.analyze_if_grown is
  'Analyses a stream''s tables that have grown by a tenth since they were analysed last; says how many.';
