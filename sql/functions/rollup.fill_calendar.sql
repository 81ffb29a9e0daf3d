-- A day starts at its first instant. Where a change of the clock leaves out midnight, that is the instant of the
-- change; where it repeats midnight, it is the first of the two. AT TIME ZONE gives the second, so the instants
-- before it are tried.
create or replace function rollup.fill_calendar() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  -- Records are of the years from 2000 to 2099 in UTC. The first month and the last one also hold their days in any zone.
  first_day constant date := '1999-12-01';
  last_day constant date := '2100-03-31';
begin
  if exists (select from rollup.calendar_period where period = 'month' and period_start = '2100-02-01') then
    return;
  end if;
  insert into rollup.calendar_period (period, period_start, last_day, starts_at, ends_at)
    with any_day as (
      select first_day + n as day from generate_series(0, last_day - first_day) n
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
      join edge e on e.day = n.last_day + 1
    on conflict do nothing;
  analyze rollup.calendar_period;
end
$$;
comment on function rollup.fill_calendar is
  'Fills rollup.calendar_period for the reporting zone, if it is not full. Part of rollup.begin_refresh and of a migration.';
