create or replace view report.load_history as
-- The columns are those of the run and then those of the file.
select *
from (
  select load_id, started_at, finished_at, exit_code from ingest.load
) l
left join (
  select
    s.load_id,
    case when s.undone_at is null then 'loaded' else 'undone' end as status,
    s.stream,
    s.path,
    s.source_file_id,
    s.byte_count,
    s.line_count,
    s.inserted_count,
    s.filled_count,
    s.duplicate_count,
    s.conflict_count,
    s.rejected_count,
    s.suppressed_count,
    s.blank_count,
    null::text as reason,
    s.undone_at,
    coalesce(e.erased_count, 0)::bigint as erased_count,
    case when s.source_file_id <= t.source_file_id then coalesce(r.standing_count, 0) end::bigint as standing_count,
    case when s.undone_at is null then 0 else s.inserted_count - coalesce(e.erased_row_count, 0) end::bigint
      as undone_count,
    null::timestamptz as dismissed_at
  from ingest.source_file s
  join rollup.refresh_state t on t.stream = s.stream
  left join (
    select
      source_file_id,
      sum(line_count) as erased_count,
      sum(line_count) filter (where outcome = 'inserted') as erased_row_count
    from ingest.erased_line
    group by source_file_id
  ) e on e.source_file_id = s.source_file_id
  left join (
    select source_file_id, stream, sum(line_count) as standing_count
    from rollup.file_day
    group by source_file_id, stream
  ) r on r.source_file_id = s.source_file_id and r.stream = s.stream
  union all
  select
    x.load_id, case when d.dismissed_at is null then 'failed' else 'dismissed' end, x.stream, x.path, null,
    x.byte_count, x.line_count, null, null, null, null, x.rejected_count, null, null, x.reason, null, null, null, null,
    d.dismissed_at
  from ingest.failed_file x
  join ingest.failure_state d on d.failed_file_id = x.failed_file_id
) f using (load_id);

comment on view report.load_history is
  'One row per run and file that the run loaded or failed to load; one row for a run without files. The counts of the ledger stay as they were, so that the outcomes add up to the lines; standing_count says what is left. Shows the ledger as it is, also without a refresh.';
comment on column report.load_history.load_id is 'Number of the run.';
comment on column report.load_history.started_at is 'Start of the run.';
comment on column report.load_history.finished_at is 'End of the run; NULL while it runs and for a killed run.';
comment on column report.load_history.exit_code is 'Exit code of the run; NULL while finished_at is NULL.';
comment on column report.load_history.status is 'State of the file: loaded, undone, failed, or dismissed for a failure that needs no further action; NULL for a run without files.';
comment on column report.load_history.stream is 'The stream of the file; NULL when a failed file''s stream is unknown, and for a run without files.';
comment on column report.load_history.path is 'Path of the file, from the command line or from a search of a folder; NULL for a run without files.';
comment on column report.load_history.source_file_id is 'Number of the loaded file, as in column source_file_id of its rows; NULL for a failed file.';
comment on column report.load_history.byte_count is 'Decoded bytes; for a failed file, those read before the failure. NULL for a run without files.';
comment on column report.load_history.line_count is 'Lines; for a failed file, those read before the failure. NULL for a run without files.';
comment on column report.load_history.inserted_count is 'Lines that became a new row; NULL for a failed file and for a run without files.';
comment on column report.load_history.filled_count is 'Lines that supplied values for NULL columns.';
comment on column report.load_history.duplicate_count is 'Lines with a known key and no new value; NULL for a failed file and for a run without files.';
comment on column report.load_history.conflict_count is 'Lines that contradicted a stored row; NULL for a failed file and for a run without files.';
comment on column report.load_history.rejected_count is 'Refused lines that no replay has resolved; for a failed file, those refused before the failure. NULL for a run without files.';
comment on column report.load_history.suppressed_count is 'Lines of erased users, which were not stored; NULL for a failed file and for a run without files.';
comment on column report.load_history.blank_count is 'Blank lines; NULL for a failed file and for a run without files.';
comment on column report.load_history.reason is 'The error and the next step for a failed file; NULL for other files.';
comment on column report.load_history.undone_at is 'Time of the undo that removed the file''s rows; NULL for other files.';
comment on column report.load_history.erased_count is 'Lines among the counts of this row whose rows or records were erased with their user; NULL for a failed file and for a run without files.';
comment on column report.load_history.standing_count is 'Lines whose row is stored and has the number of this file, as of the last refresh. A receipt within an event is no line. NULL for a file loaded since, for a failed file and for a run without files.';
comment on column report.load_history.undone_count is 'Lines among inserted_count whose row the undo of the file removed, or retention before it; 0 for a loaded file. Erased rows are in erased_count. NULL for a failed file and for a run without files.';
comment on column report.load_history.dismissed_at is 'Time of the dismissal of the failure; NULL for other files.';
