-- The level funnel and the time between levels.
\ir parts/reports.sql
select plan(9);

-- The newest level-up of application a is at 2025-07-13 00:00, so users without one after 2025-07-06 00:00 stopped.
insert into new_level_up (app_id, user_id, user_level, character_id, leveled_up_at)
  values
    ('a', 'u1', 1, null, '2025-07-01 00:00Z'), ('a', 'u1', 2, null, '2025-07-02 00:00Z'),
    ('a', 'u1', 5, 'c', '2025-07-03 00:00Z'), ('a', 'u1', 1, 'c', '2025-07-04 00:00Z'),
    ('a', 'u2', 1, null, '2025-07-05 00:00Z'),
    ('a', 'u3', 3, null, '2025-07-06 00:00Z'),
    ('a', 'u4', 2, null, '2025-07-13 00:00Z'),
    ('a', 'u5', 3, null, '2025-07-06 00:00:00.001Z'),
    ('b', 'u1', 9, null, '2025-07-07 00:00Z');
-- Application t, 2025-08-01. u2 is first observed by a purchase and has no level 1. u3 reaches level 3 before level 2,
-- and level 2 again later. u4 reaches two levels at one instant.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values
    ('t', 'u1', 1, '2025-08-01 00:00Z'), ('t', 'u1', 2, '2025-08-01 00:10Z'), ('t', 'u1', 3, '2025-08-01 00:40Z'),
    ('t', 'u2', 2, '2025-08-01 00:30Z'), ('t', 'u2', 3, '2025-08-01 01:00Z'),
    ('t', 'u3', 1, '2025-08-01 00:00Z'), ('t', 'u3', 3, '2025-08-01 00:05Z'), ('t', 'u3', 2, '2025-08-01 00:20Z'),
    ('t', 'u3', 2, '2025-08-01 02:00Z'),
    ('t', 'u4', 1, '2025-08-01 00:00Z'), ('t', 'u4', 2, '2025-08-01 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, purchased_at) values ('t', 'u2', 't1', '2025-08-01 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql

-- The highest levels are: u1 5, u2 1, u3 3, u4 2, u5 3.
select pg_temp.shows(
  $$ select app_id, user_level, recorded_user_count, reached_user_count, stopped_user_count, stopped_7d_count,
       first_reached_at
       from report.level_funnel where app_id in ('a', 'b') $$, $$
  a 1 2 5 1 1 2025-07-01T00:00   # u2
  a 2 2 4 1 0 2025-07-02T00:00   # u4 has a level-up in the last 7 days
  a 3 2 3 2 1 2025-07-06T00:00   # u3 stopped at the border, u5 a millisecond after it
  a 5 1 1 1 1 2025-07-03T00:00   # u1
  b 9 1 1 1 0 2025-07-07T00:00 $$, 'the funnel counts each user once, also on levels without a trace');
select results_eq(
  $$ select app_id collate "default", sum(stopped_user_count) from report.level_funnel group by 1 order by 1 $$,
  $$ select app_id collate "default", count(distinct user_id)::numeric from game.level_up group by 1 order by 1 $$,
  'each user stopped at exactly one level');
select pg_temp.shows(
  $$ select user_level, user_count, trim_scale(p25_minutes_since_first_observed::numeric),
       trim_scale(p50_minutes_since_first_observed::numeric), trim_scale(p90_minutes_since_first_observed::numeric)
       from report.level_time where app_id = 't' $$, $$
  1 3 0 0 0
  2 4 0 10.07 30       # 0 600 1200 1800 s: the first, second and fourth of four; 600 to 607 s have the middle 604
  3 3 5.03 40.27 60    # 300 2400 3600 s: 300 to 303 s have the middle 302, 2400 to 2431 s 2416, 3584 to 3615 s 3600
  $$, 'minutes since the first observation');
select pg_temp.shows(
  $$ select user_level, step_user_count, trim_scale(p25_minutes_since_previous_level::numeric),
       trim_scale(p50_minutes_since_previous_level::numeric), trim_scale(p90_minutes_since_previous_level::numeric)
       from report.level_time where app_id = 't' $$, $$
  1 0 - - -
  2 3 0 10.07 20.13   # u4 0, u1 10, u3 20 since level 1; u2 has no lower level; 1200 to 1215 s have the middle 1208
  3 3 5.03 30 30      # u3 5 since level 1, because its level 2 is later; u1 and u2 30 since level 2, 1792 to 1807 s
  $$, 'minutes since the highest lower level that was reached no later');

-- A late file: an earlier level 1 of u1, and the newest level-up.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('t', 'u1', 1, '2025-07-31 23:50Z'), ('a', 'u3', 1, '2025-07-20 00:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_level, trim_scale(p50_minutes_since_first_observed::numeric),
       trim_scale(p50_minutes_since_previous_level::numeric)
       from report.level_time where app_id = 't' $$, $$
  1 0 -
  2 20.13 20.13    # 0 20 20 30; 0 20 20
  3 49.87 30       # 5 50 60; 3000 s is of 2976 to 3007 s, with the middle 2992
  $$, 'a late first level changes the times of later ones');
select pg_temp.shows(
  $$ select user_level, recorded_user_count, stopped_user_count, stopped_7d_count, first_reached_at
       from report.level_funnel where app_id = 'a' $$, $$
  1 3 1 1 2025-07-01T00:00   # with u3
  2 2 1 1 2025-07-02T00:00   # u4, exactly 7 days before
  3 2 2 1 2025-07-06T00:00   # u5; u3 plays again
  5 1 1 1 2025-07-03T00:00 $$, 'users stop as the horizon moves');

-- The borders of buckets, and the highest level of the data contract.
insert into new_level_up (app_id, user_level, leveled_up_at)
  select 'v', level, timestamptz '2025-08-01 00:00Z' + seconds * interval '1 second'
    from (values (1, 0), (2, 127.999), (3, 129.999), (4, 130), (5, 1007.999), (6, 1008), (2147483647, 8191))
      l (level, seconds);
select pg_temp.load_lines('borders');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_level, p25_minutes_since_first_observed, p90_minutes_since_first_observed
       from report.level_time where app_id = 'v' $$, $$
  1          0.00   0.00
  2          2.12   2.12     # below 128 s the second itself: 127 / 60
  3          2.15   2.15     # 128 to 129 s: 129 / 60
  4          2.18   2.18     # 130 to 131 s: 131 / 60
  5          16.73  16.73    # 1000 to 1007 s: 1004 / 60
  6          16.87  16.87    # 1008 to 1015 s: 1012 / 60
  2147483647 136.00 136.00   # 8128 to 8191 s: 8160 / 60
  $$, 'a duration counts as the middle of its bucket, of two seconds from 128 s on');
select pg_temp.shows(
  $$ select user_level, recorded_user_count, reached_user_count, stopped_user_count
       from report.level_funnel where app_id = 'v' and user_level > 5 $$, $$
  6          1 1 0
  2147483647 1 1 1 $$, 'the highest level of the data contract is a level like any other');

select is(
  array(select rollup.duration_bucket(s)
    from unnest(array[0, 127, 128, 129, 130, 255, 256, 1000, 1007, 1008]::bigint[]) with ordinality u (s, place)
    order by place),
  '{0, 127, 128, 128, 129, 191, 192, 317, 317, 318}', 'an erasure takes durations out of the buckets of the fold');

select * from finish();
