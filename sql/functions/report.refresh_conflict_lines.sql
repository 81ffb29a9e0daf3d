create or replace function report.refresh_conflict_lines() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  files constant bigint[] := array(
    select source_file_id from staging.touched_file
    union
    select source_file_id from staging.touched_row
    union
    select unnest(report.files_with_conflicts('staging.touched_row')));
begin
  delete from report.conflict_line_rollup l where l.source_file_id = any (files);
  -- An undo and an erasure delete conflicts, also some without a touched row.
  delete from report.conflict_line_rollup l
    where not exists (select 1 from ingest.conflict c
      where c.source_file_id = l.source_file_id and c.line_number = l.line_number and c.stream = l.stream);
  insert into report.conflict_line_rollup (source_file_id, line_number, stream, app_id)
    select l.source_file_id, l.line_number, l.stream, l.app_id from report.conflict_lines(files) l;
end
$$;
revoke execute on function report.refresh_conflict_lines from public;
comment on function report.refresh_conflict_lines is
  'Looks up the applications of the conflicts in touched files and with touched rows, in report.conflict_line_rollup. Part of report.refresh_operations.';
