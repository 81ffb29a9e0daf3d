-- Every new or changed fact must belong to a ledger entry that the same transaction has opened.
create or replace function ingest.require_open_file(p_stream text, p_source_file_id bigint) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select 1 from ingest.source_file
      where source_file_id = p_source_file_id and ingest.brings_rows_of(stream, p_stream) and undone_at is null
        and opened_by = pg_current_xact_id())
  then
    raise exception 'this transaction has opened no file % of stream %', p_source_file_id, p_stream
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files or ingest.reopen_file first.';
  end if;
end
$$;
revoke execute on function ingest.require_open_file from public;
comment on function ingest.require_open_file is
  'Raises an error unless this transaction has opened the file in the ledger.';
