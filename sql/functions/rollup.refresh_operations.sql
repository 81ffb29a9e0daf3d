create or replace function rollup.refresh_operations(p_is_full boolean, p_has_new_files boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  touched_files constant bigint[] := array(
    select source_file_id from pg_temp.touched_file union select source_file_id from pg_temp.touched_row);
begin
  if p_is_full then
    -- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
    delete from rollup.file_day;
    delete from rollup.conflict_line;
  end if;
  perform rollup.refresh_file_days(p_has_new_files);
  if p_is_full then
    insert into pg_temp.touched_day (stream, app_id, day)
      select distinct d.stream, d.app_id, d.day from rollup.file_day d where d.first_event_at is not null;
    analyze pg_temp.touched_day;
  end if;

  delete from rollup.stream_day r
    where p_is_full or exists (
      select from pg_temp.touched_day t where t.stream = r.stream and t.app_id = r.app_id and t.day = r.day);
  insert into rollup.stream_day (stream, app_id, day, line_count, first_event_at, newest_event_at)
    select d.stream, d.app_id, d.day, sum(d.line_count - d.load_start_count), min(d.first_event_at),
        max(d.newest_event_at)
      from pg_temp.touched_day t
      join rollup.file_day d on d.day = t.day and d.app_id = t.app_id and d.stream = t.stream
      where d.first_event_at is not null
      group by d.stream, d.app_id, d.day;
  perform rollup.refresh_conflict_lines(touched_files);
end
$$;
comment on function rollup.refresh_operations is
  'Brings the rollups of files, conflicts, and streams by day up to date. Part of rollup.finish_refresh.';
