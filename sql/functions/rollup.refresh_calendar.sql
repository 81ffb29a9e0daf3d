-- A day starts at its first instant. Where a change of the clock leaves out midnight, that is the instant of the
-- change; where it repeats midnight, it is the first of the two. AT TIME ZONE gives the second, so the instants
-- before it are tried.
create or replace function rollup.refresh_calendar(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  -- No record is older than 2000 UTC, so the first day in any zone lies in this month.
  first_day constant date := '1999-12-01';
  newest_file constant bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt');
  changed constant text[] := array(
    select t.payment_seq
      from pg_temp.touched_row t
      where not p_is_full and t.stream = 'receipt' and t.source_file_id <= newest_file);
  -- Days of events, of the ends of subscriptions, and of lines whose rows are gone.
  newest date := greatest((
      select (max(a.newest_event_at) at time zone zone)::date
        from ingest.file_app a join ingest.source_file f using (source_file_id)
        where f.undone_at is null), case when p_is_full then (
      select (greatest((select max(greatest(r.purchased_at, r.expires_at)) from game.receipt r),
          (select max(l.leveled_up_at) from game.level_up l), (select max(g.observed_at) from game.game_user_snapshot g),
          (select max(e.occurred_at) from game.event e), (select max(i.observed_at) from game.item_snapshot i),
          (select max(k.last_observed_at) from ingest.kept_observation k)) at time zone zone)::date)
    else greatest((select max(t.day) from pg_temp.touched_day t), (
      select (max(t.event_at) at time zone zone)::date from pg_temp.touched_row t where isfinite(t.event_at)), (
      select (max(r.expires_at) at time zone zone)::date from game.receipt r where r.source_file_id > newest_file), (
      select (max(r.expires_at) at time zone zone)::date from game.receipt r where r.payment_seq = any (changed))) end);
  needed date := newest + 400;
  last_day date := date_trunc('year', needed)::date + interval '3 years';
begin
  -- The calendar reaches years ahead, and the zone hardly ever changes. So most refreshes find nothing to do.
  if needed is null
    or exists (select 1 from rollup.calendar_period where period = 'day' and period_start >= needed)
    and exists (select 1 from rollup.calendar_period where period = 'day' and period_start = first_day)
    and not rollup.is_calendar_outdated()
  then
    return;
  end if;
  delete from rollup.calendar_period;
  insert into rollup.calendar_period (period, period_start, last_day, starts_at, ends_at)
    with any_day as (
      select first_day + n as day from generate_series(0, last_day - first_day + 32) n
    ), start as materialized (
      select d.day, min(i.instant) as starts_at
        from any_day d,
          lateral (
            select d.day::timestamp at time zone zone - before.span as instant
              from (values (interval '0'), (interval '30 minutes'), (interval '1 hour'), (interval '2 hours'), (interval '3 hours'))
                before (span)
          ) i
        where (i.instant at time zone zone)::date = d.day
        group by d.day
    ), edge as materialized (
      -- A day that the zone left out begins and ends where the next one begins.
      select d.day, s.day is not null as is_day, min(s.starts_at) over (order by d.day desc) as starts_at
        from any_day d left join start s on s.day = d.day
    ), named as (
      select 'day' as period, day as period_start, day as last_day from edge where is_day
      union all
      select 'week', day, day + 6 from edge where extract(isodow from day) = 1
      union all
      select 'month', day, (day + interval '1 month')::date - 1 from edge where extract(day from day) = 1
    )
    select n.period, n.period_start, n.last_day, s.starts_at, e.starts_at
      from named n
      join edge s on s.day = n.period_start
      join edge e on e.day = n.last_day + 1;
  analyze rollup.calendar_period;
end
$$;
revoke execute on function rollup.refresh_calendar from public;
comment on function rollup.refresh_calendar is
  'Fills rollup.calendar_period for the reporting zone. Part of rollup.collect_touched.';
