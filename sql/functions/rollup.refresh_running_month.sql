-- The newest instant of an application moves with almost every file, so what it cuts off is no sum. Only periods that end
-- after the start of the month, or less than 16 days before it, can tell of the month.
create or replace function rollup.refresh_running_month() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The periods of a player are found by the primary key, and each player's are read once. A nested loop of chains would grow
-- with the square of the chains.
set enable_nestloop = off
set enable_seqscan = off
as $$
begin
  delete from rollup.running_month r
    where not exists (
      select from rollup.app_horizon h where h.app_id = r.app_id and h.money_newest_at = r.newest_at);
  delete from rollup.churn_running c where not exists (select from rollup.running_month r where r.app_id = c.app_id);
  delete from rollup.mrr_running m where not exists (select from rollup.running_month r where r.app_id = m.app_id);

  with running as materialized (
    select h.app_id, c.starts_at, h.money_newest_at as newest_at
      from rollup.app_horizon h
      join rollup.calendar_period c
        on c.period = 'month' and c.starts_at <= h.money_newest_at and c.ends_at > h.money_newest_at
      where not exists (select from rollup.running_month r where r.app_id = h.app_id)
  ), period as materialized (
    select r.starts_at as month_at, r.newest_at, p.app_id, p.user_id, p.chain_id, p.gamebase_product_id, p.currency,
        p.is_paid, p.starts_at, p.ends_at, p.amount_minor, p.length_in_days,
        case when lead(p.period_kind) over chain = 'renewal' then lead(p.starts_at) over chain else p.ends_at end
          as active_until
      from running r
      cross join lateral (
        select *
          from rollup.subscription_period q
          -- Hours, because a day of an interval follows the clock of the session's zone.
          where q.app_id = r.app_id and q.ends_at >= r.starts_at - interval '384 hours' and q.period_kind is not null
          offset 0
      ) p
      window chain as (partition by p.chain_id order by p.starts_at)
  ), churn as (
    insert into rollup.churn_running (app_id, gamebase_product_id, churned_count)
      select c.app_id, c.gamebase_product_id, count(*)
        from (
          select p.app_id, bool_or(p.starts_at < p.month_at and p.active_until >= p.month_at) as was_active,
              max(p.gamebase_product_id) filter (where p.starts_at < p.month_at and p.active_until >= p.month_at)
                as gamebase_product_id,
              bool_or(p.starts_at <= p.newest_at and p.active_until > p.newest_at) as is_active
            from period p
            where p.is_paid
            group by p.app_id, p.user_id, p.chain_id
        ) c
        where c.was_active and not c.is_active
        group by c.app_id, c.gamebase_product_id
  ), chain as materialized (
    select p.app_id, p.user_id, p.chain_id, p.currency, p.month_at,
        coalesce(sum(p.amount_minor::numeric * f.twelfths) filter (
          where p.starts_at < p.month_at and p.ends_at >= p.month_at), 0) as twelfths_before,
        coalesce(sum(p.amount_minor::numeric * f.twelfths) filter (
          where p.starts_at <= p.newest_at and p.ends_at > p.newest_at), 0) as twelfths,
        count(*) filter (where f.twelfths is null and p.starts_at <= p.newest_at and p.ends_at > p.newest_at)
          as unknown_length_count
      from period p
      left join rollup.mrr_factor f on f.length_in_days = p.length_in_days
      where p.is_paid
      group by p.app_id, p.user_id, p.chain_id, p.currency, p.month_at
  ), known as materialized (
    select p.app_id, p.user_id, p.chain_id, p.currency
      from (
        select distinct c.app_id, c.user_id, c.month_at from chain c where c.twelfths_before = 0 and c.twelfths > 0
      ) u
      cross join lateral (
        select *
          from rollup.subscription_period q
          where q.app_id = u.app_id and q.user_id = u.user_id and q.starts_at < u.month_at and q.is_paid
            and q.period_kind is not null
          offset 0
      ) p
      join rollup.mrr_factor f on f.length_in_days = p.length_in_days
      group by p.app_id, p.user_id, p.chain_id, p.currency
  ), mrr as (
    insert into rollup.mrr_running (app_id, currency, new_twelfths, reactivated_twelfths, expansion_twelfths,
        contraction_twelfths, churned_twelfths, unknown_length_count)
      select c.app_id, c.currency,
          coalesce(sum(c.twelfths) filter (where c.twelfths_before = 0 and k.app_id is null), 0),
          coalesce(sum(c.twelfths) filter (where c.twelfths_before = 0 and k.app_id is not null), 0),
          coalesce(sum(c.twelfths - c.twelfths_before) filter (
            where c.twelfths_before > 0 and c.twelfths > c.twelfths_before), 0),
          coalesce(sum(c.twelfths_before - c.twelfths) filter (
            where c.twelfths > 0 and c.twelfths < c.twelfths_before), 0),
          coalesce(sum(c.twelfths_before) filter (where c.twelfths = 0), 0),
          sum(c.unknown_length_count)
        from chain c
        left join known k
          on k.app_id = c.app_id and k.user_id = c.user_id and k.chain_id = c.chain_id and k.currency = c.currency
        group by c.app_id, c.currency
  )
  insert into rollup.running_month (app_id, newest_at) select r.app_id, r.newest_at from running r;
end
$$;
revoke execute on function rollup.refresh_running_month from public;
comment on function rollup.refresh_running_month is
  'Computes the running month of applications whose newest instant or periods changed: rollup.churn_running and rollup.mrr_running. Part of a refresh.';
