-- rollup.calendar_period: the days of every kind of zone.
begin;
\ir parts/reports.sql
select plan(4);

-- Zones that crossed the date line, and some others.
create temporary table judged as
  select distinct on (o.offsets) o.name, o.skips_day
    from (
      select z.name, array_agg(l.ahead order by m) as offsets,
          max(l.ahead) - min(l.ahead) > interval '12 hours' as skips_day
        from pg_catalog.pg_timezone_names z, generate_series(timestamptz '2000-01-15Z', '2026-12-15Z', '1 month') m,
          lateral (select (m at time zone z.name) - (m at time zone 'UTC') as ahead) l
        where z.name ~ '^[A-Z][a-z]+/'
        group by z.name
    ) o
    order by o.offsets, o.name;
delete from judged
  where not skips_day and name not in (select name from judged where not skips_day order by md5(name) limit 2);
create function pg_temp.calendar_faults(p_skips_day boolean) returns setof text language plpgsql as $$
declare
  zone text;
begin
  for zone in select j.name from pg_temp.judged j where j.skips_day = p_skips_day order by 1 loop
    insert into ingest.setting (name, value) values ('time-zone', zone)
      on conflict (name) do update set value = excluded.value;
    delete from rollup.calendar_period;
    perform rollup.fill_calendar();
    -- A day is in the calendar unless its noon does not exist, and lasts until the next one.
    return query
      select zone || ' ' || d::date
        from generate_series(timestamp '2000-01-01', '2026-12-31', '1 day') d
        where exists (select from rollup.calendar_period c where c.period = 'day' and c.period_start = d::date)
          <> (((d + interval '12 hours') at time zone zone at time zone zone)::date = d::date)
      union all
      select zone || ' ' || c.period_start
        from (select *, lead(starts_at) over (order by period_start) as next_at
            from rollup.calendar_period where period = 'day') c
        where c.ends_at <> c.next_at or (c.starts_at at time zone zone)::date <> c.period_start
          or ((c.starts_at - interval '1 microsecond') at time zone zone)::date >= c.period_start;
  end loop;
end
$$;
select cmp_ok((select count(*) from judged where skips_day), '>', 0::bigint, 'the server knows a zone that left out a day');
select is_empty('select * from pg_temp.calendar_faults(false)', 'the calendar of a zone has all its days, without gaps');
select is_empty('select * from pg_temp.calendar_faults(true)', 'so has that of a zone that left out a day');

-- The first month of the contract, west of UTC.
update ingest.setting set value = 'America/Santiago' where name = 'time-zone';
delete from rollup.calendar_period;
select rollup.fill_calendar() \g /dev/null
select is((select string_agg(c.period, ' ' order by t.at, c.period) from rollup.calendar_period c
    join (values (timestamptz '2000-01-01 00:00Z'), ('2100-01-01 00:00Z')) t (at) on c.starts_at <= t.at and c.ends_at > t.at),
  'day month week day month week', 'the oldest and the newest time of a row lie in a day, a week and a month of every zone');

select * from finish();
rollback;
