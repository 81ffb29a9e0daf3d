-- The one place that tells a cluster from one server. The catalog of Citus exists only where its extension does.
create or replace function ingest.is_distributed(p_stream text) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  answer boolean := false;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select 1 from pg_catalog.pg_dist_partition p join ingest.stream s
        on p.logicalrelid = pg_catalog.to_regclass(pg_catalog.format(''game.%I'', s.target_table))
      where s.stream = $1)'
      into answer using p_stream;
  end if;
  return answer;
end
$$;
comment on function ingest.is_distributed is
  'True when the table of a stream is distributed over several servers.';
