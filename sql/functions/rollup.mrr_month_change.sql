create or replace function rollup.mrr_month_change()
returns table (app_id text, currency text, month date, change_count bigint, new_twelfths numeric,
  reactivated_twelfths numeric, expansion_twelfths numeric, contraction_twelfths numeric, churned_twelfths numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    with period as (
      select c.sign, c.app_id, c.chain, c.currency, c.starts_at,
          date_trunc('month', c.starts_on::timestamp)::date as first_month,
          date_trunc('month', c.ends_on::timestamp)::date as last_month,
          date_trunc('month', (min(c.starts_on) over (
            partition by c.chain, c.sign, c.currency))::timestamp)::date as chain_month,
          c.amount_minor::numeric * f.twelfths as twelfths
        from pg_temp.changed_chain c
        join rollup.mrr_factor f on f.length_in_days = c.length_in_days
        where c.is_paid and c.period_kind is not null
    ), active as materialized (
      -- Active at the ends of the months from the first one on, but not of the last one.
      select p.*, lag(p.last_month) over chain as previous_month, lag(p.twelfths) over chain as previous_twelfths,
          lead(p.first_month) over chain as next_month
        from period p
        where p.first_month < p.last_month
        window chain as (partition by p.chain, p.sign, p.currency order by p.starts_at)
    )
    select e.app_id, e.currency, e.month, sum(e.sign)::bigint,
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'new'), 0),
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'reactivated'), 0),
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'changed' and e.twelfths > 0), 0),
        coalesce(sum(-e.sign * e.twelfths) filter (where e.movement = 'changed' and e.twelfths < 0), 0),
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'churned'), 0)
      from (
        select a.sign, a.app_id, a.currency, a.first_month as month,
            case when a.previous_month = a.first_month then 'changed' when a.chain_month = a.first_month then 'new'
              else 'reactivated' end as movement,
            case when a.previous_month = a.first_month then a.twelfths - a.previous_twelfths else a.twelfths end as twelfths
          from active a
        union all
        select a.sign, a.app_id, a.currency, a.last_month, 'churned', a.twelfths
          from active a
          where a.next_month is distinct from a.last_month
      ) e
      where e.twelfths <> 0
      group by e.app_id, e.currency, e.month;
end
$$;
revoke execute on function rollup.mrr_month_change from public;
comment on function rollup.mrr_month_change is
  'Changes of the monthly prices of chains from one end of a month to the next, by currency.';
