-- SECURITY DEFINER: the loader role cannot write the ledger. A file can be missing in the ledger, because nothing checks
-- the number of the file in each row.
create or replace function ingest.record_met_files(p_stream text, p_source_file_id bigint, p_met_file_ids bigint[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_files(array[p_source_file_id], p_stream);
  insert into ingest.met_file (source_file_id, stream, met_file_id)
    select p_source_file_id, p_stream, f.source_file_id
      from ingest.source_file f
      where f.source_file_id = any (p_met_file_ids) and f.source_file_id <> p_source_file_id
    on conflict do nothing;
end
$$;
comment on function ingest.record_met_files is
  'Records the other files whose rows of a stream were met by a file that this transaction has opened.';
