-- New purchases only add to the rows of their players. Where a purchase that the reports contain already may have
-- changed, or its level may have, all rows of the player are computed again.
create or replace function report.refresh_level_revenue() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform report.empty_working_tables('staging.touched_payer', 'staging.touched_level_revenue');

  insert into staging.touched_payer (player_id, app_id, is_replaced)
    select t.player_id, t.app_id, k.is_replaced
      from staging.touched_player t
      left join report.player_rollup p on p.player_id = t.player_id
      cross join lateral (select t.has_changed_purchase or p.player_id is null as is_replaced) k
      where t.has_receipt or k.is_replaced;
  analyze staging.touched_payer;

  with gone as (
    delete from report.player_level_revenue_rollup r
      using staging.touched_payer t
      where t.is_replaced and r.player_id = t.player_id
      returning t.app_id, r.currency, r.user_level, r.level_attribution, r.paid_count, r.amount_minor
  )
  insert into staging.touched_level_revenue (app_id, currency, user_level, level_attribution, payer_count, paid_count,
      amount_minor)
    select app_id, currency, user_level, level_attribution, -1, -paid_count, -amount_minor from gone;

  -- A row that has no more purchases than were added is new, and so is the payer in it. OFFSET 0 has the planner look
  -- the players up one by one, whatever it expects.
  with added as materialized (
    select r.player_id, r.app_id, r.currency, coalesce(r.user_level, -1) as user_level, r.level_attribution,
        count(*) as paid_count, sum(r.amount_minor) as amount_minor
      from (
        select r.*
          from staging.touched_payer t,
            lateral (select * from report.purchase_rollup r where r.player_id = t.player_id offset 0) r
          where t.is_replaced
        union all
        select n.*
          from staging.purchase n join staging.touched_payer t on t.player_id = n.player_id
          where not t.is_replaced
      ) r
      where r.is_paid
      group by r.player_id, r.app_id, r.currency, r.user_level, r.level_attribution
  ), stored as (
    insert into report.player_level_revenue_rollup as r (player_id, currency, user_level, level_attribution,
        paid_count, amount_minor)
      select player_id, currency, user_level, level_attribution, paid_count, amount_minor
        from added
        order by player_id
      on conflict (player_id, currency, user_level, level_attribution) do update
        set paid_count = r.paid_count + excluded.paid_count, amount_minor = r.amount_minor + excluded.amount_minor
      returning r.player_id, r.currency, r.user_level, r.level_attribution, r.paid_count
  )
  insert into staging.touched_level_revenue (app_id, currency, user_level, level_attribution, payer_count, paid_count,
      amount_minor)
    select a.app_id, a.currency, a.user_level, a.level_attribution,
        case when s.paid_count = a.paid_count then 1 else 0 end, a.paid_count, a.amount_minor
      from added a
      join stored s on s.player_id = a.player_id and s.currency = a.currency and s.user_level = a.user_level
        and s.level_attribution = a.level_attribution;

  insert into report.revenue_level_rollup as r (app_id, currency, user_level, level_attribution, payer_count,
      paid_count, amount_minor)
    select app_id, currency, nullif(user_level, -1), level_attribution, sum(payer_count), sum(paid_count),
        sum(amount_minor)
      from staging.touched_level_revenue
      group by app_id, currency, user_level, level_attribution
      having sum(payer_count) <> 0 or sum(paid_count) <> 0 or sum(amount_minor) <> 0
    on conflict (app_id, currency, user_level, level_attribution) do update
      set payer_count = r.payer_count + excluded.payer_count, paid_count = r.paid_count + excluded.paid_count,
        amount_minor = r.amount_minor + excluded.amount_minor;
  delete from report.revenue_level_rollup where paid_count = 0;
end
$$;
revoke execute on function report.refresh_level_revenue from public;
comment on function report.refresh_level_revenue is
  'Brings report.player_level_revenue_rollup and report.revenue_level_rollup up to date. Part of report.refresh_level_reports.';
