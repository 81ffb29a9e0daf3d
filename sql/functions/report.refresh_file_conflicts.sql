create or replace function report.refresh_file_conflicts() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In the first refresh and in a full one, all files are new.
  files constant bigint[] := case
    when exists (select 1 from report.refresh_state where source_file_id <> 0) then array(
      select source_file_id from staging.touched_file
      union
      select source_file_id from staging.touched_row
      union
      select unnest(report.files_with_conflicts('staging.touched_row')))
    else array(select distinct source_file_id from ingest.conflict) end;
begin
  -- The conflicts of an undone file are gone, with or without rows.
  delete from report.file_conflict_rollup c
    where c.source_file_id = any (files)
      or not exists (select 1 from ingest.conflict k where k.source_file_id = c.source_file_id);
  insert into report.file_conflict_rollup (source_file_id, stream, app_id, conflict_count)
    select c.source_file_id, c.stream, c.app_id, c.conflict_count from report.count_conflicts(files) c;
end
$$;
revoke execute on function report.refresh_file_conflicts from public;
comment on function report.refresh_file_conflicts is
  'Counts the conflicts of touched files and of files that contradict a touched row, in report.file_conflict_rollup. Part of report.refresh_operations.';
