create or replace view report.load_history as
select
  l.load_id,
  l.started_at,
  l.finished_at,
  l.exit_code,
  f.status,
  f.stream,
  f.path,
  f.source_file_id,
  f.byte_count,
  f.line_count,
  f.inserted_count,
  f.filled_count,
  f.duplicate_count,
  f.conflict_count,
  f.rejected_count,
  f.suppressed_count,
  f.blank_count,
  f.reason,
  f.undone_at,
  f.erased_count
from ingest.load l
left join (
  select load_id, case when undone_at is null then 'loaded' else 'undone' end as status, stream, path,
    source_file_id, byte_count, line_count, inserted_count, filled_count, duplicate_count,
    conflict_count, rejected_count, suppressed_count, blank_count, null::text as reason, undone_at,
    coalesce((select sum(e.line_count) from ingest.erased_line e
      where e.source_file_id = source_file.source_file_id), 0)::bigint as erased_count
  from ingest.source_file
  union all
  select load_id, 'failed', stream, path, null, byte_count, line_count, null, null, null, null,
    rejected_count, null, null, reason, null, null
  from ingest.failed_file
) f on f.load_id = l.load_id;

comment on view report.load_history is
  'One row per run and file that the run loaded or failed to load; one row for a run without files.';
comment on column report.load_history.load_id is 'Number of the run.';
comment on column report.load_history.started_at is 'Start of the run.';
comment on column report.load_history.finished_at is 'End of the run; NULL while it runs and for a killed run.';
comment on column report.load_history.exit_code is 'Exit code of the run; NULL while finished_at is NULL.';
comment on column report.load_history.status is 'State of the file: loaded, undone or failed; NULL for a run without files.';
comment on column report.load_history.stream is 'The stream of the file.';
comment on column report.load_history.path is 'Path of the file, from the command line or from a search of a folder.';
comment on column report.load_history.source_file_id is 'Number of the loaded file, as in column source_file_id of its rows; NULL for a failed file.';
comment on column report.load_history.byte_count is 'Decoded bytes; for a failed file, those read before the failure.';
comment on column report.load_history.line_count is 'Lines; for a failed file, those read before the failure.';
comment on column report.load_history.inserted_count is 'Lines that became a new row.';
comment on column report.load_history.filled_count is 'Lines that supplied values for NULL columns.';
comment on column report.load_history.duplicate_count is 'Lines with a known key and no new value.';
comment on column report.load_history.conflict_count is 'Lines that contradicted a stored row.';
comment on column report.load_history.rejected_count is 'Refused lines that no replay has resolved; for a failed file, those refused before the failure.';
comment on column report.load_history.suppressed_count is 'Lines of erased users, which were not stored.';
comment on column report.load_history.blank_count is 'Blank lines.';
comment on column report.load_history.reason is 'The error and the next step for a failed file.';
comment on column report.load_history.undone_at is 'Time of the undo that removed the file''s rows; NULL for other files.';
comment on column report.load_history.erased_count is 'Lines among the counts of this row whose rows or records were erased with their user.';
