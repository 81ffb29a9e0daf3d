-- Included by tests that count the rows that a refresh reads, whatever the speed of the machine.
-- Autovacuum would change plans at some moment of the test.
do $$
declare
  one regclass;
begin
  for one in select oid from pg_catalog.pg_class
    where relkind = 'r' and relnamespace in ('game'::regnamespace, 'report'::regnamespace, 'rollup'::regnamespace,
      'staging'::regnamespace)
  loop
    execute format('alter table %s set (autovacuum_enabled = off)', one);
  end loop;
end
$$;
-- The rows that ended sessions have read from tables and indexes, without those of temporary tables, and of the calendar,
-- which each refresh reads whole.
create function pg_temp.rows_read() returns bigint language plpgsql as $$
begin
  -- The session of the program may end a moment after the program. This waits for it.
  perform pg_terminate_backend(pid, 60000) from pg_catalog.pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid();
  return (
    select coalesce(sum(pg_stat_get_tuples_returned(c.oid) + pg_stat_get_tuples_fetched(c.oid)), 0)::bigint
      from pg_catalog.pg_class c
      where c.relnamespace in ('game'::regnamespace, 'report'::regnamespace, 'rollup'::regnamespace,
          'staging'::regnamespace)
        and c.relkind in ('r', 'i') and c.relname not in ('calendar_period', 'calendar_period_pkey'));
end
$$;
