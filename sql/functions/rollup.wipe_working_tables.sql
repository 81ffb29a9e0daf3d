-- A deleted row stays in the table's file until another row takes its place, even after VACUUM. So these tables get new
-- files. The statistics of a column go with a change of its type, even to the same one; ANALYZE would skip the empty
-- tables, and only a superuser can delete statistics.
--
-- The caller holds rollup.refresh_lock, so no refresh uses the tables. Any other session that has read one, such as
-- pg_dump, may keep its lock for hours; that table stays as it is.
create or replace function rollup.wipe_working_tables() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  working record;
begin
  for working in
    select format('%I.%I', 'staging', c.relname) as name,
        string_agg(format('alter column %I type %s', a.attname, format_type(a.atttypid, a.atttypmod))
            || coalesce(' collate ' || nullif(a.attcollation, 0)::regcollation, ''), ', ')
          filter (where st.attname is not null) as forgetting
      from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_catalog.pg_stats st
        on st.schemaname = 'staging' and st.tablename = c.relname and st.attname = a.attname
      where c.relnamespace = 'staging'::regnamespace and c.relkind = 'r'
      group by c.oid
      order by c.relname
  loop
    begin
      execute format('lock table %s in access exclusive mode nowait', working.name);
      execute format('truncate %s', working.name);
      if working.forgetting is not null then
        execute format('alter table %s %s', working.name, working.forgetting);
      end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
end
$$;
revoke execute on function rollup.wipe_working_tables from public;
comment on function rollup.wipe_working_tables is
  'Gives the working tables of a refresh new, empty files, and removes their statistics. Part of ingest.erase_user.';
