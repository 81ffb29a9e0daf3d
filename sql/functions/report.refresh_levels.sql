-- Whether a user has stopped depends on the newest level-up of the application, so these counts are taken anew for
-- each application with a touched level-up.
create or replace function report.refresh_levels() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from report.level_rollup l
    using staging.touched_level_time t
    where t.kind = 'first_observed' and l.app_id = t.app_id and l.user_level = t.user_level
      and not exists (select 1 from report.level_time_histogram h
        where h.app_id = t.app_id and h.user_level = t.user_level and h.kind = t.kind);

  insert into report.level_rollup as l (app_id, user_level, recorded_user_count, step_user_count, first_reached_at,
      p25_minutes_since_first_observed, p50_minutes_since_first_observed, p90_minutes_since_first_observed,
      p25_minutes_since_previous_level, p50_minutes_since_previous_level, p90_minutes_since_previous_level)
    select f.app_id, f.user_level, f.value_count, coalesce(s.value_count, 0),
        -- The first time is searched only where the present one is removed: in the earliest span of the level.
        case when c.removed_at <= o.first_reached_at then (
            select min(r.reached_at)
              from report.player_level_rollup r
              where r.app_id = f.app_id and r.user_level = f.user_level and r.reached_span = (
                select n.reached_span
                  from report.player_level_rollup n
                  where n.app_id = f.app_id and n.user_level = f.user_level
                  order by n.reached_span
                  limit 1))
          else least(o.first_reached_at, c.added_at) end,
        f.minutes[1], f.minutes[2], f.minutes[3], s.minutes[1], s.minutes[2], s.minutes[3]
      from (
        select app_id, user_level, min(reached_at) filter (where change = 1) as added_at,
            min(reached_at) filter (where change = -1) as removed_at
          from staging.touched_level
          where change <> 0
          group by app_id, user_level
      ) c
      join report.level_time_histogram f
        on f.app_id = c.app_id and f.user_level = c.user_level and f.kind = 'first_observed'
      left join report.level_time_histogram s
        on s.app_id = c.app_id and s.user_level = c.user_level and s.kind = 'previous_level'
      left join report.level_rollup o on o.app_id = c.app_id and o.user_level = c.user_level
    on conflict (app_id, user_level) do update
      set recorded_user_count = excluded.recorded_user_count, step_user_count = excluded.step_user_count,
        first_reached_at = excluded.first_reached_at,
        p25_minutes_since_first_observed = excluded.p25_minutes_since_first_observed,
        p50_minutes_since_first_observed = excluded.p50_minutes_since_first_observed,
        p90_minutes_since_first_observed = excluded.p90_minutes_since_first_observed,
        p25_minutes_since_previous_level = excluded.p25_minutes_since_previous_level,
        p50_minutes_since_previous_level = excluded.p50_minutes_since_previous_level,
        p90_minutes_since_previous_level = excluded.p90_minutes_since_previous_level;

  with newest as (
    select s.app_id, max(s.last_level_up_at) - interval '168 hours' as week_before
      from report.player_progress_rollup s
      where s.app_id in (select app_id from staging.touched_level_player)
      group by s.app_id
  ), stopped as (
    select s.app_id, s.highest_level, count(*) as user_count,
        count(*) filter (where s.last_level_up_at <= n.week_before) as user_7d_count
      from report.player_progress_rollup s join newest n on n.app_id = s.app_id
      group by s.app_id, s.highest_level
  ), counted as (
    select l.app_id, l.user_level, coalesce(s.user_count, 0) as user_count,
        coalesce(s.user_7d_count, 0) as user_7d_count,
        coalesce(sum(s.user_count) over (partition by l.app_id order by l.user_level desc), 0) as reached_count
      from report.level_rollup l
      join newest n on n.app_id = l.app_id
      left join stopped s on s.app_id = l.app_id and s.highest_level = l.user_level
  )
  update report.level_rollup l
    set reached_user_count = n.reached_count, stopped_user_count = n.user_count,
      stopped_7d_count = n.user_7d_count
    from counted n
    where l.app_id = n.app_id and l.user_level = n.user_level
      and (l.reached_user_count, l.stopped_user_count, l.stopped_7d_count)
        is distinct from (n.reached_count, n.user_count, n.user_7d_count);
end
$$;
revoke execute on function report.refresh_levels from public;
comment on function report.refresh_levels is
  'Brings report.level_rollup up to date after report.refresh_level_times. Part of report.refresh_level_reports.';
