-- SECURITY DEFINER: see ingest.open_files. What merges did is counted already; the caller adds what it
-- did without them. The table's own check refuses counts that do not add up to the lines.
create or replace function ingest.close_files(
  p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[],
  p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- A few files of a ledger that may be large: each is looked up by its number. Left alone, the planner may
-- read all of the ledger for them.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  closed_count bigint;
begin
  if exists (
    select 1 from unnest(p_source_file_ids) n (number)
      where not exists (select 1 from ingest.source_file f
        where f.source_file_id = n.number and f.undone_at is null and f.opened_by = pg_current_xact_id()))
  then
    raise exception 'this transaction has not opened all of these files: %', p_source_file_ids
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  if exists (
    select 1 from unnest(p_source_file_ids, p_rejected) c (number, rejected)
      where c.rejected is distinct from
        (select count(*) from ingest.reject r where r.source_file_id = c.number))
  then
    raise exception 'one of these files is said to have more or fewer refused lines than it has: %',
        p_source_file_ids
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  update ingest.source_file f set sha256 = c.sha256, byte_count = c.bytes, line_count = c.lines,
      inserted_count = inserted_count + c.inserted, duplicate_count = duplicate_count + c.duplicates,
      rejected_count = c.rejected, suppressed_count = c.suppressed, blank_count = c.blank
    from unnest(p_source_file_ids, p_sha256, p_byte_counts, p_line_counts, p_inserted, p_duplicates,
      p_rejected, p_suppressed, p_blank)
      c (number, sha256, bytes, lines, inserted, duplicates, rejected, suppressed, blank)
    where f.source_file_id = c.number and not ingest.is_closed(f)
      and c.inserted >= 0 and c.duplicates >= 0;
  get diagnostics closed_count = row_count;
  if closed_count <> cardinality(p_source_file_ids) then
    raise exception 'one of these files is not open, or an outcome of it is said to have fewer lines than none: %',
        p_source_file_ids
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;
revoke execute on function ingest.close_files from public;
comment on function ingest.close_files is
  'Completes the ledger entries of files that this transaction has opened: their digests, their lines, and the outcomes that no merge has counted.';
