-- Events make nobody a player, so the days of a file suffice.
create or replace function rollup.collect_touched_events() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
begin
  insert into staging.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
    select 'event', e.app_id, null, min(e.occurred_at), true, e.source_file_id, min(e.line_number)
      from game.event e
      where e.source_file_id > (select s.source_file_id from rollup.refresh_state s where s.stream = 'event')
        or e.source_file_id in (select t.source_file_id from rollup.touched_file t)
      group by e.app_id, e.source_file_id, (e.occurred_at at time zone zone)::date;
end
$$;
revoke execute on function rollup.collect_touched_events from public;
comment on function rollup.collect_touched_events is
  'Notes the days of the events of new and replayed files in staging.touched_row, without a user. Part of rollup.collect_touched.';
