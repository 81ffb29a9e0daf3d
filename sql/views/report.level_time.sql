create or replace view report.level_time as
select
  app_id,
  user_level,
  recorded_user_count as user_count,
  step_user_count,
  p25_minutes_since_first_observed,
  p50_minutes_since_first_observed,
  p90_minutes_since_first_observed,
  p25_minutes_since_previous_level,
  p50_minutes_since_previous_level,
  p90_minutes_since_previous_level
from report.level_rollup;

comment on view report.level_time is
  'One row per application and level with at least one level-up: the minutes that users took to reach it. Each user counts once, with the first level-up to the level of any character. Percentiles as of percentile_cont.';
comment on column report.level_time.app_id is 'The application; empty when unknown.';
comment on column report.level_time.user_level is 'The level.';
comment on column report.level_time.user_count is 'Users with a level-up to this level. Users do not add up over levels.';
comment on column report.level_time.step_user_count is 'Those of them with a previous level: a lower level reached no later.';
comment on column report.level_time.p25_minutes_since_first_observed is '25th percentile of the minutes from the user''s first observation to the level, over user_count.';
comment on column report.level_time.p50_minutes_since_first_observed is 'Median of the minutes from the user''s first observation to the level, over user_count.';
comment on column report.level_time.p90_minutes_since_first_observed is '90th percentile of the minutes from the user''s first observation to the level, over user_count.';
comment on column report.level_time.p25_minutes_since_previous_level is '25th percentile of the minutes from the previous level, the highest lower one reached no later, over step_user_count; NULL without any.';
comment on column report.level_time.p50_minutes_since_previous_level is 'Median of the minutes from the previous level, over step_user_count; NULL without any.';
comment on column report.level_time.p90_minutes_since_previous_level is '90th percentile of the minutes from the previous level, over step_user_count; NULL without any.';
