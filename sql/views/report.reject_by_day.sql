-- For each file its refused lines are looked up, so that a filter on the day reads the lines of those files only.
create or replace view report.reject_by_day as
select
  (c.at at time zone (select rollup.reporting_zone()))::date as day,
  c.stream,
  c.code,
  c.field,
  c.is_loaded,
  sum(c.reject_count)::bigint as reject_count
from (
  select f.loaded_at as at, r.stream, r.code, r.field, true as is_loaded, r.reject_count
  from ingest.source_file f
  cross join lateral (
    select stream, code, field, count(*) as reject_count
    from ingest.reject
    where source_file_id = f.source_file_id
    group by stream, code, field
  ) r
  union all
  select f.failed_at, f.stream, r.code, r.field, false, count(*)
  from ingest.failed_file f
  join ingest.failed_reject r on r.failed_file_id = f.failed_file_id
  group by f.failed_file_id, r.code, r.field
  union all
  select p.counted_at, p.stream, p.code, p.field, p.source_file_id is not null, p.reject_count
  from ingest.pruned_reject p
) c
group by day, c.stream, c.code, c.field, c.is_loaded;

comment on view report.reject_by_day is
  'One row per day, stream, reject code, field, and whether the file was loaded. Shows the ledger as it is, also without a refresh. Of a failed file only the first 1,000 refused lines are known, and they are gone once the file loads. Lines that retention has removed from the ledger still count.';
comment on column report.reject_by_day.day is 'Day in the reporting zone on which the file was loaded or failed.';
comment on column report.reject_by_day.stream is 'The stream of the lines; NULL when the stream of a failed file is unknown.';
comment on column report.reject_by_day.code is 'Reject code; see ingest.reject.code.';
comment on column report.reject_by_day.is_loaded is 'True for refused lines of loaded files, false for those of failed files.';
comment on column report.reject_by_day.reject_count is 'Refused lines, including lines that a replay has resolved. Lines of undone files and of erased users are gone.';
