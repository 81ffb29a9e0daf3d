-- Players: observed users and the horizon over several streams, characters, levels, and the level at a purchase. Each
-- theme has applications of its own; all share the refreshes.
\ir parts/reports.sql
select plan(26);

-- Observed users, in applications o, s8, s9, d and e.
select pg_temp.add('level_up', 'o', $$
  u1 1@03-01 2@03-06
  u9 3@03-04
  u10 2@03-04 $$), pg_temp.add('game_user', 'o', $$
  u3 1@03-03T10:00
  u4 source=option 1@03-03T11:00
  u5 source=load_start 7@03-02T09:00
  u9 2@03-04
  u10 2@03-04
  u4 4@03-05 $$), pg_temp.add('receipt', 'o', $$
  u2 promotion 0@03-01T12:00
  u3 sandbox @03-02T10:00
  u9 @03-04
  u2 @03-05T12:00
  # A new period and its renewal, a continued period, and a new period and one within it.
  u6 type=AUTO_RENEWABLE product=gold @03-01T08:00/03-02T08:00 @03-02T08:00/03-03T08:00
  u7 type=AUTO_RENEWABLE product=gold payment=GPA.1..3 @03-02T08:30/03-03T08:30
  u8 type=AUTO_RENEWABLE product=gold @03-01T09:00/03-31T09:00 @03-02T09:00/03-20T09:00 $$) \g /dev/null
-- In application s8 the receipts are exactly 8 days behind the level-ups, in s9 a millisecond more.
select pg_temp.add('level_up', app, 'u 1@03-01 2@03-20'), pg_temp.add('receipt', app, 'u @03-01 @' || newest)
  from (values ('s8', '03-12'), ('s9', '03-11T23:59:59.999')) v (app, newest) \g /dev/null
select pg_temp.add('level_up', 'd', $$
  u1 1@01-31 2@02-01T12:00
  u2 1@02-02 2@02-04 $$), pg_temp.add('level_up', 'e', $$
  u1 1@01-31 2@02-02
  u2 1@02-03 $$), pg_temp.add('receipt', 'e', 'u1 sandbox @01-30 @02-03') \g /dev/null

-- The level funnel and the time between levels.
-- The newest level-up of application a is at 2025-07-13 00:00, so users without one after 2025-07-06 00:00 stopped.
select pg_temp.add('level_up', 'a', $$
  u1 1@07-01 2@07-02 character=c 5@07-03 1@07-04
  u2 1@07-05
  u3 3@07-06
  u4 2@07-13
  u5 3@07-06T00:00:00.001 $$), pg_temp.add('level_up', 'b', 'u1 9@07-07') \g /dev/null
-- u2 is first observed by a purchase and has no level 1. u3 reaches level 3 before level 2, and level 2 again later. u4
-- reaches two levels at one instant.
select pg_temp.add('level_up', 't', $$
  u1 1@08-01 2@08-01T00:10 3@08-01T00:40
  u2 2@08-01T00:30 3@08-01T01:00
  u3 1@08-01 3@08-01T00:05 2@08-01T00:20 2@08-01T02:00
  u4 1@08-01 2@08-01 $$), pg_temp.add('receipt', 't', 'u2 @08-01') \g /dev/null
-- The borders of buckets, and the highest level of the data contract.
insert into new_level_up (app_id, user_level, leveled_up_at)
  select 'v', level, timestamptz '2025-08-01 00:00Z' + seconds * interval '1 second'
    from (values (1, 0), (2, 15.999), (3, 17.999), (4, 18), (5, 1023.999), (6, 1024), (2147483647, 8191))
      l (level, seconds);

