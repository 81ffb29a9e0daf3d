-- Failures that an older version recorded have only the path as it was given.
create or replace function ingest.clear_failures(
  p_path text, p_stream text, p_sha256 bytea, p_canonical_path text default null,
  out first_failed_at timestamptz, out attempt_count bigint)
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
  delete from ingest.failed_reject where failed_file_id in (
    select failed_file_id from ingest.failed_file
      where stream is not distinct from p_stream
        and (coalesce(canonical_path, path) in (p_path, p_canonical_path) or sha256 = p_sha256));
  with cleared as (
    delete from ingest.failed_file f
      where f.stream is not distinct from p_stream
        and (coalesce(f.canonical_path, f.path) in (p_path, p_canonical_path) or f.sha256 = p_sha256)
      returning f.first_failed_at, f.attempt_count
  )
  select min(c.first_failed_at), coalesce(sum(c.attempt_count), 0)::bigint from cleared c;
$$;
revoke execute on function ingest.clear_failures from public;
comment on function ingest.clear_failures is
  'Deletes the failures of a file that was loaded or failed again: those with its path, however it was written, and those with its digest under any path. Returns when the first of their attempts failed and how many did, for the entry of a further failure.';
