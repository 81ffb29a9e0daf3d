-- A late receipt can join two chains or change the kind of every period of a chain, so all chains of a player with a
-- touched subscription receipt are computed again. Any receipt can be the original of a "continued" chain. Only rows
-- that differ are written, and staging.subscription_change keeps them for the days and cohorts.
--
-- Hours and not days are added to instants, because a day of an interval follows the clock of the session's zone.
create or replace function report.refresh_subscriptions() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The planner cannot know how many rows the steps of a statement have. A hash join is never slow.
set enable_nestloop = off
as $$
declare
  zone constant text := report.reporting_zone();
  newest constant bigint := (select source_file_id from report.refresh_state where stream = 'receipt');
  earlier_players bigint[];
begin
  update staging.touched_player t set has_changed_chain = true
    where t.has_receipt
      and (t.has_changed_purchase
        or exists (
          select 1 from staging.purchase p
            where p.player_id = t.player_id and p.expires_at is not null
              and p.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE') and p.is_sandbox is not true)
        or exists (
          select 1 from report.subscription_period_rollup p
            where p.player_id = t.player_id and p.period_kind = 'continued'));
  analyze staging.touched_player;
  perform report.chain_subscriptions();

  insert into staging.subscription_period (payment_seq, player_id, app_id, gamebase_product_id, store_code, currency,
      amount_minor, purchased_at, purchased_on, chain_id, chain_rule, starts_at, ends_at, starts_on, ends_on,
      length_in_days, period_kind, is_trial, is_paid, is_overlapped, is_converted, is_renewed, is_expiry,
      renewal_number, cohort_month, cohort_product_id)
    with placed as (
      select r.payment_seq, r.player_id, r.app_id, r.gamebase_product_id, r.store_code, r.currency, r.amount_minor,
          r.purchased_at, r.purchased_on, r.expires_at, r.is_paid,
          coalesce(r.amount_minor = 0, false) and r.is_promotion is not true as is_trial,
          r.chain_id, r.chain_rule,
          row_number() over chain as place,
          r.gamebase_product_id is distinct from lag(r.gamebase_product_id) over chain as is_switch
        from staging.subscription_receipt r
        window chain as (partition by r.chain_id order by r.purchased_at, r.expires_at, r.payment_seq)
    ), grouped as (
      -- Rows of one product that follow each other in the chain.
      select *, count(*) filter (where is_switch) over (partition by chain_id order by place) as product_run
        from placed
    ), started as (
      -- A receipt of another product has ended all periods before it, so a period waits only for those of its own
      -- product. The next receipt of another product cuts it: its end, and a start that lies ahead.
      select *,
          greatest(purchased_at, max(greatest(purchased_at, expires_at)) over (
            partition by chain_id, product_run order by place
            rows between unbounded preceding and 1 preceding)) as uncut_starts_at,
          min(purchased_at) over (
            partition by chain_id order by product_run groups between 1 following and 1 following) as cut_at
        from grouped
    ), bounded as (
      select *, least(uncut_starts_at, cut_at) as starts_at,
          least(greatest(uncut_starts_at, expires_at), cut_at) as ends_at
        from started
    ), numbered as (
      select *, starts_at = ends_at as is_overlapped,
          row_number() over (partition by chain_id, starts_at = ends_at order by place) as period_number,
          max(ends_at) over (
            partition by chain_id order by place rows between unbounded preceding and 1 preceding) as latest_ends_at
        from bounded
    ), named as (
      select *,
          case when is_overlapped then null when period_number = 1 then 'new'
            when purchased_at > latest_ends_at + interval '384 hours' then 'resubscription'
            else 'renewal' end as period_kind
        from numbered
    ), followed as (
      select *,
          lead(purchased_at) over period as next_purchased_at,
          coalesce(lead(period_kind) over period = 'renewal', false) as is_renewed,
          not is_overlapped and bool_and(period_kind <> 'resubscription') over period as is_unbroken,
          first_value(starts_at) over period as first_starts_at,
          first_value(gamebase_product_id) over period as first_product_id,
          max(period_number) filter (where is_trial) over period as trial_number,
          max(period_number) filter (where is_paid) over (
            partition by chain_id, is_overlapped order by place
            rows between unbounded preceding and 1 preceding) as paid_number
        from named
        window period as (partition by chain_id, is_overlapped order by place)
    )
    select payment_seq, player_id, app_id, gamebase_product_id, store_code, currency, amount_minor,
        purchased_at, purchased_on, chain_id, chain_rule, starts_at, ends_at,
        (starts_at at time zone zone)::date, (ends_at at time zone zone)::date,
        case when is_overlapped then 0
          else round(extract(epoch from expires_at - uncut_starts_at) / 86400) end,
        period_kind, is_trial, is_paid, is_overlapped,
        is_paid and coalesce(period_kind = 'renewal', false)
          and coalesce(trial_number > coalesce(paid_number, 0), false),
        not is_overlapped and is_renewed,
        not is_overlapped and coalesce(next_purchased_at > ends_at + interval '384 hours', true),
        case when is_unbroken then period_number end,
        case when is_unbroken then date_trunc('month', first_starts_at at time zone zone)::date end,
        case when is_unbroken then first_product_id end
      from followed;
  analyze staging.subscription_period;

  -- A first period whose reference or original tells of earlier ones: its chain is in no cohort. New receipts cannot
  -- make such a period of a stored one that is none, because the receipt of its original stays. Where the stored one
  -- is "continued", only a new receipt can be the original. Before the first refresh, all receipts are new.
  with suspected as materialized (
    select n.payment_seq, n.player_id, n.chain_id, r.is_numbered, r.original_payment_id, r.original_key,
        newest = 0 or o.period_kind is not distinct from 'continued' and not t.has_changed_purchase as is_known
      from staging.subscription_period n
      join staging.subscription_receipt r on r.payment_seq = n.payment_seq
      join staging.touched_player t on t.player_id = n.player_id
      left join report.subscription_period_rollup o on o.payment_seq = n.payment_seq
      where n.period_kind = 'new'
        and (t.has_changed_purchase or o.period_kind is distinct from 'new')
        and (r.is_numbered or r.original_key is not null and r.original_key is distinct from r.payment_key)
  ), original as materialized (
    select s.payment_seq
      from suspected s join staging.purchase p on p.player_id = s.player_id
      where not s.is_numbered and s.is_known and p.payment_id in (s.original_payment_id, s.original_key)
    union all
    select s.payment_seq
      from suspected s
      -- OFFSET keeps the planner from reading the purchases of all players.
      cross join lateral (select p.payment_id from report.purchase_rollup p where p.player_id = s.player_id offset 0) p
      where not s.is_numbered and not s.is_known and p.payment_id in (s.original_payment_id, s.original_key)
  ), continued as materialized (
    select s.payment_seq, s.chain_id
      from suspected s
      -- A renewal (GPA.1..1) is not the first payment (GPA.1).
      where s.is_numbered or not exists (select 1 from original o where o.payment_seq = s.payment_seq)
  )
  update staging.subscription_period n
    set period_kind = case when n.payment_seq = c.payment_seq then 'continued' else n.period_kind end,
      renewal_number = null, cohort_month = null, cohort_product_id = null
    from continued c
    where n.chain_id = c.chain_id;

  with removed as (
    delete from report.subscription_period_rollup o
      where o.ctid = any (array(
        select s.row_id
          from staging.touched_player t
          -- OFFSET keeps the planner from reading the periods of all players.
          cross join lateral (select p.ctid as row_id, p as stored, p.payment_seq
            from report.subscription_period_rollup p where p.player_id = t.player_id offset 0) s
          left join staging.subscription_period n on n.payment_seq = s.payment_seq
          where t.has_changed_chain and row(n.*) is distinct from row((s.stored).*)))
      returning o.*
  )
  insert into staging.subscription_change select -1, r.* from removed r;
  with added as (
    insert into report.subscription_period_rollup
      select n.* from staging.subscription_period n
      on conflict (payment_seq) do nothing
      returning *
  )
  insert into staging.subscription_change select 1, a.* from added a;
  analyze staging.subscription_change;

  -- A store renews by itself, so a renewal is no observation of the user. Where a purchase became one or stopped being
  -- one, its day and its player are touched from its time on.
  with moved as materialized (
    select payment_seq, min(player_id) as player_id, min(app_id) as app_id, min(purchased_on) as purchased_on,
        min(purchased_at) as purchased_at
      from staging.subscription_change
      group by payment_seq
      having sum(sign) filter (where period_kind in ('renewal', 'resubscription', 'continued')) <> 0
  ), earlier as (
    update staging.touched_player t
      set since = m.starts_at, read_since = least(t.read_since, m.starts_at), has_later_event = true, is_later = false
      from (
        select f.player_id, c.starts_at
          from (select player_id, min(purchased_on) as day from moved group by player_id) f
          join report.calendar_period c on c.period = 'day' and c.period_start = f.day
      ) m
      where t.player_id = m.player_id and m.starts_at < t.since
      returning t.player_id
  ), touched as (
    insert into staging.touched_day (app_id, day)
      select app_id, purchased_on from moved
      on conflict do nothing
  )
  select array_agg(player_id) into earlier_players from earlier;
  if earlier_players is not null then
    perform report.stage_stored_events(earlier_players);
  end if;
end
$$;
revoke execute on function report.refresh_subscriptions from public;
comment on function report.refresh_subscriptions is
  'Computes the chains and periods of the touched players in report.subscription_period_rollup. Part of report.refresh.';
