-- A new level changes the level at the end of each later day until the next one, so the days of a touched player are
-- computed again from the day of its earliest touched row on.
create or replace function report.refresh_player_days() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := report.reporting_zone();
begin
  delete from report.player_day_rollup d
    using staging.touched_player t
    where t.since < 'infinity' and d.player_id = t.player_id
      and d.day >= case when t.since = '-infinity' then '-infinity' else (t.since at time zone zone)::date end;

  insert into report.player_day_rollup (player_id, day, app_id, is_observed, level_up_count, snapshot_count,
      paid_count, is_new_payer, level_at_end)
    with started as materialized (
      select t.player_id, t.app_id, coalesce(c.starts_at, '-infinity') as since
        from staging.touched_player t
        left join report.calendar_period c
          on c.period = 'day' and c.period_start = (nullif(t.since, '-infinity') at time zone zone)::date
        where t.since < 'infinity'
    ), happened as (
      select s.player_id, s.app_id, r.purchased_on as day,
          r.is_sandbox is not true
            and coalesce(p.period_kind not in ('renewal', 'resubscription', 'continued'), true) as is_observed,
          false as is_level_up, false as is_snapshot, r.is_paid
        from started s
        join report.purchase_rollup r on r.player_id = s.player_id and r.purchased_at >= s.since
        left join report.subscription_period_rollup p on p.payment_seq = r.payment_seq
      union all
      select s.player_id, s.app_id, (e.event_at at time zone zone)::date, true,
          e.kind = 'level_up', e.kind = 'snapshot', false
        from started s
        join report.level_event_rollup e on e.player_id = s.player_id and e.event_at >= s.since
        where e.kind <> 'load_start'
    ), counted as (
      select player_id, app_id, day, bool_or(is_observed) as is_observed,
          count(*) filter (where is_level_up) as level_up_count,
          count(*) filter (where is_snapshot) as snapshot_count,
          count(*) filter (where is_paid) as paid_count
        from happened
        group by player_id, app_id, day
    )
    select n.player_id, n.day, n.app_id, n.is_observed, n.level_up_count, n.snapshot_count, n.paid_count,
        coalesce(n.day = p.first_paid_on, false), l.user_level
      from counted n
      join report.player_rollup p on p.player_id = n.player_id
      join report.calendar_period c on c.period = 'day' and c.period_start = n.day
      left join lateral report.level_before(n.player_id, c.ends_at) l on true;
end
$$;
revoke execute on function report.refresh_player_days from public;
comment on function report.refresh_player_days is
  'Computes the days of the touched players in report.player_day_rollup. Part of report.refresh.';
