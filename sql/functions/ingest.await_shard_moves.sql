-- While shards of a table move, Citus refuses to attach a month to it, with an internal error. A move holds an advisory
-- lock of Citus's own class for the shards that lie side by side. A session cannot wait for such a lock, so this looks
-- at the locks again and again, and often, because the next move can begin at once.
create or replace function ingest.await_shard_moves(p_stream text, p_limit interval) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The class of the lock in Citus 13, among those of its resource_lock.h.
  placement_class constant integer := 13;
  deadline timestamptz := clock_timestamp() + p_limit;
  is_moving boolean;
begin
  -- Tests take one server for a cluster, and it has no such table.
  if not ingest.is_distributed(p_stream) or to_regclass('pg_catalog.pg_dist_partition') is null then
    return true;
  end if;
  loop
    execute 'select exists (select 1 from pg_catalog.pg_locks l
        join pg_catalog.pg_database d on d.oid = l.database and d.datname = current_database()
        join pg_catalog.pg_dist_partition p on p.colocationid = l.objid
        join ingest.stream s on p.logicalrelid = to_regclass(format(''game.%I'', s.target_table))
      where l.locktype = ''advisory'' and l.objsubid = $2 and l.granted and l.pid <> pg_backend_pid()
        -- Another new month takes a weaker lock, which does not exclude this one.
        and l.mode in (''RowExclusiveLock'', ''ExclusiveLock'') and s.stream = $1)'
      into is_moving using p_stream, placement_class;
    if not is_moving or clock_timestamp() >= deadline then
      return not is_moving;
    end if;
    perform pg_sleep(0.002);
  end loop;
end
$$;
comment on function ingest.await_shard_moves is
  'Waits until no shard of a stream''s table moves, at most for the limit; false when one still does. True on one server.';
