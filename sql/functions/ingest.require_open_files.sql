-- Every new or changed fact, and every count, must belong to a ledger entry that the same transaction has opened.
create or replace function ingest.require_open_files(p_files bigint[], p_stream text default null) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (
    select from unnest(p_files) n (number)
      where not exists (select from ingest.source_file f join ingest.stream s using (stream)
        where f.source_file_id = n.number and f.undone_at is null and f.opened_by = pg_current_xact_id()
          and (p_stream is null or p_stream in (s.stream, s.embedded_stream))))
  then
    raise exception 'this transaction has not opened all of these files%: %', coalesce(' of stream ' || p_stream, ''), p_files
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files or ingest.reopen_file first.';
  end if;
end
$$;
comment on function ingest.require_open_files is
  'Raises an error unless this transaction has opened the files in the ledger. Files of p_stream can bring rows of it.';
