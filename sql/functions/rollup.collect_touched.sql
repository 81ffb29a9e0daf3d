-- A full refresh makes every file new again. It reads the keys of players and days from the facts and not from
-- staging.touched_row, which would be a copy of all facts.
create or replace function rollup.collect_touched(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
begin
  perform rollup.empty_working_tables('staging.touched_file', 'staging.touched_row', 'staging.touched_day');
  if p_is_full then
    update rollup.refresh_state set source_file_id = 0, load_id = null;
  end if;
  insert into staging.touched_file (source_file_id)
    select f.source_file_id
      from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id and f.undone_at is null
    union
    select t.source_file_id from rollup.touched_file t;

  if not p_is_full then
    -- Of events the days of a file suffice.
    perform rollup.collect_touched_rows(s.stream)
      from ingest.stream s
      where s.time_column is not null and s.stream <> 'event'
      order by s.stream;
    perform rollup.collect_touched_events();
    insert into staging.touched_row
        (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
      select distinct t.stream, t.app_id, t.user_id, t.event_at, t.is_dated, t.source_file_id, t.line_number,
          t.payment_seq
        from rollup.touched_row t;
    analyze staging.touched_row;
    insert into staging.touched_day (app_id, day)
      select distinct t.app_id, (t.event_at at time zone zone)::date
        from staging.touched_row t
        where t.is_dated and isfinite(t.event_at);
    analyze staging.touched_day;
  end if;
  perform rollup.refresh_calendar(p_is_full);
  analyze staging.touched_file;
end
$$;
revoke execute on function rollup.collect_touched from public;
comment on function rollup.collect_touched is
  'Fills the working tables of a refresh with the files, rows and days that changed since the last one. Part of rollup.begin_refresh.';
