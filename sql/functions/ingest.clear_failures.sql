-- SECURITY DEFINER: the loader role cannot delete failures. It ends those that its transaction has written anew, those of
-- loaded bytes or of the path of a loaded file, and those of which only a loader's word tells, since nothing was read.
-- Failures that an older version recorded have only the path as it was given.
create or replace function ingest.clear_failures(
  p_path text, p_stream text, p_sha256 bytea, p_canonical_path text default null) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  renewed bigint;
  cleared bigint[];
begin
  select max(failed_file_id) into renewed from ingest.failed_file
    where stream is not distinct from p_stream and path = p_path and canonical_path is not distinct from p_canonical_path
      and sha256 is not distinct from p_sha256 and xmin = pg_current_xact_id()::xid;
  cleared := array(
    select f.failed_file_id from ingest.failed_file f
      where f.stream is not distinct from p_stream and f.failed_file_id is distinct from renewed
        and (coalesce(f.canonical_path, f.path) in (p_path, p_canonical_path) or f.sha256 = p_sha256)
        and (renewed is not null or f.sha256 is null and f.line_count = 0
          or exists (select 1 from ingest.source_file s
            where s.stream = p_stream and s.sha256 = p_sha256 and s.undone_at is null
              and (f.sha256 = s.sha256 or coalesce(f.canonical_path, f.path) in (s.path, s.canonical_path)))));
  delete from ingest.failed_reject where failed_file_id = any (cleared);
  with earlier as (
    delete from ingest.failed_file where failed_file_id = any (cleared) returning first_failed_at, attempt_count
  )
  update ingest.failed_file f set first_failed_at = least(f.first_failed_at, e.first_failed_at),
      attempt_count = least(f.attempt_count + e.attempt_count, 1000000000)
    from (select min(first_failed_at) as first_failed_at, sum(attempt_count) as attempt_count from earlier) e
    where f.failed_file_id = renewed and e.attempt_count is not null;
end
$$;
comment on function ingest.clear_failures is
  'Deletes the failures of a file that is loaded or has failed again: those with its path, however it was written, and those with its digest under any path. The entry of a further failure, which this transaction has written, gets their attempts and the time of the first one.';
