-- Cohorts: retention, conversion and cumulative revenue, with the days that are mature at exact borders.
\ir parts/reports.sql
select plan(15);

-- The cohort of 2025-05-01 is u1, u2 and u3, that of 2025-05-02 is u5. The newest events are at 2025-05-09 00:00
-- (receipts and level-ups) and 06:00 (snapshots). So of the first cohort day 7, 2025-05-08, has just ended, and of the
-- second one day 7 has just begun.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('c', 'u1', 1, '2025-05-01 10:00Z'), ('c', 'u1', 2, '2025-05-02 10:00Z'), ('c', 'u1', 3, '2025-05-08 23:59:59.999Z'),
    ('c', 'u5', 1, '2025-05-02 23:59:59.999Z'), ('c', 'u1', 4, '2025-05-09 00:00Z');
insert into new_game_user (app_id, user_id, user_level, observed_at)
  values ('c', 'u3', 1, '2025-05-01 12:00Z'), ('c', 'u3', 1, '2025-05-02 00:00Z'), ('c', 'u3', 1, '2025-05-09 06:00Z');
insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at, is_sandbox, is_promotion)
  values
    ('c1', 'c', 'u2', 'USD', 100, '2025-05-01 11:00Z', null, null),
    ('c2', 'c', 'u5', 'JPY', 300, '2025-05-03 11:00Z', null, null),
    ('c3', 'c', 'u2', 'USD', 200, '2025-05-04 11:00Z', null, null),
    ('c4', 'c', 'u1', 'USD', 101, '2025-05-08 11:00Z', null, null),
    ('c5', 'c', 'u2', 'USD', 50, '2025-05-09 00:00Z', null, null),
    ('c6', 'c', 'u3', 'KWD', 1000, '2025-05-01 13:00Z', true, null),
    ('c7', 'c', 'u3', 'KWD', 1000, '2025-05-01 13:00Z', null, true);
-- d: the receipts stopped at 2025-05-02 00:00, the level-ups go on until 2025-05-20 00:00. e: no receipts.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  select app, 'u1', level, at::timestamptz
    from unnest(array['d', 'e']) app, (values (1, '2025-05-01 00:00Z'), (2, '2025-05-20 00:00Z')) v (level, at);
insert into new_receipt (payment_seq, app_id, user_id, purchased_at)
  values ('d1', 'd', 'u1', '2025-05-01 10:00Z'), ('d2', 'd', 'u1', '2025-05-02 00:00Z');
-- f: a continued subscription period, which is no observation, is paid two days before the first level-up.
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, product_type, payment_id, purchased_at, expires_at)
  values ('f1', 'f', 'u1', 100, 'AUTO_RENEWABLE', 'GPA.1..1', '2025-05-01 10:00Z', '2025-05-31 10:00Z'),
    ('f2', 'f', 'u2', 0, 'CONSUMABLE', null, '2025-05-04 00:00Z', null);
insert into new_level_up (app_id, user_id, user_level, leveled_up_at) values ('f', 'u1', 1, '2025-05-03 10:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select cohort_on, day_n, cohort_size, observed_count, rate, is_mature
       from report.retention_by_cohort where app_id = 'c' $$, $$
  2025-05-01 0   3 3 1.000000 t
  2025-05-01 1   3 2 0.666667 t   # u1 and u3
  2025-05-01 2   3 0 0.000000 t
  2025-05-01 3   3 1 0.333333 t   # u2
  2025-05-01 4   3 0 0.000000 t
  2025-05-01 5   3 0 0.000000 t
  2025-05-01 6   3 0 0.000000 t
  2025-05-01 7   3 1 0.333333 t   # u1; the day ends at the horizon
  2025-05-01 14  3 - - f
  2025-05-01 28  3 - - f
  2025-05-01 30  3 - - f
  2025-05-01 60  3 - - f
  2025-05-01 90  3 - - f
  2025-05-01 180 3 - - f
  2025-05-01 365 3 - - f
  2025-05-02 0   1 1 1.000000 t
  2025-05-02 1   1 1 1.000000 t   # a purchase
  2025-05-02 2   1 0 0.000000 t
  2025-05-02 3   1 0 0.000000 t
  2025-05-02 4   1 0 0.000000 t
  2025-05-02 5   1 0 0.000000 t
  2025-05-02 6   1 0 0.000000 t   # 2025-05-08
  2025-05-02 7   1 - - f
  2025-05-02 14  1 - - f
  2025-05-02 28  1 - - f
  2025-05-02 30  1 - - f
  2025-05-02 60  1 - - f
  2025-05-02 90  1 - - f
  2025-05-02 180 1 - - f
  2025-05-02 365 1 - - f $$, 'retention is of exactly that day, and absent while immature');
