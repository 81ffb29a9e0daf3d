create or replace function report.refresh_stream_days() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from report.stream_day_rollup r
    using staging.touched_day t
    where r.app_id = t.app_id and r.day = t.day;

  insert into report.stream_day_rollup (stream, app_id, day, line_count, first_event_at, newest_event_at)
    select d.stream, d.app_id, d.day, sum(d.line_count - d.load_start_count), min(d.first_event_at),
        max(d.newest_event_at)
      from staging.touched_day t
      join report.file_day_rollup d on d.day = t.day and d.app_id = t.app_id
      where d.first_event_at is not null
      group by d.stream, d.app_id, d.day;
end
$$;
revoke execute on function report.refresh_stream_days from public;
comment on function report.refresh_stream_days is
  'Adds up report.file_day_rollup for the touched days in report.stream_day_rollup. Part of report.refresh_operations.';
