-- SECURITY DEFINER: the loader role cannot write the counts of the ledger. Merges have already counted their outcomes; the
-- caller adds the other ones: of the records within lines, and in a replay of the lines that ingest.resolve_rejects has
-- released. A check constraint of the table refuses more of these.
create or replace function ingest.count_rows(
  p_stream text, p_source_file_id bigint, p_inserted bigint, p_duplicates bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_files(array[p_source_file_id], p_stream);
  if (p_inserted >= 0 and p_duplicates >= 0) is not true then
    raise exception 'a count is negative' using errcode = 'numeric_value_out_of_range';
  end if;
  perform staging.count_merged(p_stream, p_source_file_id, (p_inserted, 0, p_duplicates, 0));
end
$$;
comment on function ingest.count_rows is
  'Adds outcomes that no merge has counted to those of a file that this transaction has opened: of its lines, or with another p_stream of the records within them.';