select pg_temp.shows(
  $$ select cohort_on, day_n, cohort_size, converted_count, rate, is_mature
       from report.conversion_by_cohort where app_id = 'c' and day_n <= 14 $$, $$
  2025-05-01 0  3 1 0.333333 t   # u2
  2025-05-01 1  3 1 0.333333 t
  2025-05-01 2  3 1 0.333333 t
  2025-05-01 3  3 1 0.333333 t
  2025-05-01 4  3 1 0.333333 t
  2025-05-01 5  3 1 0.333333 t
  2025-05-01 6  3 1 0.333333 t
  2025-05-01 7  3 2 0.666667 t   # and u1 on day 7
  2025-05-01 14 3 - - f
  2025-05-02 0  1 0 0.000000 t
  2025-05-02 1  1 1 1.000000 t   # u5
  2025-05-02 2  1 1 1.000000 t
  2025-05-02 3  1 1 1.000000 t
  2025-05-02 4  1 1 1.000000 t
  2025-05-02 5  1 1 1.000000 t
  2025-05-02 6  1 1 1.000000 t
  2025-05-02 7  1 - - f
  2025-05-02 14 1 - - f $$, 'conversion counts those who paid by the end of that day');
select pg_temp.shows(
  $$ select cohort_on, day_n, currency, cohort_size, payer_count, cumulative_amount, amount_per_user, is_mature
       from report.revenue_by_cohort where app_id = 'c' and cohort_kind = 'first_observed' and day_n <= 14 $$, $$
  2025-05-01 0  USD 3 1 1.00 0.3333 t   # 1.00 / 3
  2025-05-01 1  USD 3 1 1.00 0.3333 t
  2025-05-01 2  USD 3 1 1.00 0.3333 t
  2025-05-01 3  USD 3 1 3.00 1.0000 t
  2025-05-01 4  USD 3 1 3.00 1.0000 t
  2025-05-01 5  USD 3 1 3.00 1.0000 t
  2025-05-01 6  USD 3 1 3.00 1.0000 t
  2025-05-01 7  USD 3 2 4.01 1.3367 t   # 4.01 / 3 = 1.33666...
  2025-05-01 14 USD 3 - - - f
  2025-05-01 0  JPY 3 0 0 0.00 t
  2025-05-01 1  JPY 3 0 0 0.00 t
  2025-05-01 2  JPY 3 0 0 0.00 t
  2025-05-01 3  JPY 3 0 0 0.00 t
  2025-05-01 4  JPY 3 0 0 0.00 t
  2025-05-01 5  JPY 3 0 0 0.00 t
  2025-05-01 6  JPY 3 0 0 0.00 t
  2025-05-01 7  JPY 3 0 0 0.00 t
  2025-05-01 14 JPY 3 - - - f
  2025-05-02 0  USD 1 0 0.00 0.0000 t
  2025-05-02 1  USD 1 0 0.00 0.0000 t
  2025-05-02 2  USD 1 0 0.00 0.0000 t
  2025-05-02 3  USD 1 0 0.00 0.0000 t
  2025-05-02 4  USD 1 0 0.00 0.0000 t
  2025-05-02 5  USD 1 0 0.00 0.0000 t
  2025-05-02 6  USD 1 0 0.00 0.0000 t
  2025-05-02 7  USD 1 - - - f
  2025-05-02 14 USD 1 - - - f
  2025-05-02 0  JPY 1 0 0 0.00 t
  2025-05-02 1  JPY 1 1 300 300.00 t
  2025-05-02 2  JPY 1 1 300 300.00 t
  2025-05-02 3  JPY 1 1 300 300.00 t
  2025-05-02 4  JPY 1 1 300 300.00 t
  2025-05-02 5  JPY 1 1 300 300.00 t
  2025-05-02 6  JPY 1 1 300 300.00 t
  2025-05-02 7  JPY 1 - - - f
  2025-05-02 14 JPY 1 - - - f $$, 'revenue of the users first observed on a day, in each currency that was paid');
