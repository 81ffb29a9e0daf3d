-- A statement trigger: all rows that a statement adds must have the number of a file that its transaction has opened.
create or replace function ingest.refuse_lines_of_other_files() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select 1 from added a where not exists (
      select 1 from ingest.source_file f
        where f.source_file_id = a.source_file_id and f.opened_by = pg_current_xact_id()))
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has not opened the file of these rows'
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;
comment on function ingest.refuse_lines_of_other_files is
  'Trigger function that refuses rows from any role except the table''s owner, unless the transaction has opened their file.';
