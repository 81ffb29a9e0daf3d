-- The funnel of levels by the month in which users were first observed.
\ir parts/reports.sql
select plan(7);

-- June: u1 and u2; July: u3, first observed by a snapshot, and u4. The newest level-up is at 2025-07-20 00:00.
insert into new_level_up (user_id, user_level, character_id, leveled_up_at) values
  ('u1', 1, null, '2025-06-01 10:00Z'), ('u1', 2, null, '2025-06-02 10:00Z'), ('u1', 4, null, '2025-07-13 00:00Z'),
  ('u2', 1, null, '2025-06-30 10:00Z'), ('u2', 2, null, '2025-07-13 00:00:00.001Z'),
  ('u3', 3, 'c', '2025-07-02 10:00Z'), ('u3', 1, 'd', '2025-07-03 10:00Z'),
  ('u4', 1, null, '2025-07-20 00:00Z');
insert into new_game_user (user_id, user_level, observed_at) values
  ('u3', 3, '2025-07-01 10:00Z'), ('u5', 9, '2025-07-01 10:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows('select * from report.level_funnel_by_cohort', $$
  a 2025-06-01 1 2 0 0
  a 2025-06-01 2 2 1 0    # u2, who has a level-up in the last 7 days
  a 2025-06-01 4 1 1 1    # u1, exactly 7 days before the newest; nobody recorded level 3
  a 2025-07-01 1 2 1 0    # u4
  a 2025-07-01 3 1 1 1    # u3 with both characters
  $$, 'users by month, recorded level and highest level');
create temporary view identity as
  select f.user_level, f.stopped_user_count, f.stopped_7d_count,
      sum(c.stopped_user_count) as stopped_of_cohorts, sum(c.stopped_7d_count) as stopped_7d_of_cohorts
    from report.level_funnel f left join report.level_funnel_by_cohort c using (app_id, user_level)
    group by f.user_level, f.stopped_user_count, f.stopped_7d_count;
select is_empty($$ select * from identity where stopped_user_count <> stopped_of_cohorts or stopped_7d_count <> stopped_7d_of_cohorts $$,
  'the cohorts add up to report.level_funnel');

-- u4 goes on, u1 reaches level 3 below the highest, and a file that makes u5 older is undone.
insert into new_level_up (user_id, user_level, leveled_up_at) values
  ('u4', 2, '2025-07-20 00:01Z'), ('u4', 3, '2025-07-20 00:02Z'), ('u1', 3, '2025-07-19 00:00Z');
insert into new_game_user (user_id, user_level, observed_at) values ('u3', 3, '2025-05-31 23:00Z');
select pg_temp.load_lines('second');
\ir parts/refresh.sql
select pg_temp.shows('select * from report.level_funnel_by_cohort', $$
  a 2025-05-01 1 1 0 0
  a 2025-05-01 3 1 1 1
  a 2025-06-01 1 2 0 0
  a 2025-06-01 2 2 1 1    # u2, 7 days and more before the newest at 2025-07-20 00:02
  a 2025-06-01 3 1 0 0
  a 2025-06-01 4 1 1 0
  a 2025-07-01 1 1 0 0
  a 2025-07-01 2 1 0 0
  a 2025-07-01 3 1 1 0 $$, 'appended and inserted levels, and a user who moves to an earlier cohort');
select ingest.undo_files('game_user', array[pg_temp.file('second')]) from ingest.hold_stream('game_user') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows($$ select * from report.level_funnel_by_cohort where cohort_month <> '2025-06-01' $$, $$
  a 2025-07-01 1 2 0 0
  a 2025-07-01 2 2 0 0
  a 2025-07-01 3 2 2 1 $$, 'an undo moves the user back');
select is_empty($$ select * from identity where stopped_user_count <> stopped_of_cohorts or stopped_7d_count <> stopped_7d_of_cohorts $$,
  'the cohorts still add up');
create temporary table before_full as select l::text as line from rollup.cohort_level l;
\ir parts/refresh_full.sql
select set_eq('select l::text from rollup.cohort_level l', 'select line from before_full', 'a rebuild changes nothing');

-- Retention drops the level-ups of June.
select ingest.drop_month('level_up', '2025-06-01') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows('select distinct cohort_month from report.level_funnel_by_cohort', '2025-07-01',
  'a cohort that begins before the end of the dropped month has no row');

select * from finish();
