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
  'One row per run and file that it loaded, or failed to load; a run without either has one row.';
comment on column report.load_history.load_id is 'Number of the run.';
comment on column report.load_history.started_at is 'When the run started.';
comment on column report.load_history.finished_at is 'When it ended; NULL while it runs, and for a run that was killed.';
comment on column report.load_history.exit_code is 'Its exit code.';
comment on column report.load_history.status is 'loaded, undone or failed; NULL when the run loaded nothing.';
comment on column report.load_history.stream is 'Kind of record.';
comment on column report.load_history.path is 'The file, as the run was given it or found it.';
comment on column report.load_history.source_file_id is 'Number of the loaded file, as rows name it.';
comment on column report.load_history.byte_count is 'Decoded bytes; of a failed file those read until then.';
comment on column report.load_history.line_count is 'Lines; of a failed file those read until then.';
comment on column report.load_history.inserted_count is 'Lines that became a new row.';
comment on column report.load_history.filled_count is 'Lines that supplied values which were NULL.';
comment on column report.load_history.duplicate_count is 'Lines that brought nothing new.';
comment on column report.load_history.conflict_count is 'Lines that contradicted a stored row.';
comment on column report.load_history.rejected_count is 'Lines that were refused.';
comment on column report.load_history.suppressed_count is 'Lines of users that were erased.';
comment on column report.load_history.blank_count is 'Blank lines.';
comment on column report.load_history.reason is 'Why a failed file failed, and what to do next.';
comment on column report.load_history.undone_at is 'When the file''s rows were taken back; NULL: they are there.';
comment on column report.load_history.erased_count is 'Lines among those counted here whose rows or records were erased with their user.';
