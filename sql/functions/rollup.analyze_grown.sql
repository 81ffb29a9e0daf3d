-- Autovacuum analyzes a table some time after a refresh, and never one with less than fifty changed rows. Until then the
-- planner takes one row for thousands: it compares each row with each, and compiles plans that would be ready before they
-- are compiled.
create or replace function rollup.analyze_grown() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  grown regclass;
begin
  for grown in
    select c.oid
      from pg_class c
      where c.relkind = 'r' and not c.relispartition
        and (c.relnamespace = 'rollup'::regnamespace
          or c.relnamespace = 'game'::regnamespace and c.relname not in (select target_table from ingest.stream))
        -- The planner takes an empty table for one of ten pages until it is analyzed.
        and (c.reltuples < 0
          or pg_relation_size(c.oid) > 1.1 * c.relpages * current_setting('block_size')::bigint)
  loop
    -- A table that another session has locked is probably being analyzed there.
    execute format('analyze (skip_locked) %s', grown);
  end loop;
end
$$;
comment on function rollup.analyze_grown is
  'Analyzes the tables of the reports that have grown by a tenth since they were analyzed. Part of rollup.finish_refresh.';
