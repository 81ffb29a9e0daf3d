create or replace function rollup.subscription_day_change()
returns table (app_id text, gamebase_product_id text, store_code text, day date, change_count bigint,
  paid_change bigint, trial_change bigint, other_change bigint, new_count bigint, continued_count bigint,
  converted_count bigint, renewed_count bigint, resubscribed_count bigint, expired_count bigint,
  overlapped_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
-- The three days of a period are constants; a cache of them takes eight times as long.
set enable_memoize = off
as $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.gamebase_product_id, c.store_code, e.day, sum(c.sign)::bigint,
        sum(case when c.is_paid then e.step * c.sign else 0 end)::bigint,
        sum(case when c.is_trial then e.step * c.sign else 0 end)::bigint,
        sum(case when c.is_paid or c.is_trial then 0 else e.step * c.sign end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'new' then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'continued' then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.is_converted then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'renewal' then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'resubscription' then c.sign else 0 end)::bigint,
        sum(case when e.step = -1 and c.is_expiry then c.sign else 0 end)::bigint,
        sum(case when c.period_kind is null then c.sign else 0 end)::bigint
      from pg_temp.subscription_period_change c
      cross join lateral (
        select c.starts_on as day, 1 as step where c.period_kind is not null
        union all
        select c.ends_on, -1 where c.period_kind is not null
        union all
        select c.purchased_on, 0 where c.period_kind is null
      ) e
      group by c.app_id, c.gamebase_product_id, c.store_code, e.day;
end
$$;
revoke execute on function rollup.subscription_day_change from public;
comment on function rollup.subscription_day_change is
  'Starts, ends and overlaps of subscription periods by day, product and store.';