-- The level at a purchase, in applications l and m.
select pg_temp.add('level_up', 'l', $$
  u1 channel=ch1 class=k1 5@04-01T10:00 6@04-01T11:00 channel=ch3 class=k3 8@04-01T12:00
  u2 channel=c1 character=x class=kx 3@04-01T08:00 character=y class=ky 9@04-01T08:30
  u3 character=x 3@04-01T09:00 2@04-01T09:00
  u5 7@04-01T09:00
  u6 2@04-01T09:00 character=z 2@04-01T09:00
  u7 4@04-01T10:00:00.001 $$), pg_temp.add('game_user', 'l', $$
  u1 channel=ch2 class=k2 6@04-01T11:00 channel=ch4 class=k4 source=option 7@04-01T12:00 class=k5 source=line 4@04-01T13:00
  u4 source=load_start 50@04-01T09:00 $$), pg_temp.add('receipt', 'l', $$
  u1 l1:100@04-01T09:59:59.999 l2:200@04-01T10:00 l3:300@04-01T11:00 l4:400@04-01T12:30 l5:500@04-01T13:30
  u2 l6:@04-01T08:15 l7:@04-01T09:00
  u3 l8:@04-01T10:00
  u4 l9:@04-01T10:00
  u5 sandbox l10:@04-01T10:00
  u6 l11:@04-01T10:00
  u7 l12:@04-01T10:00 $$), pg_temp.add('receipt', 'm', 'u1 l13:@04-01T14:00') \g /dev/null
select pg_temp.load_lines();

-- The history of characters. Rows without a time of their own are no part of it and never outrank a row with one.
select pg_temp.add('game_user', 'ch', $$
  u1 channel=s1 character=c 2@01-04 2@01-05 class=k1 source=load_start 9@01-05T12:00 source=option 1@01-06
  u1 channel=s1 character=c class=k1 source=load_start 99@01-10 channel=s2 source=line 7@01-02
  u2 class=k1 1@01-01
  u3 channel=s1 character=c class=k1 source=load_start 5@02-02
  u4 class=k1 character=a 5@01-01 character=b 5@01-02 character=c 4@01-03
  u5 class=k1 5@01-01 character=b class=k2 5@01-01
  u6 character=a class=k1 5@01-01 character=B class=k2 5@01-01
  u7 channel=s1 character=c class=k1 source=load_start 5@02-02 $$) \g /dev/null
select pg_temp.load_lines('characters');

-- The funnel of levels by the month in which users were first observed. June: u1 and u2; July: u3, first observed by a
-- snapshot, and u4. The newest level-up is at 2025-07-20 00:00.
select pg_temp.add('level_up', 'f', $$
  u1 1@06-01T10:00 2@06-02T10:00 4@07-13
  u2 1@06-30T10:00 2@07-13T00:00:00.001
  u3 character=c 3@07-02T10:00 character=d 1@07-03T10:00
  u4 1@07-20 $$), pg_temp.add('game_user', 'f', $$
  u3 3@07-01T10:00
  u5 9@07-01T10:00 $$) \g /dev/null
select pg_temp.load_lines('funnel');

-- A snapshot dated by its load comes together with rows some days late.
select pg_temp.add('level_up', 'w', 'u 5@07-20') \g /dev/null
select pg_temp.load_lines();
\ir parts/refresh.sql

-- The newest events are at 2025-03-05 12:00 (receipts), 2025-03-06 00:00 (level-ups) and 2025-03-05 00:00
-- (snapshots), so the horizon is 2025-03-05 00:00. 2025-03-01 is a Saturday.
select pg_temp.shows(
  $$ select period, period_start, observed_user_count, level_up_user_count, snapshot_user_count, payer_count,
       new_user_count, is_complete
       from report.observed_by_period where app_id = 'o' $$, $$
  #                observed
  #                | level-up
  #                | | snapshot
  #                | | | payer
  #                | | | | new
  day   2025-03-01 4 1 0 2 4 t   # u1 u2 u6 u8
  day   2025-03-02 1 0 0 3 0 t   # u8; renewal, continued period, sandbox and load_start are no observation
  day   2025-03-03 2 0 2 0 2 t   # u3 u4
  day   2025-03-04 2 2 2 1 2 t   # u9 u10; ends at the horizon
  day   2025-03-05 2 0 1 1 0 f   # u2 u4
  day   2025-03-06 1 1 0 0 0 f   # u1
  week  2025-02-24 4 1 0 3 4 f
  week  2025-03-03 6 3 4 2 4 f   # u1 u2 u3 u4 u9 u10
  month 2025-03-01 8 3 4 5 8 f   # u1 u2 u3 u4 u6 u8 u9 u10; payers u2 u6 u7 u8 u9
  $$, 'users are observed by their own acts');
