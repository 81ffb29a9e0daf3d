-- Payers and revenue per payer by day, week and month: new and repeat payers, periods without a purchase, the borders
-- of complete periods, and ratios that are rounded once.
\ir parts/reports.sql
select plan(14);

-- 2024-12-30 is a Monday. The free purchase is the first event, the last purchase the newest one.
insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at, is_sandbox, is_promotion)
  values
    ('p1', 'p', 'u4', 'USD', 0, '2024-12-30 12:00Z', null, null),
    ('p2', 'p', 'u1', 'USD', 1000, '2025-01-01 10:00Z', null, null),
    ('p3', 'p', 'u1', 'USD', 500, '2025-01-01 11:00Z', null, null),
    ('p4', 'p', 'u2', 'JPY', 300, '2025-01-03 10:00Z', null, null),
    ('p5', 'p', 'u1', 'USD', 250, '2025-01-03 10:00Z', null, null),
    ('p6', 'p', 'u3', 'USD', 5000, '2025-01-06 09:00Z', true, null),
    ('p7', 'p', 'u2', 'USD', 101, '2025-01-08 06:00Z', null, null),
    ('p8', 'p', 'u3', 'USD', 100, '2025-01-03 12:00Z', null, null),
    ('p9', 'p', 'u4', 'KWD', 1000, '2025-01-04 12:00Z', null, true);
-- Exact borders: the first event is at the start of a day, week and period, the newest one at the end of another.
insert into new_receipt (payment_seq, app_id, user_id, purchased_at)
  values ('q1', 'q', 'u1', '2024-12-30 00:00Z'), ('q2', 'q', 'u1', '2025-01-06 00:00Z'),
    ('r1', 'r', 'u1', '2024-12-30 00:00:00.001Z'), ('r2', 'r', 'u1', '2025-01-05 23:59:59.999Z');
-- Eight payers with 9 minor units: seven paid 1, one paid 2.
insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at)
  select currency || n, 'h', 'u' || n, currency, case n when 1 then 2 else 1 end, '2025-01-01 10:00Z'
    from generate_series(1, 8) n, unnest(array['USD', 'KWD', 'JPY']) currency;
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select period, period_start, payer_count, new_payer_count, repeat_payer_count, is_complete
       from report.payers_by_period where app_id = 'p' $$, $$
  day   2024-12-30 0 0 0 f   # begins before the first event, at noon
  day   2024-12-31 0 0 0 t
  day   2025-01-01 1 1 0 t
  day   2025-01-02 0 0 0 t
  day   2025-01-03 3 2 1 t   # u2 and u3 are new, u1 is not
  day   2025-01-04 0 0 0 t   # a promotion
  day   2025-01-05 0 0 0 t
  day   2025-01-06 0 0 0 t   # a sandbox purchase
  day   2025-01-07 0 0 0 t
  day   2025-01-08 1 0 1 f   # the newest event is at 06:00
  week  2024-12-30 3 3 0 f   # begins before the first event
  week  2025-01-06 1 0 1 f
  month 2024-12-01 0 0 0 f
  month 2025-01-01 3 3 0 f   # u1, u2 and u3 paid for the first time in this month
  $$, 'every period from the first event to the newest has a row');
select pg_temp.shows(
  $$ select period_start, app_id, payer_count, new_payer_count, repeat_payer_count, is_complete
       from report.payers_by_period where period = 'day' and app_id = 'p' and payer_count > 0 $$, $$
  2025-01-01 p 1 1 0 t
  2025-01-03 p 3 2 1 t
  2025-01-08 p 1 0 1 f $$, 'payers of days');
select is((select count(*) from report.payers_by_period where period = 'day' and app_id = 'p'), 10::bigint,
  'also days without a payer have a row');
select pg_temp.shows(
  $$ select app_id, period, period_start, payer_count, new_payer_count, is_complete
       from report.payers_by_period where app_id in ('q', 'r')
       and (period <> 'day' or period_start not between '2024-12-31' and '2025-01-04') $$, $$
  q day   2024-12-30 1 1 t   # begins at the first event
  q day   2025-01-05 0 0 t   # ends at the newest event
  q day   2025-01-06 1 0 f
  q week  2024-12-30 1 1 t
  q week  2025-01-06 1 0 f
  q month 2024-12-01 1 1 f
  q month 2025-01-01 1 0 f
  r day   2024-12-30 1 1 f   # the first event is a millisecond after its start
  r day   2025-01-05 1 0 f   # the newest event is a millisecond before its end
  r week  2024-12-30 1 1 f
  r month 2024-12-01 1 1 f
  r month 2025-01-01 1 0 f $$, 'a period is complete from its start to its end, both included');
select is((select count(*) from report.payers_by_period where period = 'day' and app_id in ('q', 'r') and is_complete
    and period_start between '2024-12-31' and '2025-01-04'), 10::bigint, 'the five days between are complete');

