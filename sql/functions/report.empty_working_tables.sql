-- TRUNCATE frees the space at once, but waits for every session that has read a table, such as pg_dump, which keeps its
-- locks for hours. The rows are then deleted instead.
create or replace function report.empty_working_tables(variadic p_tables regclass[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  emptied regclass;
begin
  foreach emptied in array p_tables loop
    begin
      execute format('lock table %s in access exclusive mode nowait', emptied);
      execute format('truncate %s', emptied);
    exception when lock_not_available then
      execute format('delete from %s', emptied);
    end;
  end loop;
end
$$;
revoke execute on function report.empty_working_tables from public;
comment on function report.empty_working_tables is
  'Empties working tables of a refresh, and waits for no session that reads them. Part of report.refresh.';
