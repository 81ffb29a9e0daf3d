create or replace view report.level_funnel as
select
  app_id,
  user_level,
  recorded_user_count,
  reached_user_count,
  stopped_user_count,
  first_reached_at,
  stopped_7d_count
from report.level_rollup;

comment on view report.level_funnel is
  'One row per application and level with at least one level-up. Each user counts once, with all characters, from level-ups only.';
comment on column report.level_funnel.app_id is 'The application; empty when unknown.';
comment on column report.level_funnel.user_level is 'The level.';
comment on column report.level_funnel.recorded_user_count is 'Users with a level-up to exactly this level. Users do not add up over levels.';
comment on column report.level_funnel.reached_user_count is 'Users whose highest level is this one or above, including users without a level-up to this level. Users do not add up over levels.';
comment on column report.level_funnel.stopped_user_count is 'Users whose highest level is this one.';
comment on column report.level_funnel.first_reached_at is 'Time at which the first user reached the level.';
comment on column report.level_funnel.stopped_7d_count is 'Of stopped_user_count, users without any level-up in the 7 × 24 hours before the newest level-up of the application.';
