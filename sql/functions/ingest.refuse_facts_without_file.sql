-- A statement trigger, because a load copies thousands of rows with each statement. A distributed table has none; there
-- only functions of the owner add rows, and they check the same.
create or replace function ingest.refuse_facts_without_file() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- With the rights of the caller, so without a function that the caller may not call.
  if not exists (select 1 from ingest.source_file f join ingest.stream s using (stream)
      where f.opened_by = pg_current_xact_id() and tg_argv[0] in (s.stream, s.embedded_stream))
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has opened no file of stream %', tg_argv[0]
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;
comment on function ingest.refuse_facts_without_file is
  'Trigger function that refuses rows from any role except the table''s owner, unless the transaction has opened a file of the stream.';
