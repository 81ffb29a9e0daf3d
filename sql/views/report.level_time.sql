create or replace view report.level_time as
select
  l.app_id,
  l.user_level,
  l.recorded_user_count as user_count,
  coalesce(max(t.total) filter (where t.kind = 'previous_level'), 0)::bigint as step_user_count,
  (min(t.minutes) filter (where t.kind = 'first_observed' and t.through >= t.total * 0.25))::numeric(14, 2) as p25_minutes_since_first_observed,
  (min(t.minutes) filter (where t.kind = 'first_observed' and t.through >= t.total * 0.5))::numeric(14, 2) as p50_minutes_since_first_observed,
  (min(t.minutes) filter (where t.kind = 'first_observed' and t.through >= t.total * 0.9))::numeric(14, 2) as p90_minutes_since_first_observed,
  (min(t.minutes) filter (where t.kind = 'previous_level' and t.through >= t.total * 0.25))::numeric(14, 2) as p25_minutes_since_previous_level,
  (min(t.minutes) filter (where t.kind = 'previous_level' and t.through >= t.total * 0.5))::numeric(14, 2) as p50_minutes_since_previous_level,
  (min(t.minutes) filter (where t.kind = 'previous_level' and t.through >= t.total * 0.9))::numeric(14, 2) as p90_minutes_since_previous_level
from rollup.level l
join (
  select d.app_id, d.user_level, d.kind,
    sum(d.user_count) over (partition by d.app_id, d.user_level, d.kind order by d.bucket) as through,
    sum(d.user_count) over (partition by d.app_id, d.user_level, d.kind) as total,
    -- The middle of the bucket; below 16 s the second itself.
    round(case when d.bucket < 16 then d.bucket
      else (2 * (d.bucket % 8 + 8) + 1) * 2 ^ (d.bucket / 8 - 1)::numeric / 2 end / 60.0, 2) as minutes
  from rollup.level_time d
) t on t.app_id = l.app_id and t.user_level = l.user_level
where l.recorded_user_count > 0
group by l.app_id, l.user_level, l.recorded_user_count;

comment on view report.level_time is
  'One row per application and level with at least one level-up: the minutes that users took to reach it. Each user counts once, with the first level-up to the level of any character. Percentiles from buckets of durations, within 6.3 %; rounded to 2 digits.';
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