select pg_temp.shows(
  $$ select user_id, first_observed_at, first_observed_in, last_observed_at, days_of_history, first_paid_at,
       last_paid_at, paid_count, user_level
       from report.player where app_id = 'o' $$, $$
  u1  2025-03-01T00:00 level_up  2025-03-06T00:00 0   - - 0 2
  u2  2025-03-01T12:00 receipt   2025-03-05T12:00 0   2025-03-05T12:00 2025-03-05T12:00 1 -
  u3  2025-03-03T10:00 game_user 2025-03-03T10:00 2   - - 0 1   # paid in the sandbox
  u4  2025-03-03T11:00 game_user 2025-03-05T00:00 2   - - 0 4
  u5  - - - -                                         - - 0 7   # only a row without a time of its own
  u6  2025-03-01T08:00 receipt   2025-03-01T08:00 0   2025-03-01T08:00 2025-03-02T08:00 2 -   # not the renewal
  u7  - - - -                                         2025-03-02T08:30 2025-03-02T08:30 1 -   # a continued period
  u8  2025-03-01T09:00 receipt   2025-03-02T09:00 0   2025-03-01T09:00 2025-03-02T09:00 2 -   # overlapped: no kind
  u9  2025-03-04T00:00 receipt   2025-03-04T00:00 3   2025-03-04T00:00 2025-03-04T00:00 1 3   # receipt before level-up
  u10 2025-03-04T00:00 level_up  2025-03-04T00:00 3   - - 0 2   # level-up before snapshot
  $$, 'each user has a first and a last observation and purchase, and a level, of 3 and 2 at one instant the higher');
select pg_temp.shows($$ select user_id, day, is_observed, level_up_count, paid_count, is_new_payer, level_at_end
       from report.player_day where app_id = 'o' and user_id in ('u1', 'u2', 'u3', 'u4', 'u6', 'u9') $$, $$
  u1 2025-03-01 t 1 0 f 1
  u1 2025-03-06 t 1 0 f 2
  u2 2025-03-01 t 0 0 f -
  u2 2025-03-05 t 0 1 t -
  u3 2025-03-02 f 0 0 f -   # the sandbox purchase
  u3 2025-03-03 t 0 0 f 1
  u4 2025-03-03 t 0 0 f 1
  u4 2025-03-05 t 0 0 f 4
  u6 2025-03-01 t 0 1 t -
  u6 2025-03-02 f 0 1 f -   # the renewal
  u9 2025-03-04 t 1 1 t 3 $$, 'each day with a row of a user');
select pg_temp.shows(
  $$ select app_id, count(*), max(period_start) filter (where is_complete) from report.observed_by_period
       where period = 'day' and app_id in ('s8', 's9') group by app_id $$, $$
  s8 20 2025-03-11   # until the newest receipt, exactly 8 days behind
  s9 20 2025-03-19   # the receipts have stopped
  $$, 'a stream more than 8 days behind the newest is left out of the horizon');
select pg_temp.shows(
  $$ select app_id, count(*), max(period_start) filter (where is_complete) from report.payers_by_period
       where period = 'day' and app_id in ('s8', 's9') group by app_id $$, 's8 12 2025-03-11 | s9 11 2025-03-10',
  'payers go by the horizon of the receipts alone');

-- The highest levels are: u1 5, u2 1, u3 3, u4 2, u5 3.
select pg_temp.shows(
  $$ select app_id, user_level, recorded_user_count, reached_user_count, stopped_user_count, stopped_7d_count
       from report.level_funnel where app_id in ('a', 'b') $$, $$
  a 1 2 5 1 1   # u2
  a 2 2 4 1 0   # u4 has a level-up in the last 7 days
  a 3 2 3 2 1   # u3 stopped at the border, u5 a millisecond after it
  a 5 1 1 1 1   # u1
  b 9 1 1 1 0 $$, 'the funnel counts each user once, also on levels without a trace');
