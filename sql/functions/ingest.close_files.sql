-- SECURITY DEFINER: see ingest.open_files. A file without a record is known by its canonical path, and belongs to the day
-- and the application that the run expected it for. Merges have already counted their outcomes; the caller adds the other
-- ones. A check constraint of the table refuses counts that do not add up to the lines.
create or replace function ingest.close_files(
  p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[],
  p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[],
  p_canonical_paths text[] default null, p_asked_on date[] default null, p_expected_app text default null)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- The ledger can be large and the files are few, so each is looked up by its number. By default the planner may scan
-- the whole ledger.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  closed_count bigint;
begin
  perform ingest.require_open_files(p_source_file_ids);
  if exists (
    select 1 from unnest(p_source_file_ids, p_rejected) c (number, rejected)
      where c.rejected is distinct from
        (select count(*) from ingest.reject r where r.source_file_id = c.number))
  then
    raise exception 'count of refused lines differs from the rows in ingest.reject for one of the files %',
        p_source_file_ids
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  update ingest.source_file f set sha256 = c.sha256, byte_count = c.bytes, line_count = c.lines,
      inserted_count = inserted_count + c.inserted, duplicate_count = duplicate_count + c.duplicates,
      rejected_count = c.rejected, suppressed_count = c.suppressed, blank_count = c.blank,
      canonical_path = c.path,
      empty_path = case when c.lines = c.blank then coalesce(c.path, '') else '' end,
      asked_on = case when c.lines = c.blank then c.asked_on end,
      app_id = case when c.lines = c.blank then coalesce(f.app_id, p_expected_app) else f.app_id end
    from unnest(p_source_file_ids, p_sha256, p_byte_counts, p_line_counts, p_inserted, p_duplicates,
      p_rejected, p_suppressed, p_blank, p_canonical_paths, p_asked_on)
      c (number, sha256, bytes, lines, inserted, duplicates, rejected, suppressed, blank, path, asked_on)
    where f.source_file_id = c.number and not ingest.is_closed(f)
      and c.inserted >= 0 and c.duplicates >= 0;
  get diagnostics closed_count = row_count;
  if closed_count <> cardinality(p_source_file_ids) then
    raise exception 'one of the files % is not open, or one of its counts is negative',
        p_source_file_ids
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;
comment on function ingest.close_files is
  'Completes the ledger entries of files that this transaction has opened: digests, line counts, and the outcomes that no merge has counted.';
