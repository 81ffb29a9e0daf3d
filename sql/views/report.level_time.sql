create or replace view report.level_time as
select
  l.app_id,
  l.user_level,
  l.recorded_user_count as user_count,
  coalesce(s.user_count, 0) as step_user_count,
  f.p25_minutes as p25_minutes_since_first_observed,
  f.p50_minutes as p50_minutes_since_first_observed,
  f.p90_minutes as p90_minutes_since_first_observed,
  s.p25_minutes as p25_minutes_since_previous_level,
  s.p50_minutes as p50_minutes_since_previous_level,
  s.p90_minutes as p90_minutes_since_previous_level
from rollup.level l
left join rollup.level_percentile f on f.app_id = l.app_id and f.user_level = l.user_level and f.kind = 'first_observed'
left join rollup.level_percentile s on s.app_id = l.app_id and s.user_level = l.user_level and s.kind = 'previous_level'
where l.recorded_user_count > 0;

comment on view report.level_time is
  'One row per application and level with at least one level-up: the minutes that users took to reach it. Each user counts once, with the first level-up to the level of any character. Percentiles from buckets of durations, within 6.3 %; rounded to 2 digits.';
comment on column report.level_time.user_count is 'Users with a level-up to this level. Users do not add up over levels.';
comment on column report.level_time.step_user_count is 'Those of them with a previous level: a lower level reached no later.';
comment on column report.level_time.p25_minutes_since_first_observed is '25th percentile of the minutes from the user''s first observation to the level, over user_count.';
comment on column report.level_time.p50_minutes_since_first_observed is 'Median of the minutes from the user''s first observation to the level, over user_count.';
comment on column report.level_time.p90_minutes_since_first_observed is '90th percentile of the minutes from the user''s first observation to the level, over user_count.';
comment on column report.level_time.p25_minutes_since_previous_level is '25th percentile of the minutes from the previous level, the highest lower one reached no later, over step_user_count; NULL without any.';
comment on column report.level_time.p50_minutes_since_previous_level is 'Median of the minutes from the previous level, over step_user_count; NULL without any.';
comment on column report.level_time.p90_minutes_since_previous_level is '90th percentile of the minutes from the previous level, over step_user_count; NULL without any.';
