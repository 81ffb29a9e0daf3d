-- The reporting zone: a purchase on different days in UTC and in Seoul, the first instant of a day, and sessions
-- with settings of their own.
\ir parts/reports.sql
select plan(16);

-- 2025-06-30 15:00 in UTC is the start of Tuesday, 2025-07-01, in Seoul. In UTC the first purchase is on a Sunday.
insert into new_receipt (payment_seq, app_id, user_id, purchased_at, is_sandbox)
  values
    ('1', 'a', 'u1', '2025-06-29 14:59:59.999Z', null),
    ('2', 'a', 'u2', '2025-06-29 15:00Z', null),
    ('3', 'a', 'u2', '2025-06-30 14:59:59.999Z', null),
    ('4', 'a', 'u3', '2025-06-30 15:00Z', null),
    ('5', 'a', 'u3', '2025-07-01 15:00Z', true),
    -- Havana put its clocks back on 2025-11-02 from 01:00 to 00:00. That day began at 04:00 in UTC, at the first of
    -- its two midnights. h1 and h2 have an event at that instant, h3 a millisecond before it, h4 a millisecond after.
    ('h1', 'h1', 'u1', '2025-11-01 04:00Z', null), ('h2', 'h1', 'u1', '2025-11-02 04:00Z', null),
    ('h3', 'h2', 'u1', '2025-11-02 04:00Z', null), ('h4', 'h2', 'u1', '2025-11-03 05:00Z', null),
    ('h5', 'h3', 'u1', '2025-11-01 04:00Z', null), ('h6', 'h3', 'u1', '2025-11-02 03:59:59.999Z', null),
    ('h7', 'h4', 'u1', '2025-11-02 04:00:00.001Z', null), ('h8', 'h4', 'u1', '2025-11-03 05:00Z', null);
insert into new_level_up (app_id, user_id, user_level, leveled_up_at) values ('a', 'u4', 1, '2025-06-30 15:00Z');
-- A subscription that ends at a midnight of Seoul.
insert into new_receipt (payment_seq, app_id, user_id, product_type, gamebase_product_id, purchased_at, expires_at)
  values ('s1', 's', 'u1', 'AUTO_RENEWABLE', 'gold', '2025-06-29 15:00Z', '2025-06-30 15:00Z'),
    ('s2', 's', 'u1', 'CONSUMABLE', 'gem', '2025-07-01 15:00Z', null);
select pg_temp.load_lines();
\ir parts/refresh.sql

select is(rollup.reporting_zone(), 'UTC', 'days are in UTC unless the setting names another zone');
select pg_temp.shows(
  $$ select period, period_start, payer_count, new_payer_count, is_complete from report.payers_by_period
       where app_id = 'a' $$, $$
  day   2025-06-29 2 2 f   # u1 u2
  day   2025-06-30 2 1 t   # u2 u3
  day   2025-07-01 0 0 f
  week  2025-06-23 2 2 f
  week  2025-06-30 2 1 f
  month 2025-06-01 3 3 f
  month 2025-07-01 0 0 f $$, 'days, weeks and months of UTC');
select pg_temp.set_zone('Asia/Seoul');
\ir parts/refresh_full.sql
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
select pg_temp.shows(
  $$ select payment_seq, purchased_on from report.purchase where app_id = 'a' $$, $$
  1 2025-06-29
  2 2025-06-30
  3 2025-06-30
  4 2025-07-01
  5 2025-07-02 $$, 'a purchase has its day in Seoul');
select pg_temp.shows(
  $$ select day, purchase_count from report.revenue_by_day where app_id = 'a' $$, $$
  2025-06-29 1
  2025-06-30 2
  2025-07-01 1 $$, 'and so has the revenue');
select pg_temp.shows(
  $$ select user_id, first_observed_on, first_paid_on from report.player where app_id = 'a' $$, $$
  u1 2025-06-29 2025-06-29
  u2 2025-06-30 2025-06-30
  u3 2025-07-01 2025-07-01
  u4 2025-07-01 - $$, 'the days of a player are days in Seoul');
select pg_temp.shows(
  $$ select cohort_on, cohort_size, observed_count, is_mature from report.retention_by_cohort
       where app_id = 'a' and day_n = 0 $$, $$
  2025-06-29 1 1 t
  2025-06-30 1 1 t   # until the horizon, which is the level-up
  2025-07-01 2 - f $$, 'cohorts are days in Seoul');
select pg_temp.shows(
  $$ select day, active_paid, new_count, expired_count, is_complete from report.subscription_by_day
       where app_id = 's' $$, $$
  2025-06-30 1 1 0 t
  2025-07-01 0 0 1 t
  2025-07-02 0 0 0 f $$, 'a subscription begins and expires on days in Seoul');

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
\setenv PGOPTIONS '-c timezone=America/New_York -c datestyle=German -c gamebase_ingest.time_zone=Pacific/Kiritimati'
\ir parts/refresh_full.sql
\setenv PGOPTIONS
select is(pg_temp.shown('select * from report.payers_by_period'), payers,
  'nor does the zone of the session that refreshes') from seen;
select is(pg_temp.shown('select day, app_id, active_paid, expired_count, is_complete from report.subscription_by_day'),
  subscriptions, 'not for subscriptions either') from seen;
set timezone = 'UTC';
set datestyle = 'ISO, MDY';

-- The zone of rows that are loaded after the change.
insert into new_receipt (payment_seq, app_id, user_id, purchased_at) values ('6', 'a', 'u5', '2025-07-02 15:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, new_payer_count, is_complete from report.payers_by_period where period = 'day' and app_id = 'a'
       and period_start >= '2025-07-01' $$, $$
  2025-07-01 1 t
  2025-07-02 0 t
  2025-07-03 1 f $$, 'later loads keep to the zone');

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
-- Back to UTC: the figures are those of the beginning.
select pg_temp.set_zone('UTC');
\ir parts/refresh_full.sql
select pg_temp.shows(
  $$ select period_start, payer_count, new_payer_count from report.payers_by_period
       where app_id = 'a' and period = 'day' $$, $$
  2025-06-29 2 2
  2025-06-30 2 1
  2025-07-01 0 0
  2025-07-02 1 1 $$, 'a change back gives the first figures again');

select * from finish();
