create or replace function rollup.is_calendar_outdated() returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from rollup.calendar_period c, (select rollup.reporting_zone() as name offset 0) z
    -- Data of zones change days of the next years, or all from some day on.
    where c.period = 'day' and c.period_start < current_date + 3660 and ((c.starts_at at time zone z.name)::date <> c.period_start
      or ((c.starts_at - interval '1 microsecond') at time zone z.name)::date >= c.period_start))
$$;
comment on function rollup.is_calendar_outdated is
  'True when days begin at other times than the reports know: the zone or the server''s data of zones has changed. Part of rollup.needs_rebuild.';
