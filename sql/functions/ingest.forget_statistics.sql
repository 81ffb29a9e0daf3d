-- Runs in a separate transaction after an erasure, because ANALYZE waits for VACUUM and an erasure locks all streams.
--
-- All tables of our schemas, so that none that can contain a user is missing. The statistics contain common values of
-- columns. ANALYZE replaces them, but skips empty tables and columns with a statistics target of 0. Old statistics stay
-- there, and before PostgreSQL 18 only a superuser can delete them.
--
-- A refresh analyzes its working tables. If their statistics went at the same time, it would end with an internal error
-- of the server, so the function waits for it.
create or replace function ingest.forget_statistics() returns table (place text, trace_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  stored record;
  is_empty boolean;
begin
  lock table rollup.refresh_lock in exclusive mode;
  for stored in
    select c.oid, c.relispartition, format('%I.%I', c.relnamespace::regnamespace, c.relname) as name
      from pg_catalog.pg_class c
      where c.relkind in ('r', 'p', 'm')
        and c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace, 'report'::regnamespace,
          'rollup'::regnamespace, 'staging'::regnamespace)
      order by c.oid
  loop
    begin
      execute format('select not exists (select 1 from %s)', stored.name) into is_empty;
      -- ANALYZE of a partitioned table includes its partitions.
      if not is_empty and not stored.relispartition then
        execute format('analyze %s', stored.name);
      end if;
    exception when undefined_table then
      -- Another session has dropped the month, with its statistics.
      continue;
    end;
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      delete from pg_catalog.pg_statistic st using pg_catalog.pg_attribute a
        where st.starelid = stored.oid and a.attrelid = stored.oid and a.attnum = st.staattnum
          and (is_empty or a.attstattarget = 0);
    else
      select 'statistics of ' || stored.name, count(*) into place, trace_count
        from pg_catalog.pg_stats st
        join pg_catalog.pg_attribute a on a.attrelid = stored.oid and a.attname = st.attname
        where format('%I.%I', st.schemaname, st.tablename) = stored.name
          and (is_empty or a.attstattarget = 0);
      if trace_count > 0 then
        return next;
      end if;
    end if;
  end loop;
end
$$;
comment on function ingest.forget_statistics is
  'Renews the statistics of all tables. Returns the tables whose statistics it has no right to delete, with the number of columns.';
