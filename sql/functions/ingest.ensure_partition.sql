-- SECURITY DEFINER: the loader role cannot create a table. It is attached when it is finished, because ATTACH does not block
-- running loads and CREATE TABLE ... PARTITION OF does.
--
-- The function sets the date style, because the caller's may print a time zone as an abbreviation ("IST", "CST"), and
-- PostgreSQL may read that abbreviation as another zone. The bounds of the month would then be hours off, and neither that
-- month nor the next one could be loaded.
create or replace function ingest.ensure_partition(p_stream text, p_month date) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
-- The owner may lack rights on the caller's default tablespace.
set default_tablespace = ''
as $$
declare
  month_start timestamptz := date_trunc('month', p_month)::timestamp at time zone 'UTC';
  month_end timestamptz := (date_trunc('month', p_month) + interval '1 month')::timestamp at time zone 'UTC';
  parent text;
  partition text;
  unobserved text;
  made regclass;
  -- The class of the lock in Citus 13, among those of its resource_lock.h.
  placement_class constant integer := 13;
  deadline timestamptz;
  is_moving boolean;
begin
  select target_table, target_table || to_char(p_month, '_YYYY_MM')
    into parent, partition
    from ingest.stream
    where stream = p_stream and partition_column is not null;
  if parent is null then
    raise exception 'stream % is not partitioned', p_stream using errcode = 'undefined_object';
  end if;
  -- No fact lies outside these months, and each month costs every refresh some time.
  if p_month between date '2000-01-01' and date '2100-01-31' is not true then
    raise exception 'month is out of range: facts have months from 2000-01 to 2100-01'
      using errcode = 'datetime_field_overflow';
  end if;
  made := to_regclass(format('game.%I', partition));
  if made is null then
    -- Migrations and grants change the same rows of the catalog, and of two such changes at once PostgreSQL lets the later
    -- one fail.
    perform pg_advisory_xact_lock_shared(ingest.lock_key('migrate'));
    perform pg_advisory_xact_lock(hashtextextended('gamebase-ingest partition ' || partition, 0));
    -- Another session may have created the table while this one waited. A query of pg_class sees it; to_regclass
    -- would return its cached result that no such table exists.
    select oid into made from pg_catalog.pg_class
      where relnamespace = 'game'::regnamespace and relname = partition;
  end if;
  if made is not null then
    if not exists (select 1 from pg_catalog.pg_inherits
        where inhrelid = made and inhparent = format('game.%I', parent)::regclass and not inhdetachpending)
    then
      raise exception 'table game.% exists but is not a partition of game.%, so no row of that month can be loaded',
          partition, parent
        using errcode = 'object_not_in_prerequisite_state', hint = format(
          'Attach it with "alter table game.%1$I attach partition game.%2$I for values from (%3$L) to (%4$L)", or rename or drop it.',
          parent, partition, month_start, month_end);
    end if;
    return false;
  end if;
  execute format('create table game.%I (like game.%I including all)', partition, parent);
  -- "including all" does not copy the statistics target of 0, which makes ANALYZE skip a column.
  for unobserved in
    select attname from pg_catalog.pg_attribute
      where attrelid = format('game.%I', parent)::regclass and attnum > 0 and not attisdropped
        and attstattarget = 0
  loop
    execute format('alter table game.%I alter column %I set statistics 0', partition, unobserved);
  end loop;
  -- It does not copy the replica identity either. Without one, an update of a published row fails.
  if (select relreplident from pg_catalog.pg_class where oid = format('game.%I', parent)::regclass) = 'f' then
    execute format('alter table game.%I replica identity full', partition);
  end if;
  execute format('comment on table game.%I is %L', partition,
    format('One row per row of game.%s in %s, UTC. Made by: ingest.ensure_partition.',
      parent, to_char(p_month, 'YYYY-MM')));
  -- Tests take one server for a cluster, and it has no such table.
  if ingest.is_distributed(p_stream) and to_regclass('pg_catalog.pg_dist_partition') is not null then
    -- While shards of a table move, Citus refuses to attach a month to it, with an internal error. A move holds an advisory
    -- lock of Citus's own class for the shards that lie side by side. A session cannot wait for such a lock, so this looks
    -- at the locks again and again, and often, because the next move can begin at once.
    deadline := clock_timestamp() + interval '1 second';
    loop
      execute 'select exists (select 1 from pg_catalog.pg_locks l
          join pg_catalog.pg_database d on d.oid = l.database and d.datname = current_database()
          join pg_catalog.pg_dist_partition p on p.colocationid = l.objid
          join ingest.stream s on p.logicalrelid = to_regclass(format(''game.%I'', s.target_table))
        where l.locktype = ''advisory'' and l.objsubid = $2 and l.granted and l.pid <> pg_backend_pid()
          -- Another new month takes a weaker lock, which does not exclude this one.
          and l.mode in (''RowExclusiveLock'', ''ExclusiveLock'') and s.stream = $1)'
        into is_moving using p_stream, placement_class;
      exit when not is_moving;
      if clock_timestamp() >= deadline then
        raise exception 'shards of game.% move, so it gets no month now', parent
          using errcode = 'object_in_use', hint = 'Run again once the shards have moved.';
      end if;
      perform pg_sleep(0.002);
    end loop;
  end if;
  execute format('alter table game.%I attach partition game.%I for values from (%L) to (%L)',
    parent, partition, month_start, month_end);
  return true;
end
$$;
comment on function ingest.ensure_partition is
  'Creates the partition of a stream''s table for the month of a date (UTC). Returns true when it did not exist.';
