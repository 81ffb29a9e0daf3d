-- Whoever adds or changes a fact does so for a file of the ledger that this transaction has opened.
create or replace function ingest.require_open_file(p_stream text, p_source_file_id bigint) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from ingest.source_file
      where source_file_id = p_source_file_id and stream = p_stream and undone_at is null
        and opened_by = pg_current_xact_id())
  then
    raise exception 'this transaction has opened no file % of stream %', p_source_file_id, p_stream
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_file or ingest.reopen_file first.';
  end if;
end
$$;
revoke execute on function ingest.require_open_file(text, bigint) from public;
comment on function ingest.require_open_file(text, bigint) is
  'Raises an error unless this transaction has opened the file in the ledger.';

-- Once for a statement: a load copies thousands of rows with each.
create or replace function ingest.refuse_facts_without_file() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from ingest.source_file
      where opened_by = pg_current_xact_id() and stream = tg_argv[0])
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has opened no file of stream %', tg_argv[0]
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_file first.';
  end if;
  return null;
end
$$;
revoke execute on function ingest.refuse_facts_without_file() from public;
comment on function ingest.refuse_facts_without_file() is
  'Refuses rows of a role that does not own the table, unless its transaction has opened a file of the stream.';

do $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    execute format(
      'create or replace trigger refuse_facts_without_file after insert on game.%I
         for each statement execute function ingest.refuse_facts_without_file(%L)',
      registered.target_table, registered.stream);
  end loop;
end
$$;
