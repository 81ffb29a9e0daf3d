-- The table is small, and is made again each time: an undo of a file that brought no row moves a horizon, too.
create or replace function rollup.refresh_horizons(p_touched_apps text[] default null) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  behind record;
  line_count bigint;
begin
  delete from rollup.horizon;
  insert into rollup.horizon (app_id, stream, first_event_at, newest_event_at, first_on, newest_on)
    select a.app_id, f.stream, min(a.first_event_at), max(a.newest_event_at),
        (min(a.first_event_at) at time zone zone)::date, (max(a.newest_event_at) at time zone zone)::date
      from ingest.file_app a
      join ingest.source_file f on f.source_file_id = a.source_file_id
      where f.undone_at is null
      group by a.app_id, f.stream;
  -- Receipts that came in events can be newer than the receipt files.
  for behind in
    select h.app_id, d.starts_at, h.newest_event_at
      from rollup.horizon h, rollup.calendar_period d, rollup.stream_day s
      where h.stream = 'receipt' and d.period = 'day' and d.period_start = h.newest_on
        and s.stream = h.stream and s.app_id = h.app_id and s.day = h.newest_on
        and s.newest_event_at > h.newest_event_at
  loop
    select count(*) into line_count
      from game.receipt r
      where r.app_id = behind.app_id and r.purchased_at >= behind.starts_at
        and r.purchased_at <= behind.newest_event_at;
    update rollup.horizon h set newest_day_line_count = line_count
      where h.stream = 'receipt' and h.app_id = behind.app_id;
  end loop;

  -- The judgement needs the feed of the receipts, and ends the horizons.
  perform rollup.refresh_app_horizons();
  perform rollup.judge_days(p_touched_apps);
  perform rollup.refresh_app_horizons();
end
$$;
comment on function rollup.refresh_horizons is
  'Takes the horizons of the feeds from the ledger, judges the days, and brings the horizons of the applications up to date. Part of a refresh.';
