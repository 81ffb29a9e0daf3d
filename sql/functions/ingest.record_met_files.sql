-- SECURITY DEFINER: the loader role cannot write the ledger. A file can be missing in the ledger, because nothing checks
-- the number of the file in each row.
create or replace function ingest.record_met_files(p_stream text, p_source_file_ids bigint[], p_met_file_ids bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_files(array(select distinct unnest(p_source_file_ids)), p_stream);
  insert into ingest.met_file (source_file_id, stream, met_file_id)
    select m.number, p_stream, f.source_file_id
      from unnest(p_source_file_ids, p_met_file_ids) m (number, met)
      join ingest.source_file f on f.source_file_id = m.met
      where m.number <> m.met
    on conflict do nothing;
end
$$;
comment on function ingest.record_met_files is
  'Records pairs of a file that this transaction has opened and another file whose rows of a stream it met.';
