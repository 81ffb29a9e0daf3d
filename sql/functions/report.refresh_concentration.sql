create or replace function report.refresh_concentration() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  first_day constant date := (select date_trunc('month', min(t.day)::timestamp) from staging.touched_day t);
  last_day constant date := (select date_trunc('month', max(t.day)::timestamp) + interval '1 month' - interval '1 day'
    from staging.touched_day t);
begin
  delete from report.concentration_month_rollup r
    using (select distinct t.app_id, date_trunc('month', t.day::timestamp)::date as month from staging.touched_day t) m
    where r.month = m.month and r.app_id = m.app_id;

  insert into report.concentration_month_rollup (month, app_id, currency, top_share, payer_count, amount_minor,
      total_amount_minor)
    with touched as (
      select distinct t.app_id, date_trunc('month', t.day::timestamp)::date as month
        from staging.touched_day t
    ), touched_day as (
      select t.app_id, t.month, t.month + n as day
        from touched t cross join generate_series(0, 30) n
        where t.month + n < t.month + interval '1 month'
    ), payer as (
      select d.month, d.app_id, r.currency, r.player_id, sum(r.amount_minor) as amount_minor
        from touched_day d
        join report.purchase_rollup r on r.purchased_on = d.day and r.app_id = d.app_id
        -- From the first to the last of these days, the planner knows how many purchases it reads.
        where r.is_paid and r.purchased_on between first_day and last_day
        group by d.month, d.app_id, r.currency, r.player_id
    ), ranked as materialized (
      -- Payers with the same amount are interchangeable.
      select p.month, p.app_id, p.currency,
          row_number() over by_amount as place, sum(p.amount_minor) over by_amount as amount_minor
        from payer p
        window by_amount as (partition by p.month, p.app_id, p.currency order by p.amount_minor desc
          rows between unbounded preceding and current row)
    ), total as (
      select r.month, r.app_id, r.currency, max(r.place) as payer_count, max(r.amount_minor) as amount_minor
        from ranked r
        group by r.month, r.app_id, r.currency
    ), share as (
      select t.month, t.app_id, t.currency, s.top_share, ceil(s.top_share * t.payer_count)::bigint as payer_count,
          t.amount_minor as total_amount_minor
        from total t cross join (values (0.01), (0.05), (0.1), (0.25), (0.5), (1)) s (top_share)
    )
    select s.month, s.app_id, s.currency, s.top_share, s.payer_count, r.amount_minor, s.total_amount_minor
      from share s
      join ranked r on r.month = s.month and r.app_id = s.app_id and r.currency = s.currency
        and r.place = s.payer_count;
end
$$;
revoke execute on function report.refresh_concentration from public;
comment on function report.refresh_concentration is
  'Computes the touched months of report.concentration_month_rollup. Part of report.refresh_cohorts.';
