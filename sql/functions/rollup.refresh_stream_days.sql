create or replace function rollup.refresh_stream_days() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from rollup.stream_day r
    using staging.touched_day t
    where r.app_id = t.app_id and r.day = t.day;

  insert into rollup.stream_day (stream, app_id, day, line_count, first_event_at, newest_event_at)
    select d.stream, d.app_id, d.day, sum(d.line_count - d.load_start_count), min(d.first_event_at),
        max(d.newest_event_at)
      from staging.touched_day t
      join rollup.file_day d on d.day = t.day and d.app_id = t.app_id
      where d.first_event_at is not null
      group by d.stream, d.app_id, d.day;
end
$$;
revoke execute on function rollup.refresh_stream_days from public;
comment on function rollup.refresh_stream_days is
  'Adds up rollup.file_day for the touched days in rollup.stream_day. Part of rollup.refresh_operations.';
