create or replace view report.open_failure as
select
  f.stream,
  f.path,
  min(least(f.first_failed_at, f.failed_at)) as first_failed_at,
  max(f.failed_at) as last_failed_at,
  sum(f.attempt_count)::bigint as attempt_count,
  (array_agg(f.error_code order by f.failed_at desc, f.failed_file_id desc))[1] as error_code,
  (array_agg(f.reason order by f.failed_at desc, f.failed_file_id desc))[1] as error
from (
  select stream, coalesce(canonical_path, path) as path, first_failed_at, failed_at, attempt_count, error_code, reason,
    failed_file_id
  from ingest.failed_file x
  where not exists (select from ingest.failure_dismissal d where d.failed_file_id = x.failed_file_id)
) f
group by f.stream, f.path;

comment on view report.open_failure is
  'One row per stream and file with an open failure: one that nobody has dismissed, of a file that has failed and has not been loaded since. A load of a file with this path or these bytes in the stream ends the failure, and so does a dismissal, until the file fails again. Shows the ledger as it is, also without a refresh.';
comment on column report.open_failure.stream is 'The stream of the file; NULL when unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.open_failure.path is 'Path by which the file is recognized: the real path of its folder, and its name; - for standard input; the path as given if an older version recorded the failure.';
comment on column report.open_failure.first_failed_at is 'Time of the first attempt that failed. A dismissal does not reset it, a load does.';
comment on column report.open_failure.last_failed_at is 'Time of the last attempt that failed.';
comment on column report.open_failure.attempt_count is 'Attempts that failed since the file was last loaded; those before a dismissal count, too.';
comment on column report.open_failure.error_code is 'Exit code of the error of the last attempt; NULL if an older version recorded the failure.';
comment on column report.open_failure.error is 'The error of the last attempt, and the next step.';
