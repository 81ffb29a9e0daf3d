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
    where d.ctid = any (array(
      select s.row_id
        from staging.touched_player t
        -- OFFSET keeps the planner from reading the days of all players.
        cross join lateral (select d.ctid as row_id
          from report.player_day_rollup d
          where d.player_id = t.player_id
            and d.day >= case when t.since = '-infinity' then '-infinity' else (t.since at time zone zone)::date end
          offset 0) s
        where t.since < 'infinity' and not t.is_later));

  perform report.empty_working_tables('staging.player_day');
  insert into staging.player_day (player_id, day, app_id, is_observed, level_up_count, snapshot_count, paid_count,
      ends_at)
    with happened as (
      select r.player_id, r.app_id, r.purchased_on as day, r.is_observation as is_observed, false as is_level_up,
          false as is_snapshot, r.is_paid
        from staging.player_purchase r
      union all
      select t.player_id, t.app_id, (e.event_at at time zone zone)::date, true,
          e.kind = 'level_up', e.kind = 'snapshot', false
        from staging.touched_player t join staging.level_event e on e.player_id = t.player_id
        where e.event_at >= t.since and e.kind <> 'load_start'
    )
    select h.player_id, h.day, h.app_id, bool_or(h.is_observed), count(*) filter (where h.is_level_up),
        count(*) filter (where h.is_snapshot), count(*) filter (where h.is_paid), c.ends_at
      from happened h join report.calendar_period c on c.period = 'day' and c.period_start = h.day
      group by h.player_id, h.day, h.app_id, c.ends_at;
  perform report.empty_working_tables('staging.level_point');
  insert into staging.level_point (player_id, until) select player_id, ends_at from staging.player_day;
  analyze staging.level_point;
  perform report.find_levels_at_points();

  insert into report.player_day_rollup (player_id, day, app_id, is_observed, level_up_count, snapshot_count,
      paid_count, is_new_payer, level_at_end)
    select d.player_id, d.day, d.app_id, d.is_observed, d.level_up_count, d.snapshot_count, d.paid_count,
        coalesce(d.day = p.first_paid_on, false), l.user_level
      from staging.player_day d
      join report.player_rollup p on p.player_id = d.player_id
      left join staging.level_at_point l on l.player_id = d.player_id and l.until = d.ends_at;
end
$$;
revoke execute on function report.refresh_player_days from public;
comment on function report.refresh_player_days is
  'Computes the days of the touched players in report.player_day_rollup. Part of report.refresh.';
