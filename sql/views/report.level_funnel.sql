create or replace view report.level_funnel as
select
  l.app_id,
  l.user_level,
  l.recorded_user_count,
  sum(l.stopped_user_count) over (partition by l.app_id order by l.user_level desc)::bigint as reached_user_count,
  l.stopped_user_count,
  l.stopped_user_count - coalesce(a.active_user_count, 0) as stopped_7d_count
from rollup.level l
left join (
  -- Users with a level-up in the last 7 days before the newest one of the application.
  select p.app_id, p.highest_level, count(*) as active_user_count
  from (
    select app_id, newest_event_at - interval '168 hours' as week_before
    from rollup.horizon
    where stream = 'level_up'
  ) n
  join rollup.player p on p.app_id = n.app_id and p.last_level_up_at > n.week_before
  group by p.app_id, p.highest_level
) a on a.app_id = l.app_id and a.highest_level = l.user_level;

comment on view report.level_funnel is
  'One row per application and level with at least one level-up. Each user counts once, with all characters, from level-ups only.';
comment on column report.level_funnel.recorded_user_count is 'Users with a level-up to exactly this level. Users do not add up over levels.';
comment on column report.level_funnel.reached_user_count is 'Users whose highest level is this one or above, including users without a level-up to this level. Users do not add up over levels.';
comment on column report.level_funnel.stopped_user_count is 'Users whose highest level is this one.';
