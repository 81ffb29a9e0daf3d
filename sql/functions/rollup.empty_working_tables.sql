-- TRUNCATE makes new files for a table and its indexes, which takes longer than deleting few rows: it would be more than
-- half of the time of a small refresh. The pages of deleted rows add up, until a later refresh truncates.
--
-- TRUNCATE frees the space at once, but waits for every session that has read a table, such as pg_dump, which keeps its
-- locks for hours. The rows are then deleted instead, and so they are during a grant or a migration, which changes the
-- same catalog rows; see ingest.share_catalog.
create or replace function rollup.empty_working_tables(variadic p_tables regclass[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  few_bytes constant bigint := 16 * 8192;
  emptied regclass;
begin
  foreach emptied in array p_tables loop
    if pg_relation_size(emptied) > few_bytes and pg_try_advisory_xact_lock_shared(ingest.lock_key('migrate')) then
      begin
        execute format('lock table %s in access exclusive mode nowait', emptied);
        execute format('truncate %s', emptied);
        continue;
      exception when lock_not_available then
        null;
      end;
    end if;
    if pg_relation_size(emptied) > 0 then
      execute format('delete from %s', emptied);
    end if;
  end loop;
end
$$;
revoke execute on function rollup.empty_working_tables from public;
comment on function rollup.empty_working_tables is
  'Empties working tables of a refresh, and waits for no session that reads them. Part of a refresh.';
