create or replace view report.level_funnel as
with highest as (
  select app_id, user_id, max(user_level) as highest_level
  from game.level_up
  group by app_id, user_id
), level as (
  select app_id, user_level,
    count(distinct user_id) as recorded_user_count,
    min(leveled_up_at) as first_reached_at
  from game.level_up
  group by app_id, user_level
), stopped as (
  select app_id, highest_level, count(*) as user_count
  from highest
  group by app_id, highest_level
)
select
  l.app_id,
  l.user_level,
  l.recorded_user_count,
  sum(s.user_count)::bigint as reached_user_count,
  coalesce(sum(s.user_count) filter (where s.highest_level = l.user_level), 0)::bigint
    as stopped_user_count,
  l.first_reached_at
from level l
join stopped s on s.app_id = l.app_id and s.highest_level >= l.user_level
group by l.app_id, l.user_level, l.recorded_user_count, l.first_reached_at;

comment on view report.level_funnel is
  'One row per application and level with at least one level-up trace. Each user counts once, from level-up traces only.';
comment on column report.level_funnel.app_id is 'The application; empty when unknown.';
comment on column report.level_funnel.user_level is 'The level.';
comment on column report.level_funnel.recorded_user_count is 'Users with a trace of exactly this level.';
comment on column report.level_funnel.reached_user_count is 'Users whose highest level is this one or above, including users without a trace of this level.';
comment on column report.level_funnel.stopped_user_count is 'Users whose highest level is this one.';
comment on column report.level_funnel.first_reached_at is 'Time at which the first user reached the level.';