select pg_temp.shows(
  $$ select cohort_on, day_n, currency, cohort_size, payer_count, cumulative_amount, amount_per_user, is_mature
       from report.revenue_by_cohort where app_id = 'c' and cohort_kind = 'first_paid' and day_n <= 7 $$, $$
  2025-05-01 0 USD 1 1 1.00 1.0000 t   # u2
  2025-05-01 1 USD 1 1 1.00 1.0000 t
  2025-05-01 2 USD 1 1 1.00 1.0000 t
  2025-05-01 3 USD 1 1 3.00 3.0000 t
  2025-05-01 4 USD 1 1 3.00 3.0000 t
  2025-05-01 5 USD 1 1 3.00 3.0000 t
  2025-05-01 6 USD 1 1 3.00 3.0000 t
  2025-05-01 7 USD 1 1 3.00 3.0000 t   # the purchase of 2025-05-09 is on day 8
  2025-05-01 0 JPY 1 0 0 0.00 t
  2025-05-01 1 JPY 1 0 0 0.00 t
  2025-05-01 2 JPY 1 0 0 0.00 t
  2025-05-01 3 JPY 1 0 0 0.00 t
  2025-05-01 4 JPY 1 0 0 0.00 t
  2025-05-01 5 JPY 1 0 0 0.00 t
  2025-05-01 6 JPY 1 0 0 0.00 t
  2025-05-01 7 JPY 1 0 0 0.00 t
  2025-05-03 0 USD 1 0 0.00 0.0000 t   # u5
  2025-05-03 1 USD 1 0 0.00 0.0000 t
  2025-05-03 2 USD 1 0 0.00 0.0000 t
  2025-05-03 3 USD 1 0 0.00 0.0000 t
  2025-05-03 4 USD 1 0 0.00 0.0000 t
  2025-05-03 5 USD 1 0 0.00 0.0000 t   # 2025-05-08
  2025-05-03 6 USD 1 - - - f
  2025-05-03 7 USD 1 - - - f
  2025-05-03 0 JPY 1 1 300 300.00 t
  2025-05-03 1 JPY 1 1 300 300.00 t
  2025-05-03 2 JPY 1 1 300 300.00 t
  2025-05-03 3 JPY 1 1 300 300.00 t
  2025-05-03 4 JPY 1 1 300 300.00 t
  2025-05-03 5 JPY 1 1 300 300.00 t
  2025-05-03 6 JPY 1 - - - f
  2025-05-03 7 JPY 1 - - - f
  2025-05-08 0 USD 1 1 1.01 1.0100 t   # u1; the day ends at the newest receipt
  2025-05-08 1 USD 1 - - - f
  2025-05-08 2 USD 1 - - - f
  2025-05-08 3 USD 1 - - - f
  2025-05-08 4 USD 1 - - - f
  2025-05-08 5 USD 1 - - - f
  2025-05-08 6 USD 1 - - - f
  2025-05-08 7 USD 1 - - - f
  2025-05-08 0 JPY 1 0 0 0.00 t
  2025-05-08 1 JPY 1 - - - f
  2025-05-08 2 JPY 1 - - - f
  2025-05-08 3 JPY 1 - - - f
  2025-05-08 4 JPY 1 - - - f
  2025-05-08 5 JPY 1 - - - f
  2025-05-08 6 JPY 1 - - - f
  2025-05-08 7 JPY 1 - - - f $$, 'revenue of the users who first paid on a day');
select is_empty(
  $$ select app_id, cohort_on from report.conversion_by_cohort group by 1, 2
       having array_agg(day_n order by day_n) <> '{0,1,2,3,4,5,6,7,14,28,30,60,90,180,365}' $$,
  'all fifteen rows of a conversion are there');
select is_empty(
  $$ select app_id, cohort_kind, cohort_on, currency from report.revenue_by_cohort group by 1, 2, 3, 4
       having array_agg(day_n order by day_n) <> '{0,1,2,3,4,5,6,7,14,28,30,60,90,180,365}' $$,
  'all fifteen rows of a cohort''s revenue are there');

select pg_temp.shows(
  $$ select app_id, day_n, cohort_size, observed_count, is_mature from report.retention_by_cohort
       where app_id in ('d', 'e') and day_n <= 30 $$, $$
  d 0  1 1 t
  d 1  1 1 t   # a purchase
  d 2  1 0 t
  d 3  1 0 t
  d 4  1 0 t
  d 5  1 0 t
  d 6  1 0 t
  d 7  1 0 t
  d 14 1 0 t   # 2025-05-15
  d 28 1 - f   # 2025-05-29
  d 30 1 - f
  e 0  1 1 t
  e 1  1 0 t
  e 2  1 0 t
  e 3  1 0 t
  e 4  1 0 t
  e 5  1 0 t
  e 6  1 0 t
  e 7  1 0 t
  e 14 1 0 t
  e 28 1 - f
  e 30 1 - f $$, 'retention goes by all streams that have not stopped');