select results_eq(
  $$ select app_id collate "default", sum(stopped_user_count) from report.level_funnel group by 1 order by 1 $$,
  $$ select app_id collate "default", count(distinct user_id)::numeric from game.level_up group by 1 order by 1 $$,
  'each user stopped at exactly one level');
select pg_temp.shows($$ select user_level, user_count, trim_scale(p25_minutes_since_first_observed::numeric),
       trim_scale(p50_minutes_since_first_observed::numeric), trim_scale(p90_minutes_since_first_observed::numeric)
       from report.level_time where app_id = 't' $$, $$
  1 3 0 0 0
  2 4 0 10.13 30.93    # 0 600 1200 1800 s: the first, second and fourth of four; 576 to 639 s have the middle 608
  3 3 5.07 40.53 61.87 # 300 2400 3600 s: 288 to 319 s have the middle 304, 2304 to 2559 s 2432, 3584 to 3839 s 3712
  $$, 'minutes since the first observation');
select pg_temp.shows($$ select user_level, step_user_count, trim_scale(p25_minutes_since_previous_level::numeric),
       trim_scale(p50_minutes_since_previous_level::numeric), trim_scale(p90_minutes_since_previous_level::numeric)
       from report.level_time where app_id = 't' $$, $$
  1 0 - - -
  2 3 0 10.13 20.27      # u4 0, u1 10, u3 20 since level 1; u2 has no lower level; 1152 to 1279 s have the middle 1216
  3 3 5.07 30.93 30.93   # u3 5 since level 1, because its level 2 is later; u1 and u2 30 since level 2, 1792 to 1919 s
  $$, 'minutes since the highest lower level that was reached no later');
select pg_temp.shows($$ select user_level, p25_minutes_since_first_observed, p90_minutes_since_first_observed
       from report.level_time where app_id = 'v' $$, $$
  1          0.00   0.00
  2          0.25   0.25     # below 16 s the second itself: 15 / 60
  3          0.28   0.28     # 16 to 17 s: 17 / 60
  4          0.32   0.32     # 18 to 19 s: 19 / 60
  5          16.53  16.53    # 960 to 1023 s: 992 / 60
  6          18.13  18.13    # 1024 to 1151 s: 1088 / 60
  2147483647 132.27 132.27   # 7680 to 8191 s: 7936 / 60
  $$, 'a duration counts as the middle of its bucket, of two seconds from 16 s on');
select pg_temp.shows($$ select user_level, recorded_user_count, reached_user_count, stopped_user_count
       from report.level_funnel where app_id = 'v' and user_level > 5 $$, $$
  6          1 1 0
  2147483647 1 1 1 $$, 'the highest level of the data contract is a level like any other');

select pg_temp.shows(
  $$ select payment_seq, user_level, level_attribution, channel_id, character_id, class_id from report.purchase
       where app_id in ('l', 'm') $$, $$
  l1  - none               -   - -    # a millisecond before the level-up
  l2  5 exact              ch1 - k1   # at its instant
  l3  6 exact              ch2 - k2   # of equal levels at one instant, the snapshot's
  l4  8 exact              ch3 - k3   # 8 and 7 at one instant
  l5  4 exact              ch4 - k5   # the latest level, although it is lower
  l6  3 exact              c1  x kx   # y is not known yet
  l7  9 highest_of_several -   - -
  l8  3 exact              -   x -    # 3 and 2 at one instant
  l9  - none               -   - -    # only a row without a time of its own
  l10 7 exact              -   - -
  l11 2 highest_of_several -   - -    # NULL and z are two characters
  l12 - none               -   - -    # a millisecond before the level-up
  l13 - none               -   - -    # the levels are of another application
  $$, 'the level at a purchase is the latest one of the character, or the highest of several characters');
select pg_temp.shows(
  $$ select app_id, currency, user_level, level_attribution, payer_count, paid_count, amount_minor, amount
       from report.revenue_by_level where app_id in ('l', 'm') $$, $$
  l USD - none               3 3 300 3.00   # l1 l9 l12
  l USD 2 highest_of_several 1 1 100 1.00
  l USD 3 exact              2 2 200 2.00   # l6 l8
  l USD 4 exact              1 1 500 5.00
  l USD 5 exact              1 1 200 2.00
  l USD 6 exact              1 1 300 3.00
  l USD 8 exact              1 1 400 4.00
  l USD 9 highest_of_several 1 1 100 1.00
  m USD - none               1 1 100 1.00 $$, 'revenue by level is of paid purchases');

