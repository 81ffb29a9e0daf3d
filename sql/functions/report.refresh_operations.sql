create or replace function report.refresh_operations(p_is_full boolean, p_has_new_files boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_is_full then
    -- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
    delete from report.file_day_rollup;
    delete from report.file_rollup;
    delete from report.stream_day_rollup;
    delete from report.conflict_line_rollup;
  end if;
  perform report.refresh_file_days(p_has_new_files);
  if p_is_full then
    insert into staging.touched_day (app_id, day)
      select distinct d.app_id, d.day from report.file_day_rollup d where d.first_event_at is not null;
  end if;
  perform report.refresh_files();
  perform report.refresh_stream_days();
  perform report.refresh_conflict_lines();
end
$$;
revoke execute on function report.refresh_operations from public;
comment on function report.refresh_operations is
  'Brings the rollups of files, conflicts, and streams by day up to date. Part of rollup.finish_refresh.';
