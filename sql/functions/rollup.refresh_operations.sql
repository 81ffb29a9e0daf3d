create or replace function rollup.refresh_operations(p_is_full boolean, p_has_new_files boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_is_full then
    -- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
    delete from rollup.file_day;
    delete from rollup.file;
    delete from rollup.stream_day;
    delete from rollup.conflict_line;
  end if;
  perform rollup.refresh_file_days(p_has_new_files);
  if p_is_full then
    insert into staging.touched_day (app_id, day)
      select distinct d.app_id, d.day from rollup.file_day d where d.first_event_at is not null;
  end if;
  perform rollup.refresh_files();
  perform rollup.refresh_stream_days();
  perform rollup.refresh_conflict_lines();
end
$$;
revoke execute on function rollup.refresh_operations from public;
comment on function rollup.refresh_operations is
  'Brings the rollups of files, conflicts, and streams by day up to date. Part of rollup.finish_refresh.';