select pg_temp.shows($$ select * from report.level_funnel_by_cohort where app_id = 'f' $$, $$
  f 2025-06-01 1 2 0 0
  f 2025-06-01 2 2 1 0    # u2, who has a level-up in the last 7 days
  f 2025-06-01 4 1 1 1    # u1, exactly 7 days before the newest; nobody recorded level 3
  f 2025-07-01 1 2 1 0    # u4
  f 2025-07-01 3 1 1 1    # u3 with both characters
  $$, 'users by month, recorded level and highest level');
create temporary view identity as
  select f.app_id, f.user_level, f.stopped_user_count, f.stopped_7d_count,
      sum(c.stopped_user_count) as stopped_of_cohorts, sum(c.stopped_7d_count) as stopped_7d_of_cohorts
    from report.level_funnel f left join report.level_funnel_by_cohort c using (app_id, user_level)
    group by f.app_id, f.user_level, f.stopped_user_count, f.stopped_7d_count;
select is_empty(
  $$ select * from identity where stopped_user_count <> stopped_of_cohorts or stopped_7d_count <> stopped_7d_of_cohorts $$,
  'the cohorts add up to report.level_funnel');

-- Late files.
-- An earlier level-up of o's u4, which is the application's first event, and an earlier purchase of u2.
select pg_temp.add('level_up', 'o', 'u4 1@02-27'), pg_temp.add('receipt', 'o', 'u2 @03-01T13:00') \g /dev/null
select pg_temp.load_lines('observed');
-- Older rows; of u3 a row of an earlier time, but of a later load; of u7 an older row with a time of its own, and a
-- newer one without.
select pg_temp.add('game_user', 'ch', $$
  u1 channel=s1 character=c class=k1 1@01-01 1@01-02 2@01-03
  u3 channel=s1 character=c class=k2 source=load_start 6@02-01 $$) \g /dev/null
select pg_temp.load_lines('older');
select pg_temp.add('game_user', 'ch', 'u7 channel=s1 character=c class=k1 3@2024-12-01') \g /dev/null
select pg_temp.load_lines('real');
select pg_temp.add('game_user', 'ch', 'u7 channel=s1 character=c class=k1 source=load_start 8@03-01') \g /dev/null
select pg_temp.load_lines('newest');
select pg_temp.add('level_up', 'w', 'u 4@07-10'),
  pg_temp.add('game_user', 'w', 'u channel=s source=load_start 7@01-01') \g /dev/null
select pg_temp.load_lines('late');
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select user_id, first_observed_at, first_observed_in, last_observed_at, first_paid_at, days_of_history
       from report.player where app_id = 'o' and user_id in ('u1', 'u2', 'u4', 'u9', 'u5') $$, $$
  u1 2025-03-01T00:00 level_up 2025-03-06T00:00 -                2
  u2 2025-03-01T12:00 receipt  2025-03-05T12:00 2025-03-01T13:00 2
  u4 2025-02-27T00:00 level_up 2025-03-05T00:00 -                0
  u5 - - - - -
  u9 2025-03-04T00:00 receipt  2025-03-04T00:00 2025-03-04T00:00 5 $$,
  'a late file moves a first observation, a first purchase and the length of the history');
select pg_temp.shows($$ select user_id, channel_id, character_id, valid_from, user_level, class_id, valid_to
       from report.character_history where app_id = 'ch' and user_id in ('u1', 'u2', 'u3') $$, $$
  u1 s1 c 2025-01-01T00:00 1 k1 2025-01-03T00:00   # the same on 2025-01-02
  u1 s1 c 2025-01-03T00:00 2 k1 2025-01-04T00:00
  u1 s1 c 2025-01-04T00:00 2 -  2025-01-06T00:00   # no class is a class
  u1 s1 c 2025-01-06T00:00 1 k1 -                  # as in the beginning
  u1 s2 c 2025-01-02T00:00 7 k1 -
  u2 -  - 2025-01-01T00:00 1 k1 - $$, 'a history has a row for each change of level or class, for any order of loads');
