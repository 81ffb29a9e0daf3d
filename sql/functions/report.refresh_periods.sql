-- Users do not add up over days, so each period with a touched day is counted again from the days of its players.
create or replace function report.refresh_periods() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform report.empty_working_tables('staging.touched_period_day');
  insert into staging.touched_period_day (app_id, day, period, period_start)
    select distinct t.app_id, d.period_start, c.period, c.period_start
      from staging.touched_day t
      join report.calendar_period c on c.period_start between t.day - 31 and t.day and c.last_day >= t.day
      join report.calendar_period d
        on d.period = 'day' and d.period_start between c.period_start and c.last_day;
  analyze staging.touched_period_day;

  delete from report.player_period_rollup r
    using (select distinct t.app_id, t.period, t.period_start from staging.touched_period_day t) t
    where r.app_id = t.app_id and r.period = t.period and r.period_start = t.period_start;
  insert into report.player_period_rollup (app_id, period, period_start, observed_user_count, level_up_user_count,
      snapshot_user_count, new_user_count, payer_count, new_payer_count)
    with player as (
      select t.app_id, t.period, t.period_start, d.player_id, bool_or(d.is_observed) as is_observed,
          bool_or(d.level_up_count > 0) as has_level_up, bool_or(d.snapshot_count > 0) as has_snapshot,
          bool_or(d.paid_count > 0) as is_payer, bool_or(d.is_new_payer) as is_new_payer
        from staging.touched_period_day t
        join report.player_day_rollup d on d.day = t.day and d.app_id = t.app_id
        group by t.app_id, t.period, t.period_start, d.player_id
    ), counted as (
      select app_id, period, period_start, count(*) filter (where is_observed) as observed_user_count,
          count(*) filter (where has_level_up) as level_up_user_count,
          count(*) filter (where has_snapshot) as snapshot_user_count,
          count(*) filter (where is_payer) as payer_count,
          count(*) filter (where is_new_payer) as new_payer_count
        from player
        group by app_id, period, period_start
    ), new_user as (
      select t.app_id, t.period, t.period_start, count(*) as new_user_count
        from staging.touched_period_day t
        join report.first_observation o on o.app_id = t.app_id and o.first_observed_on = t.day
        group by t.app_id, t.period, t.period_start
    )
    select app_id, period, period_start, coalesce(c.observed_user_count, 0), coalesce(c.level_up_user_count, 0),
        coalesce(c.snapshot_user_count, 0), coalesce(n.new_user_count, 0), coalesce(c.payer_count, 0),
        coalesce(c.new_payer_count, 0)
      from counted c full join new_user n using (app_id, period, period_start);

  delete from report.payer_currency_period_rollup r
    using (select distinct t.app_id, t.period, t.period_start from staging.touched_period_day t) t
    where r.app_id = t.app_id and r.period = t.period and r.period_start = t.period_start;
  insert into report.payer_currency_period_rollup (app_id, currency, period, period_start, payer_count,
      amount_minor, new_payer_amount_minor)
    with player as (
      select t.app_id, r.currency, t.period, t.period_start, r.player_id, sum(r.amount_minor) as amount_minor
        from staging.touched_period_day t
        join report.purchase_rollup r on r.purchased_on = t.day and r.app_id = t.app_id
        where r.is_paid
        group by t.app_id, r.currency, t.period, t.period_start, r.player_id
    )
    select n.app_id, n.currency, n.period, n.period_start, count(*), sum(n.amount_minor),
        -- The player paid in the period, so the first paid purchase is not after it.
        coalesce(sum(n.amount_minor) filter (where p.first_paid_on >= n.period_start), 0)
      from player n join report.player_rollup p using (player_id)
      group by n.app_id, n.currency, n.period, n.period_start;
end
$$;
revoke execute on function report.refresh_periods from public;
comment on function report.refresh_periods is
  'Counts players, payers and revenue in the touched days, weeks and months. Part of report.refresh.';
