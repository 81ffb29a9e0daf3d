create or replace view report.level_funnel_by_cohort as
select
  l.app_id,
  l.cohort_month,
  l.user_level,
  sum(l.stopped_user_count) over (partition by l.app_id, l.cohort_month order by l.user_level desc)::bigint
    as reached_user_count,
  l.stopped_user_count,
  l.stopped_user_count - coalesce(a.active_user_count, 0) as stopped_7d_count
from rollup.cohort_level l
left join (
  -- Users with a level-up in the last 7 days before the newest one of the application.
  select p.app_id, date_trunc('month', p.first_observed_on::timestamp)::date as cohort_month, p.highest_level,
    count(*) as active_user_count
  from (
    select app_id, newest_event_at - interval '168 hours' as week_before
    from rollup.horizon
    where stream = 'level_up'
  ) n
  join rollup.player p on p.app_id = n.app_id and p.last_level_up_at > n.week_before
  group by p.app_id, date_trunc('month', p.first_observed_on::timestamp)::date, p.highest_level
) a on a.app_id = l.app_id and a.cohort_month = l.cohort_month and a.highest_level = l.user_level
-- Of these cohorts, retention has dropped level-ups.
where not exists (
  select from rollup.dropped_month d
  join rollup.calendar_period c on c.period = 'month' and c.starts_at < d.ends_at
  where d.stream = 'level_up' and c.period_start = l.cohort_month
);

comment on view report.level_funnel_by_cohort is
  'One row per application, month of the first observation and level that a user of the cohort recorded. Each user counts once, with all characters, from level-ups only. A cohort has no row when it begins before the end of the newest month of level-ups that retention dropped.';
comment on column report.level_funnel_by_cohort.cohort_month is 'The cohort: first day of the month, in the reporting zone, in which its users were first observed.';
comment on column report.level_funnel_by_cohort.reached_user_count is 'Users of the cohort whose highest level is this one or above, including users without a level-up to this level. Users do not add up over levels.';
comment on column report.level_funnel_by_cohort.stopped_user_count is 'Users of the cohort whose highest level is this one. These add up to the users of report.level_funnel.';
