create or replace function rollup.churn_month_change()
returns table (app_id text, gamebase_product_id text, month date, change_count bigint, active_change bigint,
  churned_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    with period as materialized (
      select c.sign, c.app_id, c.chain, c.gamebase_product_id, c.period_kind, c.is_paid, c.starts_at,
          date_trunc('month', c.starts_on::timestamp)::date as first_month,
          -- A chain stays active up to its renewal, which begins at most 16 days after the end.
          date_trunc('month', (case when lead(c.period_kind) over chain = 'renewal' then lead(c.starts_on) over chain
            else c.ends_on end)::timestamp)::date as last_month
        from pg_temp.changed_chain c
        -- Periods without length stand apart.
        window chain as (partition by c.chain, c.sign, c.period_kind is null order by c.starts_at)
    ), active as materialized (
      -- Active at the starts of the months after the first one, up to the last one.
      select p.*, lead(p.first_month) over chain as next_month
        from period p
        where p.is_paid and p.period_kind is not null and p.first_month < p.last_month
        window chain as (partition by p.chain, p.sign order by p.starts_at)
    )
    select e.app_id, e.gamebase_product_id, e.month, sum(e.sign)::bigint, sum(e.active_change * e.sign)::bigint,
        sum(e.churned_count * e.sign)::bigint
      from (
        -- Every product with a subscription has rows.
        select p.sign, p.app_id, p.gamebase_product_id, p.first_month as month, 0 as active_change, 0 as churned_count
          from period p
        union all
        select a.sign, a.app_id, a.gamebase_product_id, (a.first_month + interval '1 month')::date, 1, 0 from active a
        union all
        select a.sign, a.app_id, a.gamebase_product_id, (a.last_month + interval '1 month')::date, -1, 0 from active a
        union all
        select a.sign, a.app_id, a.gamebase_product_id, a.last_month, 0, 1
          from active a
          where a.next_month is distinct from a.last_month
      ) e
      group by e.app_id, e.gamebase_product_id, e.month;
end
$$;
revoke execute on function rollup.churn_month_change from public;
comment on function rollup.churn_month_change is
  'Chains with a paid period at the start of a month, and those of them that have none at its end, by product.';
