-- SECURITY DEFINER: the loader role cannot write the counts of the ledger. Merges have already counted their outcomes;
-- the caller adds the other ones, in a load and in a replay.
create or replace function ingest.count_embedded(
  p_source_file_ids bigint[], p_inserted bigint[], p_duplicates bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  counted bigint;
begin
  insert into ingest.embedded_count as e (source_file_id, stream, inserted_count, duplicate_count)
    select f.source_file_id, s.embedded_stream, c.inserted, c.duplicates
      from unnest(p_source_file_ids, p_inserted, p_duplicates) c (number, inserted, duplicates)
      join ingest.source_file f on f.source_file_id = c.number
      join ingest.stream s on s.stream = f.stream
      where f.opened_by = pg_current_xact_id() and s.embedded_stream is not null
        and c.inserted >= 0 and c.duplicates >= 0
    on conflict (source_file_id, stream) do update
      set inserted_count = e.inserted_count + excluded.inserted_count,
        duplicate_count = e.duplicate_count + excluded.duplicate_count;
  get diagnostics counted = row_count;
  if counted <> cardinality(p_source_file_ids) then
    raise exception 'this transaction has not opened all of the files %, their stream embeds no other one, or a count is negative',
        p_source_file_ids
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
end
$$;
comment on function ingest.count_embedded is
  'Counts the outcomes, other than those of merges, of the records within lines of files that this transaction has opened.';
