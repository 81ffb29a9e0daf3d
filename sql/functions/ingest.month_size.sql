-- A distributed table is empty on the coordinator, so the servers are asked.
create or replace function ingest.month_size(
  p_stream text, p_partition regclass, out estimated_rows bigint, out bytes bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if ingest.is_distributed(p_stream) then
    execute format('select count(*) from %s', p_partition) into estimated_rows;
    execute 'select pg_catalog.citus_total_relation_size($1)' into bytes using p_partition;
    return;
  end if;
  select greatest(c.reltuples, 0)::bigint, pg_total_relation_size(c.oid) into estimated_rows, bytes
    from pg_class c where c.oid = p_partition;
end
$$;
comment on function ingest.month_size is
  'The size of a month of a stream with its indexes. The number of rows is the planner''s estimate; of a distributed table it is counted.';
