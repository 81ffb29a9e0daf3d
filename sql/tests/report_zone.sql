-- The reporting zone: purchases, subscriptions, flows, single rows, events and loads on other days in UTC and in Seoul,
-- the first instant of a day, and sessions with settings of their own. Each theme has applications of its own.
\ir parts/reports.sql
select plan(21);

-- 2025-06-30 15:00 in UTC is the start of Tuesday, 2025-07-01, in Seoul. In UTC the first purchase is on a Sunday.
select pg_temp.add('receipt', 'a', $$
  u1 1:@06-29T14:59:59.999
  u2 2:@06-29T15:00 3:@06-30T14:59:59.999
  u3 4:@06-30T15:00 sandbox 5:@07-01T15:00 $$), pg_temp.add('level_up', 'a', 'u4 1@06-30T15:00') \g /dev/null
-- Havana put its clocks back on 2025-11-02 from 01:00 to 00:00. That day began at 04:00 in UTC, at the first of its two
-- midnights. h1 and h2 have an event at that instant, h3 a millisecond before it, h4 a millisecond after.
select pg_temp.add('receipt', app, 'u1 @' || first || ' @' || newest)
  from (values ('h1', '11-01T04:00', '11-02T04:00'), ('h2', '11-02T04:00', '11-03T05:00'),
    ('h3', '11-01T04:00', '11-02T03:59:59.999'), ('h4', '11-02T04:00:00.001', '11-03T05:00')) h (app, first, newest) \g /dev/null
-- A subscription that ends at a midnight of Seoul.
select pg_temp.add('receipt', 's',
  'u1 product=gold type=AUTO_RENEWABLE @06-29T15:00/06-30T15:00 product=gem type=CONSUMABLE @07-01T15:00') \g /dev/null
select pg_temp.load_lines();
-- Level-ups, snapshots and events.
select pg_temp.add('level_up', 'r', 'u1 3@07-01 character=c 2@06-30T23:59:59.999'),
  pg_temp.add('game_user', 'r', 'u1 2@07-01T10:00 source=load_start 3@07-02T10:00'),
  pg_temp.add('event', 'r', 'u1 push=p action=REPLY 1:button@07-01T10:00') \g /dev/null
select pg_temp.load_lines('rows');
-- Before a refresh there is no calendar.
create temporary view day_of_row as
  select 'level_up' as name, user_level::text as row, day from report.level_up where app_id = 'r'
  union all select 'game_user_snapshot', user_level::text, day from report.game_user_snapshot where app_id = 'r'
  union all select 'event', event_id, day from report.event where app_id = 'r';
select pg_temp.shows('select * from day_of_row', $$
  level_up 2 2025-06-30
  level_up 3 2025-07-01
  game_user_snapshot 2 2025-07-01
  game_user_snapshot 3 -
  event 1 2025-07-01 $$, 'rows show before a refresh, each with its day');
create temporary table days_before as table day_of_row;

-- Flows, in application z: one period from 2025-01-31 15:00 to 2025-02-28 15:00 UTC. In Seoul that is February as a
-- whole: it begins and ends at the edges of the month.
select pg_temp.add('receipt', 'z', $$
  u1 type=AUTO_RENEWABLE 0@01-24T15:00/01-31T15:00 100@01-31T15:00/02-28T15:00
  u2 sandbox @03-05 $$) \g /dev/null
select pg_temp.load_lines('flows');
-- The status of a service, and a file loaded at 15:00.
select pg_temp.add('event', 'e', '- code=303 observerLaunching@07-01T23:59:59.999 code=200 observerLaunching@07-02') \g /dev/null
select pg_temp.load_lines('status');
update ingest.source_file set loaded_at = '2025-07-02 15:00Z' where path = 'status';
\ir parts/refresh.sql

select is(rollup.reporting_zone(), 'UTC', 'days are in UTC unless the setting names another zone');
select set_eq('table day_of_row', 'table days_before', 'and after it, the same');

-- No setting of the session that refreshes changes a figure.
select pg_temp.set_zone('Asia/Seoul');
\setenv PGOPTIONS '-c timezone=America/New_York -c datestyle=German -c gamebase_ingest.time_zone=Pacific/Kiritimati'
\ir parts/refresh_full.sql
\setenv PGOPTIONS
select is(rollup.reporting_zone(), 'Asia/Seoul', 'the setting names the zone');
select pg_temp.shows(
  $$ select period, period_start, payer_count, new_payer_count, is_complete from report.payers_by_period
       where app_id = 'a' $$, $$
  day   2025-06-29 1 1 f   # u1
  day   2025-06-30 1 1 t   # u2
  day   2025-07-01 1 1 t   # u3; ends at the newest event
  day   2025-07-02 0 0 f
  week  2025-06-23 1 1 f
  week  2025-06-30 2 2 f
  month 2025-06-01 2 2 f
  month 2025-07-01 1 1 f $$, 'days, weeks and months of Seoul');
select pg_temp.shows($$ select payment_seq, purchased_on from report.purchase where app_id = 'a' $$, $$
  1 2025-06-29
  2 2025-06-30
  3 2025-06-30
  4 2025-07-01
  5 2025-07-02 $$, 'a purchase has its day in Seoul');
select pg_temp.shows($$ select day, purchase_count from report.revenue_by_day where app_id = 'a' $$,
  '2025-06-29 1 | 2025-06-30 2 | 2025-07-01 1', 'and so has the revenue');
select pg_temp.shows($$ select user_id, first_observed_on, first_paid_on from report.player where app_id = 'a' $$, $$
  u1 2025-06-29 2025-06-29
  u2 2025-06-30 2025-06-30
  u3 2025-07-01 2025-07-01
  u4 2025-07-01 - $$, 'the days of a player are days in Seoul');
