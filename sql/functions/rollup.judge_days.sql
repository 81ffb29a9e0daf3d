-- A day is judged against the days before it. So the earliest bad day of a feed is found first; it is open, and no longer
-- known, when the days after it are judged again. Most refreshes find none, and judge once.
--
-- A day without a row of its own counts 0 where it is the newest one that has come, or lies behind the newest event.
create or replace function rollup.judge_days(p_touched_apps text[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  apps constant text[] := case when p_touched_apps is null then array(select h.app_id from rollup.horizon h) else array(
    select unnest(p_touched_apps)
    union select d.app_id from ingest.open_day d
    union select x.app_id
      from ingest.source_file f
      join rollup.refresh_state s on s.stream = f.stream and s.source_file_id < f.source_file_id
      cross join lateral (
        select a.app_id from ingest.file_app a where a.source_file_id = f.source_file_id
        union all select coalesce(f.app_id, '') where f.asked_on is not null) x) end;
begin
  create temporary table judged_day (
    app_id text collate "C", stream text collate "C", day date, counts_zero boolean, first_found_at timestamptz) on commit drop;
  with feed as materialized (
    select h.app_id, h.stream, h.newest_event_at, h.newest_on, s.judged_from
      from rollup.horizon h
      join ingest.stream s on s.stream = h.stream
      where h.app_id = any (apps) and h.newest_on is not null
  ), brought as (
    -- Of each new file the day with most of its rows, if it was over.
    select f.*, m.day
      from feed f
      cross join lateral (
        select distinct d.source_file_id
          from rollup.file_day d
          -- Not a range, because the index of days has the applications second.
          where d.app_id = f.app_id and d.stream = f.stream
            and d.day = any (array(select f.newest_on - 27 + n from generate_series(0, 34) n))
      ) n
      join ingest.source_file s on s.source_file_id = n.source_file_id and s.stream = f.stream and s.undone_at is null
      cross join lateral (
        select d.day
          from rollup.file_day d
          where d.source_file_id = n.source_file_id and d.stream = f.stream and d.app_id = f.app_id
          order by d.line_count - d.load_start_count desc, d.day desc
          limit 1
      ) m
      join rollup.calendar_period c on c.period = 'day' and c.period_start = m.day
      where s.loaded_at >= c.ends_at
  ), ended as (
    select f.*, c.period_start as day
      from feed f
      join rollup.calendar_period c on c.period = 'day' and c.period_start between f.newest_on - 27 and f.newest_on
        and c.ends_at <= f.newest_event_at
    union
    select * from brought
    union
    select f.*, s.asked_on
      from feed f
      join ingest.source_file s on s.stream = f.stream and s.app_id = f.app_id and s.asked_on > f.newest_on - 28
      where s.undone_at is null
  ), ripe as (
    select e.*, max(e.day) over (partition by e.app_id, e.stream) as newest
      from ended e
      join rollup.calendar_period c on c.period = 'day' and c.period_start = e.day and c.ends_at <= now()
  ), gone as (
    delete from ingest.open_day d where d.kind = 'implausible' and d.app_id = any (apps) returning d.*
  ), judged as (
    select r.app_id, r.stream, r.day, r.day = r.newest or r.day > r.newest_on as counts_zero
      from ripe r
      where r.day > r.newest - 14 and (r.judged_from is null or r.day >= r.judged_from)
    union
    -- Of older open days those whose feed still goes that far.
    select g.app_id, g.stream, g.day, g.day = r.newest
      from gone g
      join feed f on f.app_id = g.app_id and f.stream = g.stream and f.newest_on >= g.day
      left join (select distinct app_id, stream, newest from ripe) r on r.app_id = g.app_id and r.stream = g.stream
  )
  insert into pg_temp.judged_day (app_id, stream, day, counts_zero, first_found_at)
    select j.app_id, j.stream, j.day, coalesce(j.counts_zero, false), g.first_found_at
      from judged j
      left join gone g on g.app_id = j.app_id and g.stream = j.stream and g.day = j.day
      where not exists (
        select from ingest.failure_dismissal x
          where x.kind in ('implausible', 'incomplete') and x.stream = j.stream
            and x.path = format('%s/%s/%s', j.app_id, j.stream, to_char(j.day, 'YYYY-MM-DD')));
  loop
    insert into ingest.open_day (app_id, stream, day, kind, reason, first_found_at)
      select b.app_id, b.stream, b.day, 'implausible', b.reason, coalesce(j.first_found_at, now())
        from rollup.implausible_days() b join pg_temp.judged_day j using (app_id, stream, day);
    exit when not found;
    -- The feeds with a bad day, from the day after it on.
    delete from pg_temp.judged_day j
      where j.day > (
        select max(o.day) from ingest.open_day o
          where o.app_id = j.app_id and o.stream = j.stream and o.kind = 'implausible') is not true;
  end loop;
  drop table pg_temp.judged_day;

  -- Days without a line, among the 14 before that of the newest event and those that are open.
  with setting as (
    select s.stream, (
        select m.value::numeric
          from report.setting m
          where m.name in ('min-daily-lines.' || s.stream, 'min-daily-lines')
          order by length(m.name) desc
          limit 1) as min_lines
      from ingest.stream s
  ), feed as materialized (
    select h.app_id, h.stream, h.newest_on, s.min_lines
      from rollup.horizon h
      join setting s on s.stream = h.stream
      where h.app_id = any (apps) and h.newest_on is not null and (
        exists (select from rollup.stream_day d
          where d.stream = h.stream and d.app_id = h.app_id and d.day > h.newest_on - 84 and d.line_count >= s.min_lines)
        or exists (select from ingest.open_day o where o.app_id = h.app_id and o.stream = h.stream))
  ), missing as materialized (
    select f.app_id, f.stream, g.day, g.median_line_count
      from feed f
      cross join lateral (
        select c.day
          from (
            select f.newest_on - n as day from generate_series(1, 14) n
            union
            select o.day from ingest.open_day o
              where o.app_id = f.app_id and o.stream = f.stream and o.kind = 'incomplete' and o.day < f.newest_on
          ) c
          where not exists (
            select from rollup.stream_day d where d.stream = f.stream and d.app_id = f.app_id and d.day = c.day)
          offset 0
      ) m
      cross join lateral (
        select g.day, g.median_line_count
          from report.calendar_gap g
          where g.stream = f.stream and g.app_id = f.app_id and g.day = m.day and g.is_missing
          -- Keeps the medians of other days from being computed.
          offset 0
      ) g
      where g.median_line_count >= f.min_lines
  ), gone as (
    delete from ingest.open_day d
      where d.kind = 'incomplete' and d.app_id = any (apps) and not exists (
        select from missing m where m.app_id = d.app_id and m.stream = d.stream and m.day = d.day)
  )
  insert into ingest.open_day (app_id, stream, day, kind, reason)
    select m.app_id, m.stream, m.day, 'incomplete',
        format('No line, where a usual %s has %s. No period of the application from this day on is complete: load the '
          || 'file, or dismiss the day.', to_char(m.day, 'FMDay'), trim_scale(m.median_line_count))
      from missing m
      where not exists (
        select from ingest.failure_dismissal x
          where x.kind in ('implausible', 'incomplete') and x.stream = m.stream
            and x.path = format('%s/%s/%s', m.app_id, m.stream, to_char(m.day, 'YYYY-MM-DD')))
    on conflict do nothing;
end
$$;
comment on function rollup.judge_days is
  'Finds the days whose figures are implausible or that have no line, of the applications that this refresh has touched (NULL: of all), and keeps them in ingest.open_day. Part of rollup.refresh_horizons.';
