-- Those of a player whose touched rows come after all others are the new ones.
create or replace function report.stage_purchases() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform report.empty_working_tables('staging.player_purchase');
  insert into staging.player_purchase (player_id, app_id, purchased_at, purchased_on, is_paid, is_observation,
      source_file_id)
    select r.player_id, r.app_id, r.purchased_at, r.purchased_on, r.is_paid,
        r.is_sandbox is not true
          and coalesce(p.period_kind not in ('renewal', 'resubscription', 'continued'), true),
        r.source_file_id
      from (
        select n.payment_seq, n.player_id, n.app_id, n.purchased_at, n.purchased_on, n.is_paid, n.is_sandbox,
            n.source_file_id
          from staging.purchase n join staging.touched_player t on t.player_id = n.player_id
          where t.is_later
        union all
        select r.payment_seq, r.player_id, r.app_id, r.purchased_at, r.purchased_on, r.is_paid, r.is_sandbox,
            r.source_file_id
          from staging.touched_player t
          -- OFFSET keeps the planner from reading the purchases of all players.
          cross join lateral (select * from report.purchase_rollup r
            where r.player_id = t.player_id and r.purchased_at >= t.since offset 0) r
          where not t.is_later
      ) r
      left join report.subscription_period_rollup p on p.payment_seq = r.payment_seq;
end
$$;
revoke execute on function report.stage_purchases from public;
comment on function report.stage_purchases is
  'Copies the purchases of the touched players from since on to staging.player_purchase. Part of report.refresh.';
