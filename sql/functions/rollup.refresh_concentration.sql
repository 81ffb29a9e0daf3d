create or replace function rollup.refresh_concentration(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from rollup.concentration_month m
    where p_is_full or (m.app_id, m.month) in (
      select r.app_id, date_trunc('month', r.day::timestamp)::date from pg_temp.payment_change r);
  insert into rollup.concentration_month (month, app_id, currency, top_share, payer_count, amount_minor,
      total_amount_minor)
  with touched as materialized (
    select r.app_id, date_trunc('month', r.day::timestamp)::date as month
      from pg_temp.payment_change r
      group by r.app_id, date_trunc('month', r.day::timestamp)
  ), payer as (
    -- The range of days of each month is one range of the index.
    select t.app_id, t.month, p.currency, p.amount_minor
      from touched t
      cross join lateral (
        select r.currency, sum(r.amount_minor) as amount_minor
          from rollup.purchase r
          where r.app_id = t.app_id and r.day >= t.month and r.day < t.month + interval '1 month' and r.is_paid
          group by r.currency, r.user_id
          offset 0
      ) p
  ), ranked as materialized (
    -- Payers with the same amount are interchangeable.
    select p.app_id, p.month, p.currency, row_number() over by_amount as place,
        sum(p.amount_minor) over by_amount as amount_minor
      from payer p
      window by_amount as (partition by p.app_id, p.month, p.currency order by p.amount_minor desc
        rows between unbounded preceding and current row)
  ), top as (
    select t.app_id, t.month, t.currency, s.top_share, ceil(s.top_share * t.payer_count)::bigint as payer_count,
        t.amount_minor as total_amount_minor
      from (
        select r.app_id, r.month, r.currency, max(r.place) as payer_count, max(r.amount_minor) as amount_minor
          from ranked r
          group by r.app_id, r.month, r.currency
      ) t
      cross join (values (0.01), (0.05), (0.1), (0.25), (0.5), (1)) s (top_share)
      -- First of all, so that the ranked payers are joined to a few rows.
      offset 0
  )
  select t.month, t.app_id, t.currency, t.top_share, t.payer_count, r.amount_minor, t.total_amount_minor
    from top t
    join ranked r on r.app_id = t.app_id and r.month = t.month and r.currency = t.currency and r.place = t.payer_count;
end
$$;
comment on function rollup.refresh_concentration is
  'Computes the months with a changed paid purchase of rollup.concentration_month. Part of rollup.add_sums.';
