-- The flows from month to month depend on the neighbours of a period in its chain. So the sums of flows take all periods
-- of a touched player, as they are and as they were: what is the same in both cancels out.
create or replace function rollup.changed_chains()
returns table (sign bigint, app_id text, user_id text, chain_id text, gamebase_product_id text, currency text,
  amount_minor bigint, starts_at timestamptz, ends_at timestamptz, starts_on date, ends_on date, length_in_days integer,
  period_kind text, is_trial boolean, is_paid boolean, is_converted boolean)
language plpgsql stable
set search_path = pg_catalog, pg_temp
-- The planner knows nothing of how many players a refresh touches. Each one's periods are found by the primary key, and
-- the comparison of the periods with the added ones is never a nested loop.
set enable_nestloop = off
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  if (select c.is_full from pg_temp.current_refresh c) then
    return query
      select 1::bigint, p.app_id, p.user_id, p.chain_id, p.gamebase_product_id, p.currency, p.amount_minor, p.starts_at,
          p.ends_at, p.starts_on, p.ends_on, p.length_in_days, p.period_kind, p.is_trial, p.is_paid, p.is_converted
        from rollup.subscription_period p;
    return;
  end if;
  return query
    with touched as materialized (
      select distinct c.app_id, c.user_id from pg_temp.subscription_period_change c
    ), stored as materialized (
      select p.*
        from touched t
        cross join lateral (
          select * from rollup.subscription_period r where r.app_id = t.app_id and r.user_id = t.user_id offset 0
        ) p
    ), signed as (
      select 1::bigint as sign, s.* from stored s
      union all
      select -1, s.*
        from stored s
        where not exists (
          select from pg_temp.new_subscription_period n
            where n.app_id = s.app_id and n.user_id = s.user_id and n.payment_seq = s.payment_seq)
      union all
      select -1, g.* from pg_temp.gone_subscription_period g
    )
    select p.sign, p.app_id, p.user_id, p.chain_id, p.gamebase_product_id, p.currency, p.amount_minor, p.starts_at,
        p.ends_at, p.starts_on, p.ends_on, p.length_in_days, p.period_kind, p.is_trial, p.is_paid, p.is_converted
      from signed p;
end
$$;
revoke execute on function rollup.changed_chains from public;
comment on function rollup.changed_chains is
  'All subscription periods of players with a changed one: as they are with the sign 1, and as they were with the sign -1; in a full refresh all periods. Part of rollup.apply_sums.';
