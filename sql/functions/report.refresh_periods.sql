create or replace function report.refresh_periods() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into staging.touched_period (app_id, period, period_start, last_day)
    select distinct t.app_id, c.period, c.period_start, c.last_day
      from staging.touched_day t
      join report.calendar_period c on c.period_start between t.day - 31 and t.day and c.last_day >= t.day;
  analyze staging.touched_period;

  delete from report.payer_period_rollup r
    using staging.touched_period t
    where r.app_id = t.app_id and r.period = t.period and r.period_start = t.period_start;
  insert into report.payer_period_rollup (app_id, period, period_start, payer_count, new_payer_count)
    select t.app_id, t.period, t.period_start, count(distinct d.player_id),
        count(distinct d.player_id) filter (where d.is_new_payer)
      from staging.touched_period t
      join report.player_day_rollup d on d.day between t.period_start and t.last_day and d.app_id = t.app_id
      where d.paid_count > 0
      group by t.app_id, t.period, t.period_start;

  delete from report.payer_currency_period_rollup r
    using staging.touched_period t
    where r.app_id = t.app_id and r.period = t.period and r.period_start = t.period_start;
  insert into report.payer_currency_period_rollup (app_id, currency, period, period_start, payer_count,
      amount_minor, new_payer_amount_minor)
    select t.app_id, r.currency, t.period, t.period_start, count(distinct r.player_id), sum(r.amount_minor),
        coalesce(sum(r.amount_minor) filter (where p.first_paid_on >= t.period_start), 0)
      from staging.touched_period t
      join report.purchase_rollup r on r.purchased_on between t.period_start and t.last_day and r.app_id = t.app_id
      join report.player_rollup p on p.player_id = r.player_id
      where r.is_paid
      group by t.app_id, r.currency, t.period, t.period_start;

  delete from report.observed_period_rollup r
    using staging.touched_period t
    where r.app_id = t.app_id and r.period = t.period and r.period_start = t.period_start;
  insert into report.observed_period_rollup (app_id, period, period_start, observed_user_count,
      level_up_user_count, snapshot_user_count, new_user_count)
    select t.app_id, t.period, t.period_start,
        count(distinct d.player_id) filter (where d.is_observed),
        count(distinct d.player_id) filter (where d.level_up_count > 0),
        count(distinct d.player_id) filter (where d.snapshot_count > 0),
        (select count(*) from report.first_observation o
          where o.app_id = t.app_id and o.first_observed_on between t.period_start and t.last_day)
      from staging.touched_period t
      join report.player_day_rollup d on d.day between t.period_start and t.last_day and d.app_id = t.app_id
      group by t.app_id, t.period, t.period_start, t.last_day;
end
$$;
revoke execute on function report.refresh_periods from public;
comment on function report.refresh_periods is
  'Computes the touched days, weeks and months of the rollups of payers and observed users. Part of report.refresh.';
