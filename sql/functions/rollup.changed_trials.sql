create or replace function rollup.changed_trials()
returns table (sign bigint, app_id text, gamebase_product_id text, month date, ends_at timestamptz, is_converted boolean)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    with period as (
      select c.*,
          -- A paid period belongs to the unpaid ones before it.
          count(*) filter (where c.is_paid) over chain - case when c.is_paid then 1 else 0 end as paid_before,
          c.is_trial and not (coalesce(lag(c.is_trial) over chain, false) and c.period_kind = 'renewal') as is_first
        from rollup.changed_chains() c
        where c.period_kind is not null
        window chain as (partition by c.sign, c.app_id, c.user_id, c.chain_id order by c.starts_at)
    ), numbered as (
      select p.*,
          count(*) filter (where p.is_first) over chain as trial_number,
          bool_or(p.is_converted) over (
            partition by p.sign, p.app_id, p.user_id, p.chain_id, p.paid_before) as is_followed
        from period p
        window chain as (partition by p.sign, p.app_id, p.user_id, p.chain_id order by p.starts_at)
    )
    select n.sign, n.app_id, max(n.gamebase_product_id) filter (where n.is_first),
        date_trunc('month', min(n.starts_on)::timestamp)::date, max(n.ends_at), bool_or(n.is_followed)
      from numbered n
      where n.is_trial
      group by n.sign, n.app_id, n.user_id, n.chain_id, n.trial_number;
end
$$;
revoke execute on function rollup.changed_trials from public;
comment on function rollup.changed_trials is
  'The trials of rollup.changed_chains, those in a row as one, and whether a converted period of the chain follows. Part of rollup.apply_sums.';
