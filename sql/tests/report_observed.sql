-- Observed users: the rows that count as an observation, the first and the last one of each user, and the horizon
-- over several streams.
\ir parts/reports.sql
select plan(15);

insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('o', 'u1', 1, '2025-03-01 00:00Z'), ('o', 'u1', 2, '2025-03-06 00:00Z'),
    ('o', 'u9', 3, '2025-03-04 00:00Z'), ('o', 'u10', 2, '2025-03-04 00:00Z');
insert into new_game_user (app_id, user_id, user_level, observed_at, observed_at_source)
  values ('o', 'u3', 1, '2025-03-03 10:00Z', 'line'), ('o', 'u4', 1, '2025-03-03 11:00Z', 'option'),
    ('o', 'u5', 7, '2025-03-02 09:00Z', 'load_start'), ('o', 'u9', 2, '2025-03-04 00:00Z', 'line'),
    ('o', 'u10', 2, '2025-03-04 00:00Z', 'line'), ('o', 'u4', 4, '2025-03-05 00:00Z', 'line');
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at, is_sandbox, is_promotion)
  values ('o1', 'o', 'u2', 0, '2025-03-01 12:00Z', null, true),
    ('o2', 'o', 'u3', 100, '2025-03-02 10:00Z', true, null),
    ('o3', 'o', 'u9', 100, '2025-03-04 00:00Z', null, null),
    ('o4', 'o', 'u2', 100, '2025-03-05 12:00Z', null, null);
-- u6 has a new period and its renewal, u7 a continued period, u8 a new period and one within it.
insert into new_receipt (payment_seq, app_id, user_id, product_type, gamebase_product_id, payment_id, purchased_at,
    expires_at)
  values
    ('o5', 'o', 'u6', 'AUTO_RENEWABLE', 'gold', null, '2025-03-01 08:00Z', '2025-03-02 08:00Z'),
    ('o6', 'o', 'u6', 'AUTO_RENEWABLE', 'gold', null, '2025-03-02 08:00Z', '2025-03-03 08:00Z'),
    ('o7', 'o', 'u7', 'AUTO_RENEWABLE', 'gold', 'GPA.1..3', '2025-03-02 08:30Z', '2025-03-03 08:30Z'),
    ('o8', 'o', 'u8', 'AUTO_RENEWABLE', 'gold', null, '2025-03-01 09:00Z', '2025-03-31 09:00Z'),
    ('o9', 'o', 'u8', 'AUTO_RENEWABLE', 'gold', null, '2025-03-02 09:00Z', '2025-03-20 09:00Z');
-- In application s8 the receipts are exactly 8 days behind the level-ups, in s9 a millisecond more.
insert into new_level_up (app_id, user_level, leveled_up_at)
  select app, level, at::timestamptz
    from unnest(array['s8', 's9']) app, (values (1, '2025-03-01 00:00Z'), (2, '2025-03-20 00:00Z')) v (level, at);
insert into new_receipt (payment_seq, app_id, purchased_at)
  values ('s1', 's8', '2025-03-01 00:00Z'), ('s2', 's8', '2025-03-12 00:00Z'),
    ('s3', 's9', '2025-03-01 00:00Z'), ('s4', 's9', '2025-03-11 23:59:59.999Z');
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
  $$ select user_id, first_observed_at, first_observed_on, first_observed_in, last_observed_at, days_of_history
       from report.player where app_id = 'o' $$, $$
  u1  2025-03-01T00:00 2025-03-01 level_up  2025-03-06T00:00 0
  u2  2025-03-01T12:00 2025-03-01 receipt   2025-03-05T12:00 0
  u3  2025-03-03T10:00 2025-03-03 game_user 2025-03-03T10:00 2
  u4  2025-03-03T11:00 2025-03-03 game_user 2025-03-05T00:00 2
  u5  - - - - -                                                  # only a row without a time of its own
  u6  2025-03-01T08:00 2025-03-01 receipt   2025-03-01T08:00 0   # not the renewal
  u7  - - - - -                                                  # only a continued period
  u8  2025-03-01T09:00 2025-03-01 receipt   2025-03-02T09:00 0   # an overlapped period has no kind
  u9  2025-03-04T00:00 2025-03-04 receipt   2025-03-04T00:00 3   # receipt before level-up
  u10 2025-03-04T00:00 2025-03-04 level_up  2025-03-04T00:00 3   # level-up before snapshot
  $$, 'each user has a first and a last observation');
select pg_temp.shows(
  $$ select user_id, first_paid_at, first_paid_on, last_paid_at, paid_count, user_level
       from report.player where app_id = 'o' $$, $$
  u1  - - - 0 2
  u2  2025-03-05T12:00 2025-03-05 2025-03-05T12:00 1 -
  u3  - - - 0 1                                          # a sandbox purchase
  u4  - - - 0 4
  u5  - - - 0 7                                          # there is no other row
  u6  2025-03-01T08:00 2025-03-01 2025-03-02T08:00 2 -
  u7  2025-03-02T08:30 2025-03-02 2025-03-02T08:30 1 -
  u8  2025-03-01T09:00 2025-03-01 2025-03-02T09:00 2 -
  u9  2025-03-04T00:00 2025-03-04 2025-03-04T00:00 1 3   # 3 and 2 at one instant
  u10 - - - 0 2 $$, 'each user has a first and a last purchase, and a level');