select pg_temp.shows(
  $$ select user_id, channel_id, character_id, user_level, class_id, observed_at, observed_at_source, source_file_id,
       line_number
       from report.current_game_user where app_id = 'ch' and user_id in ('u1', 'u2', 'u3') $$,
  format($$
  u1 s1 c 1 k1 2025-01-06T00:00 option     %1$s 4
  u1 s2 c 7 k1 2025-01-02T00:00 line       %1$s 6
  u2 -  - 1 k1 2025-01-01T00:00 line       %1$s 7
  u3 s1 c 6 k2 2025-02-01T00:00 load_start %2$s 4   # the newest load
  $$, pg_temp.file('characters'), pg_temp.file('older')),
  'the current state is the newest one with a time of its own, else that of the newest load');
select pg_temp.shows($$ select user_id, user_level, channel_id, character_id, class_id from report.player
       where app_id = 'ch' and user_id < 'u7' $$, $$
  u1 1 s1 c k1   # one character in two channels: the latest row
  u2 1 -  - k1
  u3 6 s1 c k2
  u4 5 -  b k1   # of equal levels the latest; c has a lower one
  u5 5 -  b k2   # at one instant the smallest id, NULL last
  u6 5 -  B k2   # B is before a in bytes
  $$, 'the current level of a user is the highest over the characters');
select pg_temp.shows($$ select g.user_level, g.observed_at, p.user_level as player_level
       from report.current_game_user g join report.player p using (app_id, user_id)
         where app_id = 'ch' and user_id = 'u7' $$,
  $$ 3 2024-12-01T00:00 3 $$,
  'an older row with a time of its own replaces one of load_start, and a later load_start changes nothing');

select pg_temp.shows($$ select user_id, channel_id, user_level, observed_at_source from report.current_game_user
  where app_id = 'w' $$, 'u s 7 load_start', 'the time of its load can lie long before the late rows');
select pg_temp.shows($$ select user_id, user_level from report.player where app_id = 'w' $$, 'u 5',
  'and the dated level counts');

-- Dropped months: the first observations stay, and the days of the months are neither complete nor known.
select ingest.drop_month('level_up', month) from unnest('{2025-01-01,2025-06-01}'::date[]) month \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, first_observed_at, first_observed_in, last_observed_at, days_of_history, user_level
       from report.player where app_id = 'd' $$, $$
  u1 2025-01-31T00:00 level_up 2025-02-01T12:00 0 2
  u2 2025-02-02T00:00 level_up 2025-02-04T00:00 2 2 $$, 'a dropped month leaves the first observations');
select pg_temp.shows($$ select cohort_on, cohort_size,
       string_agg(pg_temp.cell(day_n, is_mature, observed_count), ' ' order by day_n)
       from report.retention_by_cohort where app_id = 'd' and day_n <= 1 group by 1, 2 $$, $$
  2025-01-31 1 0:-? 1:1   # day 0: the day is in the dropped month
  2025-02-02 1 0:1 1:0
  $$, 'days in a dropped month are not mature');
select pg_temp.shows(
  $$ select period, period_start, observed_user_count, level_up_user_count, new_user_count, is_complete
       from report.observed_by_period where app_id = 'e' $$, $$
  day   2025-01-30 - - - f   # receipts are still there
  day   2025-01-31 - - - f
  day   2025-02-01 0 0 0 t
  day   2025-02-02 1 1 0 t   # u1 was first observed in January
  day   2025-02-03 1 1 1 f
  week  2025-01-27 - - - f   # has days of the month
  week  2025-02-03 1 1 1 f
  month 2025-01-01 - - - f
  month 2025-02-01 2 2 1 f $$, 'the figures of its periods are absent');
select pg_temp.shows(
  $$ select distinct cohort_month from report.level_funnel_by_cohort where app_id = 'f' $$, '2025-07-01',
  'a cohort that begins before the end of the dropped month has no row');

select * from finish();
