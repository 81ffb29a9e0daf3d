create or replace view report.open_failure as
select
  f.kind,
  f.stream,
  s.path,
  case when count(distinct f.app_id) = 1 and count(f.app_id) = count(*) then min(f.app_id) end as app_id,
  min(least(f.first_failed_at, f.failed_at)) as first_failed_at,
  max(f.failed_at) as last_failed_at,
  sum(f.attempt_count)::bigint as attempt_count,
  (array_agg(f.error_code order by f.failed_at desc, f.failed_file_id desc))[1] as error_code,
  (array_agg(f.reason order by f.failed_at desc, f.failed_file_id desc))[1] as error
from ingest.failed_file f
join ingest.failure_state s on s.failed_file_id = f.failed_file_id and s.dismissed_at is null
group by f.kind, f.stream, s.path
union all
select
  'undone', f.stream, f.path, case when count(distinct a.app_id) = 1 then min(a.app_id) end, min(f.undone_at),
  max(f.undone_at), 0, 7,
  'The file was undone, and neither its bytes nor another file of its path were loaded since. Load the right file '
    || 'under this path; or, where none will come, dismiss the failure: gamebase-ingest failures dismiss.'
from ingest.undone_file f
left join ingest.file_app a on a.source_file_id = f.source_file_id
where f.dismissed_at is null
group by f.stream, f.path
union all
select
  kind, stream, format('%s/%s/%s', app_id, stream, to_char(day, 'YYYY-MM-DD')), app_id, first_found_at, first_found_at,
  0, 7, reason
from ingest.open_day;

comment on view report.open_failure is
  'One row per open failure, by kind, stream and path: a file that has failed and was not loaded since, a path that found no file, a file that was undone, or a day whose figures are implausible or that has no line. A load of a file with this path or these bytes in the stream ends the failure of a file, plausible figures or a line that of a day, and a dismissal any failure; a file that fails again is open again. Shows the ledger as it is; days are judged by each refresh.';
comment on column report.open_failure.kind is 'failed, missing (a path found no file), undone, implausible (a day with far fewer or far more lines than usual, or with an amount in another unit) or incomplete (a day without a line).';
comment on column report.open_failure.stream is 'The stream of the file or day; NULL when unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.open_failure.path is 'Path by which the failure is recognized. Of a file the real path of its folder, and its name; - for standard input; the path as given if an older version recorded it. Of a day application/stream/day.';
comment on column report.open_failure.app_id is 'The application: of a day; of the lines of an undone file; else the one that the run expected. NULL when unknown, or several.';
comment on column report.open_failure.first_failed_at is 'Time of the first attempt that failed, of the undo, or of the refresh that found the day. A dismissal does not reset it, a load does.';
comment on column report.open_failure.last_failed_at is 'Time of the last attempt that failed; for other kinds like first_failed_at.';
comment on column report.open_failure.attempt_count is 'Attempts that failed since the file was last loaded; those before a dismissal count, too. 0 for an undone file and for a day.';
comment on column report.open_failure.error_code is 'Exit code of the error of the last attempt; NULL if an older version recorded the failure; 7 for an undone file and for a day.';
comment on column report.open_failure.error is 'The error of the last attempt, and the next step; for a day its figures.';