select pg_temp.shows($$ select cohort_on, cohort_size, observed_count, is_mature from report.retention_by_cohort
       where app_id = 'a' and day_n = 0 $$, $$
  2025-06-29 1 1 t
  2025-06-30 1 1 t   # until the horizon, which is the level-up
  2025-07-01 2 - f $$, 'cohorts are days in Seoul');
select pg_temp.shows($$ select day, active_paid, new_count, expired_count, is_complete from report.subscription_by_day
       where app_id = 's' $$, $$
  2025-06-30 1 1 0 t
  2025-07-01 0 0 1 t
  2025-07-02 0 0 0 f $$, 'a subscription begins and expires on days in Seoul');

select pg_temp.shows('select * from day_of_row', $$
  level_up 2 2025-07-01
  level_up 3 2025-07-01
  game_user_snapshot 2 2025-07-01
  game_user_snapshot 3 -
  event 1 2025-07-01 $$, 'days are of the reporting zone');
select pg_temp.shows($$
  select 'mrr', month, starting_amount, new_amount, churned_amount, ending_amount
    from report.mrr_movement_by_month where app_id = 'z'
  union all
  select 'trial', month, trial_count, converted_count, null, null
    from report.trial_conversion_by_month where app_id = 'z'
  union all
  select 'churn', month, active_at_start, churned_count, null, null from report.churn_by_month where app_id = 'z' $$, $$
  trial 2025-01-01 1 1 - -
  churn 2025-01-01 0 0 - -
  churn 2025-02-01 0 0 - -
  churn 2025-03-01 1 - - -
  mrr 2025-01-01 0.00 0.00 0.00 0.00
  mrr 2025-02-01 0.00 1.00 0.00 1.00
  mrr 2025-03-01 1.00 - - - $$, 'the edges of months are those of the zone');
select pg_temp.shows($$ select day, code, report_count from report.service_status_by_day
     union all select loaded_on, null, line_count from report.quality_by_day where app_id = 'e' $$,
  '2025-07-02 303 1 | 2025-07-02 200 1 | 2025-07-03 - 2', 'events and loads have days in Seoul');
-- No setting of the session changes a figure.
create temporary table seen as
  select pg_temp.shown('select * from report.payers_by_period') as payers,
    pg_temp.shown('select app_id, day_n, cohort_on, observed_count, is_mature from report.retention_by_cohort') as retention,
    pg_temp.shown('select day, app_id, active_paid, expired_count, is_complete from report.subscription_by_day') as subscriptions;
set timezone = 'America/New_York';
set datestyle = 'German';
set gamebase_ingest.time_zone = 'Pacific/Kiritimati';
select is(pg_temp.shown('select * from report.payers_by_period'), payers,
  'the zone of a session does not change the payers') from seen;
select is(pg_temp.shown('select app_id, day_n, cohort_on, observed_count, is_mature from report.retention_by_cohort'),
  retention, 'nor the retention') from seen;
set timezone = 'UTC';
set datestyle = 'ISO, MDY';

-- The zone of rows that are loaded after the change.
select pg_temp.add('receipt', 'a', 'u5 @07-02T15:00') \g /dev/null
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, new_payer_count, is_complete from report.payers_by_period where period = 'day' and app_id = 'a'
       and period_start >= '2025-07-01' $$, '2025-07-01 1 t | 2025-07-02 0 t | 2025-07-03 1 f',
  'later loads keep to the zone');

select pg_temp.set_zone('America/Havana');
\ir parts/refresh_full.sql
select pg_temp.shows(
  $$ select app_id, period_start, is_complete from report.payers_by_period where period = 'day' and app_id like 'h%' $$, $$
  h1 2025-11-01 t   # the next day begins at the newest event
  h1 2025-11-02 f
  h2 2025-11-02 t   # begins at the first event, ends at the newest one
  h2 2025-11-03 f
  h3 2025-11-01 f   # a millisecond before its end
  h4 2025-11-02 f   # a millisecond after its start
  h4 2025-11-03 f $$, 'a day begins at its first instant, also where midnight comes twice');

-- Rows. The last day of the calendar is that of a zone.
select pg_temp.set_zone('Asia/Seoul');
\ir parts/refresh_full.sql
select pg_temp.add('level_up', 'r', 'u1 9@2099-12-31T15:00') \g /dev/null
select pg_temp.load_lines('second');
select pg_temp.shows('select user_level, day from report.level_up where user_level = 9', '9 2100-01-01',
  'the newest possible row has its day, too');

select pg_temp.shows($$ select concat_ws(' ', user_id, character_id, text_repaired, line_number) from report.level_up
    where user_level = 2 and app_id = 'r'
  union all select concat_ws(' ', user_id, observed_at_source) from report.game_user_snapshot
    where user_level = 3 and app_id = 'r'
  union all select concat_ws(' ', event_id, user_id, category, event_group, push_id, push_action_type) from report.event
    where app_id = 'r' $$, $$
  u1 c f 2
  u1 load_start
  1 u1 pushClickAction push p REPLY $$, 'the rows show their columns');

-- The months of a range of days are found by the calendar.
select ok(not exists (select from pg_temp.plan_of(
  $$ select * from report.level_up where app_id = 'r' and day = '2025-07-03' $$, true) p
  where p ~ 'level_up_2025_06.*actual'), 'a day touches its month only');

select ingest.erase_user('u1', 'r', sha256('u1'), sha256('key')) \g /dev/null
select is_empty('table day_of_row', 'an erased user has no level-up, no snapshot and no event');

select * from finish();
