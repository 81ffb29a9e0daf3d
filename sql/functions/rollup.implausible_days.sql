-- The planner knows nothing of the days, and would compare each row with each. With these settings it reads the figures
-- of a feed by their index, because nothing else can, and joins the rest by hashes.
create or replace function rollup.implausible_days()
returns table (app_id text, stream text, day date, reason text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
  with span as materialized (
    -- The eight weeks before the fourteen days before.
    select j.app_id, j.stream, min(j.day) - 70 as first_day, max(j.day) as last_day from pg_temp.judged_day j group by j.app_id, j.stream
  ), figure as materialized (
    -- The lines, as in report.calendar_gap, and the paid amounts of the followed feed.
    select s.app_id, s.stream, '' as currency, d.day, d.line_count as value, d.line_count as weight
      from span s
      cross join lateral (
        select d.day, case when d.day = h.newest_on then coalesce(h.newest_day_line_count, d.line_count)
            else d.line_count end::double precision as line_count
          from rollup.horizon h
          join rollup.stream_day d on d.stream = h.stream and d.app_id = h.app_id
          where h.app_id = s.app_id and h.stream = s.stream and d.stream = s.stream and d.app_id = s.app_id
            and d.day between s.first_day and s.last_day and (s.stream <> 'receipt' or d.day <= h.newest_on)
          offset 0
      ) d
    union all
    select s.app_id, s.stream, p.currency, p.day, p.amount, p.paid_count
      from span s
      cross join lateral (
        select p.currency, p.period_start as day, p.amount_minor::double precision as amount,
            p.paid_count::double precision as paid_count
          from rollup.currency_period p
          where p.app_id = s.app_id and p.period = 'day' and p.period_start between s.first_day and s.last_day
            and p.paid_count > 0
          offset 0
      ) p
      join rollup.app_horizon a
        on a.app_id = s.app_id and s.stream = case a.receipt_feed when 'files' then 'receipt' else 'event' end
  ), series as materialized (
    select distinct f.app_id, f.stream, f.currency from figure f
  ), known as materialized (
    select f.app_id, f.stream, f.currency, f.day, f.value, f.weight
      from figure f
      where not exists (
        select from ingest.open_day o where o.app_id = f.app_id and o.stream = f.stream and o.day = f.day)
    union all
    -- A currency that ended alarms once.
    select c.app_id, c.stream, c.currency, x.day, 0, 0
      from series c
      join (
        select distinct d.app_id, d.stream, right(d.path, 10)::date as day
          from ingest.failure_dismissal d
          where d.kind in ('implausible', 'incomplete')
      ) x on x.app_id = c.app_id and x.stream = c.stream
      where c.currency <> '' and not exists (
        select from figure f
          where f.app_id = c.app_id and f.stream = c.stream and f.currency = c.currency and f.day = x.day)
  ), needed as materialized (
    select distinct c.app_id, c.stream, c.currency, j.day - n as day
      from pg_temp.judged_day j
      join series c on c.app_id = j.app_id and c.stream = j.stream
      cross join generate_series(0, 14) n
  ), usual as materialized (
    select n.app_id, n.stream, n.currency, n.day,
        percentile_cont(0.5) within group (order by k.value) as median,
        percentile_cont(0.5) within group (order by k.weight) as weight
      -- The fence lets the join hash the days, too.
      from (select n.*, n.day - w as day_before from needed n cross join generate_series(7, 56, 7) w offset 0) n
      join known k
        on k.app_id = n.app_id and k.stream = n.stream and k.currency = n.currency and k.day = n.day_before
      group by n.app_id, n.stream, n.currency, n.day
      having count(*) >= 3 and percentile_cont(0.5) within group (order by k.value) > 0
  ), compared as materialized (
    select j.app_id, j.stream, j.day, j.counts_zero, u.currency,
        max(u.median) filter (where u.day = j.day) as median, max(u.weight) filter (where u.day = j.day) as weight,
        min(k.value / u.median) filter (where u.day < j.day) as least,
        max(k.value / u.median) filter (where u.day < j.day) as largest
      from pg_temp.judged_day j
      join usual u on u.app_id = j.app_id and u.stream = j.stream and u.day between j.day - 14 and j.day
      left join known k on k.app_id = u.app_id and k.stream = u.stream and k.currency = u.currency and k.day = u.day
      group by j.app_id, j.stream, j.day, j.counts_zero, u.currency
      having count(k.value) filter (where u.day < j.day) >= 7
  ), least_weight as materialized (
    -- A campaign of pushes is many usual days, and lists of items come when somebody asks for them.
    select s.stream, a.is_amount, (
        select m.value::double precision
          from report.setting m
          where m.name = 'min-usual-lines.' || s.stream
            or m.name = 'min-usual-lines' and (a.is_amount or s.stream not in ('event', 'item'))
          order by length(m.name) desc
          limit 1) as weight
      from ingest.stream s
      cross join (values (false), (true)) a (is_amount)
  ), bad as (
    select b.*, coalesce(f.value, 0) as value, rank() over (partition by b.app_id, b.stream order by b.day) as place
      from compared b
      join least_weight w on w.stream = b.stream and w.is_amount = (b.currency <> '') and w.weight <= b.weight
      left join figure f on f.app_id = b.app_id and f.stream = b.stream and f.currency = b.currency and f.day = b.day
      left join figure l on l.app_id = b.app_id and l.stream = b.stream and l.currency = '' and l.day = b.day
      -- A few large purchases move an amount, and another unit moves it a hundredfold.
      cross join lateral (select case b.currency when '' then 1.5 else 10 end as factor) x
      where (f.day is not null or b.counts_zero or b.currency <> '' and l.day is not null)
        and (coalesce(f.value, 0) / b.median < b.least / x.factor or coalesce(f.value, 0) / b.median > b.largest * x.factor)
  )
  select b.app_id, b.stream, b.day, string_agg(
        format('%s %s, %s times a usual %s (%s); the 14 days before had %s to %s times.',
          case b.currency when '' then 'Lines:' else 'Paid in ' || b.currency || ':' end,
          round(b.value::numeric * coalesce(u.minor_unit_value, 1), coalesce(u.minor_unit, 0)),
          round((b.value / b.median)::numeric, 2), to_char(b.day, 'FMDay'),
          round(b.median::numeric * coalesce(u.minor_unit_value, 1), coalesce(u.minor_unit, 1)),
          round(b.least::numeric, 2), round(b.largest::numeric, 2)), ' ' order by b.currency)
      || ' No period of the application from this day on is complete: undo the load of a wrong file and load the right '
      || 'one, or dismiss the day.'
    from bad b
    left join game.currency u on u.currency = b.currency
    where b.place = 1
    group by b.app_id, b.stream, b.day;
end
$$;
comment on function rollup.implausible_days is
  'Of each feed the earliest of pg_temp.judged_day whose figures are implausible, with the figures in a sentence. Part of rollup.judge_days.';