select pg_temp.shows(
  $$ select app_id, day_n, cohort_size, converted_count, rate, is_mature from report.conversion_by_cohort
       where app_id in ('d', 'e') and day_n <= 3 $$, $$
  d 0  1 1 1.000000 t   # 2025-05-01 ends at the newest receipt
  d 1  1 - - f
  d 2  1 - - f
  d 3  1 - - f
  e 0  1 - - f
  e 1  1 - - f
  e 2  1 - - f
  e 3  1 - - f $$, 'conversion goes by receipts, and never matures without them');
select pg_temp.shows(
  $$ select app_id, cohort_kind, day_n, currency, cohort_size, cumulative_amount, is_mature
       from report.revenue_by_cohort where app_id in ('d', 'e') and day_n <= 1 $$, $$
  d first_observed 0 USD 1 1.00 t
  d first_observed 1 USD 1 - f
  d first_paid     0 USD 1 1.00 t
  d first_paid     1 USD 1 - f $$, 'the revenue of cohorts goes by receipts');

select pg_temp.shows(
  $$ select cohort_on, day_n, cohort_size, converted_count, is_mature from report.conversion_by_cohort
       where app_id = 'f' and day_n <= 1 $$, $$
  2025-05-03 0 1 1 t   # u1 paid before
  2025-05-03 1 1 - f
  2025-05-04 0 1 - f   # u2
  2025-05-04 1 1 - f $$, 'a user who paid before the first observation is converted on day 0');
select pg_temp.shows(
  $$ select cohort_kind, cohort_on, day_n, cohort_size, payer_count, cumulative_amount from report.revenue_by_cohort
       where app_id = 'f' and day_n <= 3 and is_mature $$, $$
  first_observed 2025-05-03 0 1 1 1.00
  first_paid     2025-05-01 0 1 1 1.00
  first_paid     2025-05-01 1 1 1 1.00
  first_paid     2025-05-01 2 1 1 1.00   # 2025-05-03 ends at the newest receipt
  $$, 'the revenue of a cohort includes what was paid before its day');

-- One more millisecond before the border: the day is no longer mature.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('g', 'u1', 1, '2025-05-01 00:00Z'), ('g', 'u2', 1, '2025-05-02 23:59:59.999Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select cohort_on, day_n, observed_count, is_mature from report.retention_by_cohort
       where app_id = 'g' and day_n <= 1 $$, $$
  2025-05-01 0 1 t
  2025-05-01 1 - f
  2025-05-02 0 - f
  2025-05-02 1 - f $$, 'a day is immature until its end');
-- A late file moves the first observation of u2 into the cohort of u1, another one moves the horizon.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('g', 'u2', 0, '2025-05-01 12:00Z'), ('g', 'u3', 1, '2025-05-03 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select cohort_on, day_n, cohort_size, observed_count, rate, is_mature from report.retention_by_cohort
       where app_id = 'g' and day_n <= 1 $$, $$
  2025-05-01 0 2 2 1.000000 t
  2025-05-01 1 2 1 0.500000 t
  2025-05-03 0 1 - - f
  2025-05-03 1 1 - - f $$, 'a late file moves a user to another cohort, and the empty cohort ends');
-- Resubscription on another day is no observation, a first purchase is.
insert into new_receipt (payment_seq, app_id, user_id, product_type, purchased_at, expires_at)
  values ('h1', 'h', 'u1', 'AUTO_RENEWABLE', '2025-05-01 10:00Z', '2025-05-02 10:00Z'),
    ('h2', 'h', 'u1', 'AUTO_RENEWABLE', '2025-05-02 10:00Z', '2025-05-03 10:00Z'),
    ('h3', 'h', 'u1', 'AUTO_RENEWABLE', '2025-05-31 10:00Z', '2025-06-01 10:00Z'),
    ('h4', 'h', 'u2', 'CONSUMABLE', '2025-06-01 00:00Z', null);
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select day_n, observed_count from report.retention_by_cohort
       where app_id = 'h' and cohort_on = '2025-05-01' and day_n in (0, 1, 30) $$, $$
  0  1
  1  0   # the renewal
  30 0   # the resubscription
  $$, 'a store''s own renewals retain no user');
select pg_temp.shows(
  $$ select day_n, cohort_size, payer_count, cumulative_amount from report.revenue_by_cohort
       where app_id = 'h' and cohort_kind = 'first_paid' and cohort_on = '2025-05-01' and day_n in (0, 1, 30) $$, $$
  0  1 1 1.00
  1  1 1 2.00
  30 1 1 3.00 $$, 'but they are revenue');

select * from finish();
