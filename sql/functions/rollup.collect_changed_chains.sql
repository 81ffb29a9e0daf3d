-- The flows from month to month depend on the neighbours of a period in its chain. So the sums of flows take all periods
-- of a changed chain, as they are and as they were: what is the same in both cancels out. A chain's id is of one player.
create or replace function rollup.collect_changed_chains() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The planner knows nothing of how many players a refresh touches. Each one's periods are found by the primary key, and
-- the comparison of the periods with the changed ones is never a nested loop.
set enable_nestloop = off
set enable_seqscan = off
as $$
begin
  if (select c.is_full from pg_temp.current_refresh c) then
    create temporary view changed_chain as
      select 1::bigint as sign, p.chain_id as chain, p.app_id, p.gamebase_product_id, p.currency, p.amount_minor,
          p.length_in_days, p.period_kind, p.is_trial, p.is_paid, p.is_converted, p.starts_at, p.ends_at, p.starts_on, p.ends_on
        from rollup.subscription_period p;
  else
    create temporary table changed_chain on commit drop as
      with touched as materialized (
        -- A number sorts faster than an id.
        select c.app_id, c.user_id, c.chain_id, row_number() over ()::integer as chain
          from (select distinct c.app_id, c.user_id, c.chain_id from pg_temp.subscription_period_change c) c
      ), stored as materialized (
        select t.chain, p.user_id, p.payment_seq, p.app_id, p.gamebase_product_id, p.currency, p.amount_minor,
            p.length_in_days, p.period_kind, p.is_trial, p.is_paid, p.is_converted, p.starts_at, p.ends_at, p.starts_on,
            p.ends_on
          from (select distinct t.app_id, t.user_id from touched t) u
          cross join lateral (
            select * from rollup.subscription_period r where r.app_id = u.app_id and r.user_id = u.user_id offset 0
          ) p
          join touched t on t.app_id = p.app_id and t.user_id = p.user_id and t.chain_id = p.chain_id
      )
      select 1::bigint as sign, s.chain, s.app_id, s.gamebase_product_id, s.currency, s.amount_minor, s.length_in_days, s.period_kind,
          s.is_trial, s.is_paid, s.is_converted, s.starts_at, s.ends_at, s.starts_on, s.ends_on
        from stored s
      union all
      select -1, s.chain, s.app_id, s.gamebase_product_id, s.currency, s.amount_minor, s.length_in_days, s.period_kind,
          s.is_trial, s.is_paid, s.is_converted, s.starts_at, s.ends_at, s.starts_on, s.ends_on
        from stored s
        where not exists (
          select from pg_temp.new_subscription_period n
            where n.app_id = s.app_id and n.user_id = s.user_id and n.payment_seq = s.payment_seq)
      union all
      select -1, t.chain, g.app_id, g.gamebase_product_id, g.currency, g.amount_minor, g.length_in_days, g.period_kind,
          g.is_trial, g.is_paid, g.is_converted, g.starts_at, g.ends_at, g.starts_on, g.ends_on
        from pg_temp.gone_subscription_period g join touched t using (app_id, user_id, chain_id);
  end if;

  create temporary table changed_trial on commit drop as
    with period as (
      select c.*,
          -- A paid period belongs to the unpaid ones before it.
          count(*) filter (where c.is_paid) over chain - case when c.is_paid then 1 else 0 end as paid_before,
          c.is_trial and not (coalesce(lag(c.is_trial) over chain, false) and c.period_kind = 'renewal') as is_first
        from pg_temp.changed_chain c
        -- Few chains have a trial.
        where c.period_kind is not null and c.chain in (select t.chain from pg_temp.changed_chain t where t.is_trial)
        window chain as (partition by c.chain, c.sign order by c.starts_at)
    ), numbered as (
      select p.*,
          count(*) filter (where p.is_first) over chain as trial_number,
          bool_or(p.is_converted) over (
            partition by p.chain, p.sign, p.paid_before) as is_followed
        from period p
        window chain as (partition by p.chain, p.sign order by p.starts_at)
    )
    select n.sign, n.app_id, max(n.gamebase_product_id) filter (where n.is_first) as gamebase_product_id,
        date_trunc('month', min(n.starts_on)::timestamp)::date as month, max(n.ends_at) as ends_at,
        bool_or(n.is_followed) as is_converted
      from numbered n
      where n.is_trial
      group by n.chain, n.sign, n.app_id, n.trial_number;
end
$$;
revoke execute on function rollup.collect_changed_chains from public;
comment on function rollup.collect_changed_chains is
  'Collects the subscription periods of changed chains in pg_temp.changed_chain, and their trials, those in a row as one, in pg_temp.changed_trial: as they are with the sign 1, and as they were with the sign -1; in a full refresh all as they are. Part of rollup.apply_sums.';