select pg_temp.shows(
  $$ select user_id, day, is_observed, level_up_count, paid_count, is_new_payer, level_at_end
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
  $$ select app_id, stream, first_event_at, newest_event_at from report.horizon $$, $$
  o  receipt   2025-03-01T08:00 2025-03-05T12:00
  o  level_up  2025-03-01T00:00 2025-03-06T00:00
  o  game_user 2025-03-03T10:00 2025-03-05T00:00   # load_start is no event
  s8 receipt   2025-03-01T00:00 2025-03-12T00:00
  s8 level_up  2025-03-01T00:00 2025-03-20T00:00
  s9 receipt   2025-03-01T00:00 2025-03-11T23:59:59.999
  s9 level_up  2025-03-01T00:00 2025-03-20T00:00 $$, 'each stream of an application has its own horizon');
select pg_temp.shows(
  $$ select app_id, count(*), max(period_start) filter (where is_complete) from report.observed_by_period
       where period = 'day' and app_id in ('s8', 's9') group by app_id $$, $$
  s8 20 2025-03-11   # until the newest receipt, exactly 8 days behind
  s9 20 2025-03-19   # the receipts have stopped
  $$, 'a stream more than 8 days behind the newest is left out of the horizon');
select pg_temp.shows(
  $$ select app_id, count(*), max(period_start) filter (where is_complete) from report.payers_by_period
       where period = 'day' and app_id in ('s8', 's9') group by app_id $$, $$
  s8 12 2025-03-11
  s9 11 2025-03-10 $$, 'payers go by the horizon of the receipts alone');
select is_empty($$ select from report.player_day group by app_id, user_id, day having count(*) > 1 $$,
  'the days of players have the grain of the view''s comment');
select is_empty($$ select from report.player group by app_id, user_id having count(*) > 1 $$,
  'the players have the grain of the view''s comment');

-- A late file: an earlier level-up of u4, which is the application's first event, and an earlier purchase of u2.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at) values ('o', 'u4', 1, '2025-02-27 00:00Z');
insert into new_receipt (payment_seq, app_id, user_id, purchased_at) values ('o10', 'o', 'u2', '2025-03-01 13:00Z');
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
select pg_temp.shows(
  $$ select period, period_start, observed_user_count, payer_count, new_user_count, is_complete
       from report.observed_by_period where app_id = 'o' and (period = 'month' or period_start <= '2025-03-03') $$, $$
  day   2025-02-27 1 0 1 t
  day   2025-02-28 0 0 0 t   # no row, but the days go on
  day   2025-03-01 4 3 4 t
  day   2025-03-02 1 3 0 t
  day   2025-03-03 2 0 1 t   # u4 is no longer new
  week  2025-02-24 5 4 5 f   # with u4; payers u2 u6 u7 u8
  week  2025-03-03 6 2 3 f
  month 2025-02-01 1 0 1 f
  month 2025-03-01 8 5 7 f $$, 'and the new users of its periods');

-- Undo of that file: u4 and u2 are as before it.
select ingest.undo_files('level_up', array(select source_file_id from ingest.source_file
    where path = 'late' and stream = 'level_up')) \g /dev/null
select ingest.undo_files('receipt', array(select source_file_id from ingest.source_file
    where path = 'late' and stream = 'receipt')) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, first_observed_at, first_observed_in, first_paid_at, days_of_history
       from report.player where app_id = 'o' and user_id in ('u1', 'u2', 'u4') $$, $$
  u1 2025-03-01T00:00 level_up  -                0
  u2 2025-03-01T12:00 receipt   2025-03-05T12:00 0
  u4 2025-03-03T11:00 game_user -                2 $$, 'an undo moves them back');

-- A dropped month: the first observations stay, and the days of the month are neither complete nor known.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('d', 'u1', 1, '2025-01-31 00:00Z'), ('d', 'u1', 2, '2025-02-01 12:00Z'), ('d', 'u2', 1, '2025-02-02 00:00Z'),
    ('d', 'u2', 2, '2025-02-04 00:00Z'),
    ('e', 'u1', 1, '2025-01-31 00:00Z'), ('e', 'u1', 2, '2025-02-02 00:00Z'), ('e', 'u2', 1, '2025-02-03 00:00Z');
insert into new_receipt (payment_seq, app_id, user_id, purchased_at, is_sandbox)
  values ('e1', 'e', 'u1', '2025-01-30 00:00Z', true), ('e2', 'e', 'u1', '2025-02-03 00:00Z', true);
select pg_temp.load_lines();
\ir parts/refresh.sql
select ingest.drop_month('level_up', '2025-01-01') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, first_observed_at, first_observed_in, last_observed_at, days_of_history, user_level
       from report.player where app_id = 'd' $$, $$
  u1 2025-01-31T00:00 level_up 2025-02-01T12:00 0 2
  u2 2025-02-02T00:00 level_up 2025-02-04T00:00 2 2 $$, 'a dropped month leaves the first observations');
select pg_temp.shows(
  $$ select cohort_on, day_n, cohort_size, observed_count, is_mature
       from report.retention_by_cohort where app_id = 'd' and day_n <= 1 $$, $$
  2025-01-31 0 1 - f   # the day is in the dropped month
  2025-01-31 1 1 1 t
  2025-02-02 0 1 1 t
  2025-02-02 1 1 0 t $$, 'days in a dropped month are not mature');
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

select * from finish();
