create or replace function report.refresh_operations() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform report.refresh_file_days();
  perform report.refresh_files();
  perform report.refresh_stream_days();
  perform report.refresh_conflict_lines();
end
$$;
revoke execute on function report.refresh_operations from public;
comment on function report.refresh_operations is
  'Brings the rollups of files, conflicts, and streams by day up to date. Part of report.refresh.';
