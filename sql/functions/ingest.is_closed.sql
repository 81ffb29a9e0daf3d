-- Until a file is closed, its digest is a placeholder that is derived from its number; see ingest.open_files.
create or replace function ingest.is_closed(p_file ingest.source_file) returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_file.sha256 <> sha256(int8send(p_file.source_file_id))
$$;
comment on function ingest.is_closed is
  'True when the ledger entry of a file is complete.';
