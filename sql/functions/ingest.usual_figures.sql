-- The loader may not read the sums of days, so this function does, and returns no more than three figures of each.
create or replace function ingest.usual_figures(p_day date)
returns table (app_id text, stream text, currency text, day_count integer, purchase_count numeric, median numeric,
  smallest numeric, largest numeric)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  with past as (
    select p_day - 7 * n as day from generate_series(1, 8) n
  ), figure as (
    select d.app_id, d.stream, null::text as currency, null::numeric as purchase_count, d.line_count::numeric as figure
    from past p
    join rollup.stream_day d on d.day = p.day
    union all
    select r.app_id, 'receipt', r.currency, sum(r.paid_count), sum(r.amount_minor)
    from past p
    join rollup.revenue_day r on r.day = p.day
    where r.paid_count > 0
    group by r.app_id, r.currency, r.day
  )
  select
    f.app_id,
    f.stream,
    f.currency,
    count(*)::integer,
    percentile_cont(0.5) within group (order by f.purchase_count::double precision)::numeric,
    percentile_cont(0.5) within group (order by f.figure::double precision)::numeric,
    min(f.figure),
    max(f.figure)
  from figure f
  group by f.app_id, f.stream, f.currency;
$$;
revoke execute on function ingest.usual_figures from public;
comment on function ingest.usual_figures is
  'The last eight same weekdays before a day: median, smallest and largest number of events of each application and stream (currency NULL), and paid amount in the minor unit of each application and currency, with the median of its paid purchases. day_count tells how many of these days have a figure; days without one are left out.';
