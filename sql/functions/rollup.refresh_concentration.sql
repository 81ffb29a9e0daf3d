create or replace function rollup.refresh_concentration(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from rollup.concentration_month m
    where p_is_full or (m.app_id, m.month) in (
      select r.app_id, date_trunc('month', r.day::timestamp)::date from pg_temp.payment_change r);
  insert into rollup.concentration_month (month, app_id, currency, top_share, payer_count, amount_minor, total_amount_minor)
  with touched as materialized (
    select r.app_id, date_trunc('month', r.day::timestamp)::date as month
      from pg_temp.payment_change r
      group by r.app_id, date_trunc('month', r.day::timestamp)
  ), ranked as (
    -- Payers with the same amount are interchangeable.
    select t.app_id, t.month, p.currency, row_number() over by_amount as place, sum(p.amount_minor) over by_amount as amount_minor,
        count(*) over together as payer_count, sum(p.amount_minor) over together as total_amount_minor
      from touched t
      -- The range of days of each month is one range of the index.
      cross join lateral (
        select r.currency, sum(r.amount_minor) as amount_minor
          from rollup.purchase r
          where r.app_id = t.app_id and r.day >= t.month and r.day < t.month + interval '1 month' and r.is_paid
          group by r.currency, r.user_id
          offset 0
      ) p
      window together as (partition by t.app_id, t.month, p.currency),
        by_amount as (together order by p.amount_minor desc rows between unbounded preceding and current row)
  )
  select r.month, r.app_id, r.currency, s.top_share, r.place, r.amount_minor, r.total_amount_minor
    from ranked r
    join (values (0.01, 1), (0.05, 5), (0.1, 10), (0.25, 25), (0.5, 50), (1, 100)) s (top_share, percent)
      on r.place = (s.percent * r.payer_count + 99) / 100;
end
$$;
comment on function rollup.refresh_concentration is
  'Computes the months with a changed paid purchase of rollup.concentration_month. Part of rollup.add_sums.';