-- observed: users with a purchase that is not a test, whatever it cost.
select pg_temp.shows(
  $$ select period, period_start, amount_minor, amount, payer_count, new_payer_amount, repeat_payer_amount, arppu,
       amount_per_observed_user, is_complete
       from report.arppu_by_period where app_id = 'p' and currency = 'USD' $$, $$
  #                           payers new   repeat arppu    per observed user
  day   2024-12-30 0    0.00  0      0.00  0.00   -        0.0000 f           # u4, free
  day   2024-12-31 0    0.00  0      0.00  0.00   -        -      t
  day   2025-01-01 1500 15.00 1      15.00 0.00   15.0000  15.0000 t
  day   2025-01-02 0    0.00  0      0.00  0.00   -        -      t
  day   2025-01-03 350  3.50  2      1.00  2.50   1.7500   1.1667 t           # 3.50 / 3 = 1.16666...
  day   2025-01-04 0    0.00  0      0.00  0.00   -        0.0000 t           # u4, promotion
  day   2025-01-05 0    0.00  0      0.00  0.00   -        -      t
  day   2025-01-06 0    0.00  0      0.00  0.00   -        -      t
  day   2025-01-07 0    0.00  0      0.00  0.00   -        -      t
  day   2025-01-08 101  1.01  1      0.00  1.01   1.0100   1.0100 f
  week  2024-12-30 1850 18.50 2      18.50 0.00   9.2500   4.6250 f           # 1500 + 250 + 100; 18.50 / 4 users
  week  2025-01-06 101  1.01  1      0.00  1.01   1.0100   1.0100 f
  month 2024-12-01 0    0.00  0      0.00  0.00   -        0.0000 f
  month 2025-01-01 1951 19.51 3      19.51 0.00   6.5033   4.8775 f           # 19.51 / 3; 19.51 / 4
  $$, 'revenue by payer, of new and of repeat payers');
select pg_temp.shows(
  $$ select period_start, currency, paid_count from report.arppu_by_period where app_id = 'p' and period = 'week' $$, $$
  2024-12-30 USD 4   # u1 three times, u3
  2025-01-06 USD 1
  2024-12-30 JPY 1
  2025-01-06 JPY 0 $$, 'with the number of paid purchases');
select pg_temp.shows(
  $$ select period, period_start, amount_minor, amount, payer_count, new_payer_amount, repeat_payer_amount, arppu,
       amount_per_observed_user, is_complete
       from report.arppu_by_period where app_id = 'p' and currency = 'JPY' and period <> 'day'
     union all
     select period, period_start, amount_minor, amount, payer_count, new_payer_amount, repeat_payer_amount, arppu,
       amount_per_observed_user, is_complete
       from report.arppu_by_period where app_id = 'p' and currency = 'JPY' and period_start in ('2025-01-03', '2025-01-04') $$, $$
  day   2025-01-03 300 300 1 300 0 300.00 100.00 t
  day   2025-01-04 0   0   0 0   0 -      0.00   t
  week  2024-12-30 300 300 1 300 0 300.00 75.00  f
  week  2025-01-06 0   0   0 0   0 -      0.00   f
  month 2024-12-01 0   0   0 0   0 -      0.00   f
  month 2025-01-01 300 300 1 300 0 300.00 75.00  f $$, 'a currency without digits has ratios with two');
select pg_temp.shows(
  $$ select currency, period, count(*) from report.arppu_by_period where app_id = 'p' group by currency, period $$, $$
  JPY day 10
  JPY week 2
  JPY month 2
  USD day 10
  USD week 2
  USD month 2 $$, 'every period has a row for each currency that was paid, and none for one of promotions');
select pg_temp.shows(
  $$ select currency, amount_minor, amount, payer_count, arppu, amount_per_observed_user
       from report.arppu_by_period where app_id = 'h' and period = 'day' $$, $$
  JPY 9 9     8 1.13    1.13      # 1.125
  KWD 9 0.009 8 0.00113 0.00113   # 0.001125
  USD 9 0.09  8 0.0113  0.0113    # 0.01125
  $$, 'ratios are rounded half up, to two digits more than the currency has');

-- A late file with an earlier purchase of u3.
insert into new_receipt (payment_seq, app_id, user_id, purchased_at) values ('p10', 'p', 'u3', '2025-01-02 08:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, payer_count, new_payer_count, repeat_payer_count
       from report.payers_by_period where period = 'day' and app_id = 'p' and payer_count > 0 $$, $$
  2025-01-01 1 1 0
  2025-01-02 1 1 0
  2025-01-03 3 1 2
  2025-01-08 1 0 1 $$, 'a late first purchase moves the new payer to its day');
select pg_temp.shows(
  $$ select period_start, currency, new_payer_amount, repeat_payer_amount
       from report.arppu_by_period where app_id = 'p' and period = 'day'
         and period_start between '2025-01-02' and '2025-01-03' $$, $$
  2025-01-02 JPY 0    0
  2025-01-02 USD 1.00 0.00
  2025-01-03 JPY 300  0
  2025-01-03 USD 0.00 3.50 $$, 'and the amounts of new payers with it');

-- A late file with an event before the first one, and one at the end of the newest day.
insert into new_receipt (payment_seq, app_id, user_id, purchased_at, is_sandbox)
  values ('p11', 'p', 'u9', '2024-12-29 00:00Z', true), ('p12', 'p', 'u9', '2025-01-09 00:00Z', true);
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period, period_start, payer_count, is_complete
       from report.payers_by_period where app_id = 'p' and (period <> 'day'
         or period_start not between '2024-12-31' and '2025-01-07') $$, $$
  day   2024-12-29 0 t
  day   2024-12-30 0 t
  day   2025-01-08 1 t
  day   2025-01-09 0 f
  week  2024-12-23 0 f
  week  2024-12-30 3 t   # until 2025-01-06
  week  2025-01-06 1 f
  month 2024-12-01 0 f
  month 2025-01-01 3 f $$, 'late files extend the periods at both ends and complete them');
select is_empty(
  $$ select from report.payers_by_period where payer_count <> new_payer_count + repeat_payer_count $$,
  'new and repeat payers add up');

select * from finish();
