create table rollup.cohort_level (
  app_id text collate "C" not null,
  cohort_month date not null,
  user_level integer not null,
  recorded_user_count bigint not null,
  stopped_user_count bigint not null,
  constraint cohort_level_key unique nulls not distinct (app_id, cohort_month, user_level)
) with (fillfactor = 90);
alter table rollup.cohort_level replica identity full;
comment on table rollup.cohort_level is
  'One row per application, month of the first observation and level with a level-up. Written by: rollup.add_up.';
comment on column rollup.cohort_level.app_id is 'The application.';
comment on column rollup.cohort_level.cohort_month is 'First day of the month in the reporting zone.';
comment on column rollup.cohort_level.user_level is 'The level.';
comment on column rollup.cohort_level.recorded_user_count is 'Users of the cohort with a level-up to the level.';
comment on column rollup.cohort_level.stopped_user_count is 'Users of the cohort whose highest level it is.';

-- report.revenue_by_hour groups by the expression of this index.
create index purchase_hour on rollup.purchase
  (app_id, date_bin(interval '1 hour', purchased_at, timestamptz '2000-01-01 00:00Z')) where is_paid;
