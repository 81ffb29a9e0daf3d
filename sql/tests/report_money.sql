-- Money by day, product, user, period and cohort, on purchases small enough to add up by hand. Each theme has
-- applications of its own; all share the loads and the refreshes.
\ir parts/reports.sql
select plan(38);

-- Revenue: currencies with 0, 2 and 3 digits, sandbox, promotion, free and unpriced purchases, and purchases without a
-- store or product, in applications a and b.
select pg_temp.add('receipt', 'a', $$
  u1 1:499@07-01 14:100@07-02T12:00 sandbox=f 2:1@07-01T23:59:59.999
  u1 promotion=f store=AS product=pack 13:200@07-01T15:00
  u2 3:-@07-01T12:00 4:0@07-01T12:00 currency=KWD 9:1234@07-01T12:30 currency=JPY price_imprecise 8:20000000@07-01T12:00
  u3 promotion 6:-@07-01T12:00 sandbox=f 5:300@07-01T12:00
  u4 sandbox 7:99999@07-01T12:00 currency=KWD 11:1500@07-01T12:00
  u5 sandbox 17:-@07-01T12:00 sandbox=- currency=EUR store=- product=- 10:1050@07-01T13:00
  u6 store=AS product=pack 12:200@07-01T14:00
  u7 18:0@07-03T12:00 store=AS promotion 15:100@07-02T12:00 $$),
  pg_temp.add('receipt', 'b', 'u1 16:7@07-02T12:00') \g /dev/null
-- A tie, in application t: two paid purchases of a user at one instant. By bytes, "10" is before "9" and "B" before
-- "a". In x the highest amount of the data contract, twice: the sum is no bigint.
select pg_temp.add('receipt', 't', $$
  u1 9.:@07-01T12:00 10.:@07-01T12:00
  u2 a.:@07-01T12:00 B.:@07-01T12:00 $$),
  pg_temp.add('receipt', 'x', 'u 9223372036854775807@07-01 9223372036854775807@07-01') \g /dev/null

-- Payers, in applications p, q, r and h.
-- 2024-12-30 is a Monday. The free purchase is the first event, the last purchase of u2 the newest one.
select pg_temp.add('receipt', 'p', $$
  u1 1000@01-01T10:00 500@01-01T11:00 250@01-03T10:00
  u2 101@01-08T06:00 currency=JPY 300@01-03T10:00
  u3 100@01-03T12:00 sandbox 5000@01-06T09:00
  u4 0@2024-12-30T12:00 currency=KWD promotion 1000@01-04T12:00 $$) \g /dev/null
-- Exact borders: the first event is at the start of a day, week and period, the newest one at the end of another.
select pg_temp.add('receipt', 'q', 'u1 @2024-12-30 @01-06'),
  pg_temp.add('receipt', 'r', 'u1 @2024-12-30T00:00:00.001 @01-05T23:59:59.999') \g /dev/null
-- Eight payers with 9 minor units: seven paid 1, one paid 2.
insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at)
  select currency || n, 'h', 'u' || n, currency, case n when 1 then 2 else 1 end, '2025-01-01 10:00Z'
    from generate_series(1, 8) n, unnest(array['USD', 'KWD', 'JPY']) currency;

-- The top payers.
-- Application k, February: ten payers. The first one paid 600 and 400, the second 500, the others 100 each: 2300.
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at)
  select 'k' || n, 'k', 'u' || n, case n when 1 then 600 when 2 then 500 else 100 end, '2025-02-10 12:00Z'
    from generate_series(1, 10) n;
select pg_temp.add('receipt', 'k', $$
  u1 400@02-28T23:59:59.999 currency=JPY 300@02-10T12:00
  # The first and the newest event complete February. Neither is paid.
  u1 sandbox 9999@02-01
  u3 promotion 9999@03-01 $$) \g /dev/null
-- Application n: 101 payers, of whom two paid 1000 and the others 100: 2000 + 9900 = 11900.
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at)
  select 'n' || n, 'n', 'u' || n, case when n <= 2 then 1000 else 100 end, '2025-02-10 12:00Z'
    from generate_series(1, 101) n;

-- Cohorts.
-- The cohort of 2025-05-01 is u1, u2 and u3, that of 2025-05-02 is u5. The newest events are at 2025-05-09 00:00
-- (receipts and level-ups) and 06:00 (snapshots). So of the first cohort day 7, 2025-05-08, has just ended, and of the
-- second one day 7 has just begun.
select pg_temp.add('level_up', 'c', $$
  u1 1@05-01T10:00 2@05-02T10:00 3@05-08T23:59:59.999 4@05-09
  u5 1@05-02T23:59:59.999 $$), pg_temp.add('game_user', 'c', 'u3 1@05-01T12:00 1@05-02 1@05-09T06:00'),
  pg_temp.add('receipt', 'c', $$
  u1 101@05-08T11:00
  u2 100@05-01T11:00 200@05-04T11:00 50@05-09
  u3 currency=KWD sandbox 1000@05-01T13:00 sandbox=- promotion 1000@05-01T13:00
  u5 currency=JPY 300@05-03T11:00 $$) \g /dev/null
-- d: the receipts stopped at 2025-05-02 00:00, the level-ups go on until 2025-05-20 00:00. e: no receipts.
select pg_temp.add('level_up', app, 'u1 1@05-01 2@05-20') from unnest('{d,e}'::text[]) app \g /dev/null
select pg_temp.add('receipt', 'd', 'u1 @05-01T10:00 @05-02') \g /dev/null
-- f: a continued subscription period, which is no observation, is paid two days before the first level-up.
select pg_temp.add('level_up', 'f', 'u1 1@05-03T10:00'), pg_temp.add('receipt', 'f', $$
  u1 type=AUTO_RENEWABLE payment=GPA.1..1 @05-01T10:00/05-31T10:00
  u2 0@05-04 $$) \g /dev/null
-- g: one more millisecond before the border. i: a resubscription on another day is no observation, a first purchase is.
select pg_temp.add('level_up', 'g', $$
  u1 1@05-01
  u2 1@05-02T23:59:59.999 $$), pg_temp.add('receipt', 'i', $$
  u1 type=AUTO_RENEWABLE @05-01T10:00/05-02T10:00 @05-02T10:00/05-03T10:00 @05-31T10:00/06-01T10:00
  u2 @06-01 $$) \g /dev/null
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select day, app_id, currency, store_code, gamebase_product_id, is_promotion, purchase_count, paid_count,
       payer_count, free_count, unpriced_count, imprecise_count, unknown_sandbox_count, amount_minor, amount,
       promotion_amount
       from report.revenue_by_day where app_id in ('a', 'b') $$, $$
  #                                 purchases                             unknown
  #                                 | paid  payers                        sandbox
  #                                 | | |   free unpriced imprecise       |
  2025-07-01 a EUR -  -    f        1 1 1   0    0        0               1   1050     10.50    0.00
  2025-07-01 a JPY GG gem  f        1 1 1   0    0        1               1   20000000 20000000 0
  2025-07-01 a KWD GG gem  f        1 1 1   0    0        0               1   1234     1.234    0.000
  2025-07-01 a USD AS pack f        2 2 2   0    0        0               2   400      4.00     0.00   # 200 + 200
  2025-07-01 a USD GG gem  f        4 2 1   1    1        0               3   500      5.00     0.00   # 499 + 1
  2025-07-01 a USD GG gem  t        2 0 0   0    1        0               1   0        0.00     3.00
  2025-07-02 a USD AS gem  t        1 0 0   0    0        0               1   0        0.00     1.00
  2025-07-02 a USD GG gem  f        1 1 1   0    0        0               1   100      1.00     0.00
  2025-07-02 b USD GG gem  f        1 1 1   0    0        0               1   7        0.07     0.00
  2025-07-03 a USD GG gem  f        1 0 0   1    0        0               1   0        0.00     0.00 $$,
  'amounts are of paid purchases; promotions, free and unpriced ones are counted beside');
select pg_temp.shows($$ select day, app_id, currency, store_code, gamebase_product_id, purchase_count, payer_count,
       amount_minor, amount from report.sandbox_revenue_by_day where app_id = 'a' $$, $$
  2025-07-01 a KWD GG gem  1 1  1500  1.500
  2025-07-01 a USD GG gem  2 2  99999 999.99   # 7 and 17, which has no price
  $$, 'sandbox purchases are in a view of their own');
select pg_temp.shows(
  $$ select day, app_id, currency, gamebase_product_id, store_code, purchase_count, paid_count, payer_count,
       new_payer_count, amount_minor, amount, share_of_amount from report.product_by_day
       where app_id in ('a', 'b') $$, $$
  #                            purchases
  #                            | paid payers new
  2025-07-01 a EUR -    -      1 1    1      1    1050     10.50    1.000000
  2025-07-01 a JPY gem  GG     1 1    1      1    20000000 20000000 1.000000
  2025-07-01 a KWD gem  GG     1 1    1      1    1234     1.234    1.000000   # u2 is new in each currency
  2025-07-01 a USD gem  GG     6 2    1      1    500      5.00     0.555556   # 500 / 900; promotions are purchases
  2025-07-01 a USD pack AS     2 2    2      2    400      4.00     0.444444   # 400 / 900; u1 is new here too
  2025-07-02 a USD gem  AS     1 0    0      0    0        0.00     0.000000
  2025-07-02 a USD gem  GG     1 1    1      0    100      1.00     1.000000
  2025-07-02 b USD gem  GG     1 1    1      1    7        0.07     1.000000
  2025-07-03 a USD gem  GG     1 0    0      0    0        0.00     -          # nothing was paid
  $$, 'each product has its share of the day''s amount in the application and currency');
select pg_temp.shows($$ select app_id, user_id, currency, paid_count, amount_minor, amount from report.player_revenue
       where app_id in ('a', 'b') and paid_count > 0 $$, $$
  a u1 USD 4 800 8.00   # 499 + 1 + 200 + 100
  a u2 JPY 1 20000000 20000000
  a u2 KWD 1 1234 1.234
  a u5 EUR 1 1050 10.50
  a u6 USD 1 200 2.00
  b u1 USD 1 7 0.07 $$, 'the revenue of each user');
select pg_temp.shows(
  $$ select is_paid, is_sandbox_known, is_first_paid, string_agg(payment_seq, ' ' order by payment_seq::integer)
       from report.purchase where app_id in ('a', 'b') group by 1, 2, 3 $$, $$
  t f t 1 8 10 12 16    # 16 is the first in application b
  t f f 9 13 14         # 9 is half an hour after 8
  t t f 2
  f f f 3 4 6 15 18
  f t f 5 7 11 17 $$, 'each purchase tells whether it was paid, and whether it was the user''s first');
select pg_temp.shows($$ select payment_seq, purchased_on, amount from report.purchase
       where app_id in ('a', 'b') and payment_seq in ('1', '3', '8', '9', '14') $$, $$
  1  2025-07-01 4.99
  3  2025-07-01 -
  8  2025-07-01 20000000
  9  2025-07-01 1.234
  14 2025-07-02 1.00 $$, 'with its day, and its price in the unit of the currency');
select is_empty($$ select attname from pg_catalog.pg_attribute
       where attrelid = 'game.receipt'::regclass and attnum > 0 and not attisdropped
         and attname not in ('purchase_token', 'purchase_token_sha256', 'payload', 'extra', 'row_digest')
     except
     select attname from pg_catalog.pg_attribute where attrelid = 'report.purchase'::regclass $$,
  'a purchase has the columns of its receipt');

select pg_temp.shows($$ select payment_seq, is_first_paid from report.purchase where app_id = 't' $$,
  $$ 10. t
     9.  f
     B.  t
     a.  f $$, 'of two purchases at one instant, the smaller payment_seq in bytes is the first');
select pg_temp.shows($$ select 'day', amount_minor, amount from report.revenue_by_day where app_id = 'x'
     union all select 'product', amount_minor, amount from report.product_by_day where app_id = 'x'
     union all select 'user', amount_minor, amount from report.player_revenue where app_id = 'x'
     union all select period, amount_minor, arppu from report.arppu_by_period where app_id = 'x' and period <> 'day'
     union all select 'level', amount_minor, amount from report.revenue_by_level where app_id = 'x'
     union all select 'share', amount_minor, amount from report.payer_concentration where app_id = 'x' and top_share = 1
     union all select cohort_kind, day_n, cumulative_amount from report.revenue_by_cohort where app_id = 'x' and day_n = 0
  $$, $$
  day            18446744073709551614 184467440737095516.14
  product        18446744073709551614 184467440737095516.14
  user           18446744073709551614 184467440737095516.14
  week           18446744073709551614 184467440737095516.1400   # one payer; two digits more
  month          18446744073709551614 184467440737095516.1400
  level          18446744073709551614 184467440737095516.14
  share          18446744073709551614 184467440737095516.14
  first_observed 0 -   # the day has not ended at the newest receipt
  first_paid     0 -
  $$, 'two of the highest amounts of the data contract are added up');

select pg_temp.shows($$ select period, period_start, payer_count, new_payer_count, repeat_payer_count, is_complete
       from report.payers_by_period where app_id = 'p'
         and (period <> 'day' or payer_count > 0 or period_start in ('2024-12-30', '2024-12-31', '2025-01-04', '2025-01-06')) $$, $$
  day   2024-12-30 0 0 0 f   # begins before the first event, at noon
  day   2024-12-31 0 0 0 t
  day   2025-01-01 1 1 0 t
  day   2025-01-03 3 2 1 t   # u2 and u3 are new, u1 is not
  day   2025-01-04 0 0 0 t   # a promotion
  day   2025-01-06 0 0 0 t   # a sandbox purchase
  day   2025-01-08 1 0 1 f   # the newest event is at 06:00
  week  2024-12-30 3 3 0 f   # begins before the first event
  week  2025-01-06 1 0 1 f
  month 2024-12-01 0 0 0 f
  month 2025-01-01 3 3 0 f   # u1, u2 and u3 paid for the first time in this month
  $$, 'periods go from the first event to the newest');
select pg_temp.shows($$ select app_id, period, period_start, payer_count, new_payer_count, is_complete
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
       from report.arppu_by_period where app_id = 'p' and currency = 'USD'
         and (period <> 'day' or amount_minor > 0 or period_start in ('2024-12-30', '2025-01-04', '2025-01-05')) $$, $$
  #                           payers new   repeat arppu    per observed user
  day   2024-12-30 0    0.00  0      0.00  0.00   -        0.0000 f           # u4, free
  day   2025-01-01 1500 15.00 1      15.00 0.00   15.0000  15.0000 t
  day   2025-01-03 350  3.50  2      1.00  2.50   1.7500   1.1667 t           # 3.50 / 3 = 1.16666...
  day   2025-01-04 0    0.00  0      0.00  0.00   -        0.0000 t           # u4, promotion
  day   2025-01-05 0    0.00  0      0.00  0.00   -        -      t
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
       from report.arppu_by_period where app_id = 'p' and currency = 'JPY'
         and period_start in ('2025-01-03', '2025-01-04', '2024-12-30', '2025-01-01') and (period <> 'day' or payer_count > 0
           or period_start = '2025-01-04') $$, $$
  day   2025-01-03 300 300 1 300 0 300.00 100.00 t
  day   2025-01-04 0   0   0 0   0 -      0.00   t
  week  2024-12-30 300 300 1 300 0 300.00 75.00  f
  month 2025-01-01 300 300 1 300 0 300.00 75.00  f $$, 'a currency without digits has ratios with two');
select pg_temp.shows(
  $$ select currency, period, count(*) from report.arppu_by_period where app_id = 'p' group by currency, period $$, $$
  JPY day 10
  JPY week 2
  JPY month 2
  USD day 10
  USD week 2
  USD month 2 $$, 'every period has a row for each currency that was paid, and none for one of promotions');
select pg_temp.shows($$ select currency, amount_minor, amount, payer_count, arppu, amount_per_observed_user
       from report.arppu_by_period where app_id = 'h' and period = 'day' $$, $$
  JPY 9 9     8 1.13    1.13      # 1.125
  KWD 9 0.009 8 0.00113 0.00113   # 0.001125
  USD 9 0.09  8 0.0113  0.0113    # 0.01125
  $$, 'ratios are rounded half up, to two digits more than the currency has');

select pg_temp.shows(
  $$ select month, currency, trim_scale(top_share::numeric), payer_count, amount_minor, amount, share_of_amount, is_complete
       from report.payer_concentration where app_id = 'k' and (currency = 'USD' or top_share in (0.01, 1)) $$, $$
  2025-02-01 USD 0.01 1  1000 10.00 0.434783 t   # 0.1 payers; 1000 / 2300
  2025-02-01 USD 0.05 1  1000 10.00 0.434783 t   # 0.5 payers
  2025-02-01 USD 0.1  1  1000 10.00 0.434783 t
  2025-02-01 USD 0.25 3  1600 16.00 0.695652 t   # 2.5 payers; 1000 + 500 + 100
  2025-02-01 USD 0.5  5  1800 18.00 0.782609 t   # 1000 + 500 + 3 x 100
  2025-02-01 USD 1    10 2300 23.00 1.000000 t
  2025-02-01 JPY 0.01 1 300 300 1.000000 t
  2025-02-01 JPY 1    1 300 300 1.000000 t $$, 'payers are ranked by their amount of the month, and rounded up');
select pg_temp.shows($$ select trim_scale(top_share::numeric), payer_count, amount_minor, share_of_amount, is_complete
       from report.payer_concentration where app_id = 'n' $$, $$
  0.01 2   2000  0.168067 f   # 1.01 payers
  0.05 6   2400  0.201681 f   # 5.05 payers; 2000 + 4 x 100
  0.1  11  2900  0.243697 f
  0.25 26  4400  0.369748 f
  0.5  51  6900  0.579832 f
  1    101 11900 1.000000 f $$, 'a part of a payer is a payer');

select pg_temp.shows($$ select cohort_on, cohort_size,
       string_agg(pg_temp.cell(day_n, is_mature, observed_count, rate), ' ' order by day_n)
       from report.retention_by_cohort where app_id = 'c' and day_n in (0, 1, 3, 6, 7, 14) group by 1, 2 $$, $$
  # day 1: u1 and u3; day 3: u2; day 7: u1; the day ends at the horizon
  2025-05-01 3 0:3/1 1:2/0.666667 3:1/0.333333 6:0/0 7:1/0.333333 14:-/-?
  2025-05-02 1 0:1/1 1:1/1 3:0/0 6:0/0 7:-/-? 14:-/-?   # day 1: a purchase; day 6: 2025-05-08
  $$, 'retention is of exactly that day, and absent while immature');
select pg_temp.shows($$ select cohort_on, cohort_size,
       string_agg(pg_temp.cell(day_n, is_mature, converted_count, rate), ' ' order by day_n)
       from report.conversion_by_cohort where app_id = 'c' and day_n in (0, 1, 6, 7) group by 1, 2 $$, $$
  2025-05-01 3 0:1/0.333333 1:1/0.333333 6:1/0.333333 7:2/0.666667   # day 0: u2; day 7: and u1 on day 7
  2025-05-02 1 0:0/0 1:1/1 6:1/1 7:-/-?   # day 1: u5
  $$, 'conversion counts those who paid by the end of that day');
select pg_temp.shows(
  $$ select cohort_on, currency, cohort_size,
         string_agg(pg_temp.cell(day_n, is_mature, payer_count, cumulative_amount, amount_per_user), ' ' order by day_n)
       from report.revenue_by_cohort where app_id = 'c' and cohort_kind = 'first_observed'
         and day_n in (1, 3, 7) group by 1, 2, 3 $$, $$
  2025-05-01 USD 3 1:1/1/0.3333 3:1/3/1 7:2/4.01/1.3367   # day 1: 1.00 / 3; day 7: 4.01 / 3 = 1.33666...
  2025-05-01 JPY 3 1:0/0/0 3:0/0/0 7:0/0/0
  2025-05-02 USD 1 1:0/0/0 3:0/0/0 7:-/-/-?
  2025-05-02 JPY 1 1:1/300/300 3:1/300/300 7:-/-/-?
  $$, 'revenue of the users first observed on a day, in each currency that was paid');
select pg_temp.shows(
  $$ select cohort_on, currency, cohort_size,
         string_agg(pg_temp.cell(day_n, is_mature, payer_count, cumulative_amount, amount_per_user), ' ' order by day_n)
       from report.revenue_by_cohort where app_id = 'c' and cohort_kind = 'first_paid'
         and day_n in (0, 5, 6, 7) and (currency = 'USD' or cohort_on = '2025-05-03') group by 1, 2, 3 $$, $$
  # day 0: u2; day 7: the purchase of 2025-05-09 is on day 8
  2025-05-01 USD 1 0:1/1/1 5:1/3/3 6:1/3/3 7:1/3/3
  2025-05-03 USD 1 0:0/0/0 5:0/0/0 6:-/-/-? 7:-/-/-?   # day 0: u5; day 5: 2025-05-08
  2025-05-03 JPY 1 0:1/300/300 5:1/300/300 6:-/-/-? 7:-/-/-?
  2025-05-08 USD 1 0:1/1.01/1.01 5:-/-/-? 6:-/-/-? 7:-/-/-?   # day 0: u1; the day ends at the newest receipt
  $$, 'revenue of the users who first paid on a day');
select is_empty($$ select app_id, cohort_on from report.conversion_by_cohort group by 1, 2
       having array_agg(day_n order by day_n) <> '{0,1,2,3,4,5,6,7,14,28,30,60,90,180,365}' $$,
  'all fifteen rows of a conversion are there');
select is_empty($$ select app_id, cohort_kind, cohort_on, currency from report.revenue_by_cohort group by 1, 2, 3, 4
       having array_agg(day_n order by day_n) <> '{0,1,2,3,4,5,6,7,14,28,30,60,90,180,365}' $$,
  'all fifteen rows of a cohort''s revenue are there');
select pg_temp.shows($$ select app_id, cohort_size,
       string_agg(pg_temp.cell(day_n, is_mature, observed_count), ' ' order by day_n)
       from report.retention_by_cohort
       where app_id in ('d', 'e') and day_n in (0, 1, 14, 28) group by 1, 2 $$, $$
  d 1 0:1 1:1 14:0 28:-?   # day 1: a purchase; day 14: 2025-05-15; day 28: 2025-05-29
  e 1 0:1 1:0 14:0 28:-?
  $$, 'retention goes by all streams that have not stopped');
select pg_temp.shows(
  $$ select app_id, cohort_size, string_agg(pg_temp.cell(day_n, is_mature, converted_count, rate), ' ' order by day_n)
       from report.conversion_by_cohort
       where app_id in ('d', 'e') and day_n <= 1 group by 1, 2 $$, $$
  d 1 0:1/1 1:-/-?   # day 0: 2025-05-01 ends at the newest receipt
  e 1 0:-/-? 1:-/-?
  $$, 'conversion goes by receipts, and never matures without them');
select pg_temp.shows($$ select app_id, cohort_kind, currency, cohort_size,
         string_agg(pg_temp.cell(day_n, is_mature, cumulative_amount), ' ' order by day_n)
       from report.revenue_by_cohort where app_id in ('d', 'e') and day_n <= 1 group by 1, 2, 3, 4 $$, $$
  d first_observed USD 1 0:1 1:-?
  d first_paid USD 1 0:1 1:-?
  $$, 'the revenue of cohorts goes by receipts');

select pg_temp.shows(
  $$ select cohort_on, cohort_size, string_agg(pg_temp.cell(day_n, is_mature, converted_count), ' ' order by day_n)
       from report.conversion_by_cohort
       where app_id = 'f' and day_n <= 1 group by 1, 2 $$, $$
  2025-05-03 1 0:1 1:-?   # day 0: u1 paid before
  2025-05-04 1 0:-? 1:-?   # day 0: u2
  $$, 'a user who paid before the first observation is converted on day 0');
select pg_temp.shows(
  $$ select cohort_kind, cohort_on, cohort_size,
         string_agg(pg_temp.cell(day_n, true, payer_count, cumulative_amount), ' ' order by day_n)
       from report.revenue_by_cohort
       where app_id = 'f' and day_n <= 3 and is_mature group by 1, 2, 3 $$, $$
  first_observed 2025-05-03 1 0:1/1
  first_paid 2025-05-01 1 0:1/1 1:1/1 2:1/1   # day 2: 2025-05-03 ends at the newest receipt
  $$, 'the revenue of a cohort includes what was paid before its day');

select pg_temp.shows($$ select cohort_on, string_agg(pg_temp.cell(day_n, is_mature, observed_count), ' ' order by day_n)
       from report.retention_by_cohort
       where app_id = 'g' and day_n <= 1 group by 1 $$, '2025-05-01 0:1 1:-? | 2025-05-02 0:-? 1:-?',
  'a day is immature until its end');
select pg_temp.shows($$ select day_n, observed_count from report.retention_by_cohort
       where app_id = 'i' and cohort_on = '2025-05-01' and day_n in (0, 1, 30) $$, $$
  0  1
  1  0   # the renewal
  30 0   # the resubscription
  $$, 'a store''s own renewals retain no user');
select pg_temp.shows($$ select day_n, cohort_size, payer_count, cumulative_amount from report.revenue_by_cohort
       where app_id = 'i' and cohort_kind = 'first_paid' and cohort_on = '2025-05-01' and day_n in (0, 1, 30) $$, $$
  0  1 1 1.00
  1  1 1 2.00
  30 1 1 3.00 $$, 'but they are revenue');

-- Late: earlier purchases of a's u6 and p's u3, and in x a purchase that makes the cohort mature.
select pg_temp.add('receipt', 'a', 'u6 0:@06-30T12:00'), pg_temp.add('receipt', 'x', 'v @07-02'),
  pg_temp.add('receipt', 'p', 'u3 @01-02T08:00') \g /dev/null
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows($$ select payment_seq, is_first_paid from report.purchase where app_id = 'a' and user_id = 'u6' $$,
  $$ 0  t
     12 f $$, 'a late file moves the first purchase');
select pg_temp.shows($$ select day, gamebase_product_id, payer_count, new_payer_count from report.product_by_day
       where app_id = 'a' and currency = 'USD' and day <= '2025-07-01' $$,
  $$ 2025-06-30 gem  1 1
     2025-07-01 gem  1 1
     2025-07-01 pack 2 1 $$, 'the user is no longer new on the day of the second purchase');
select pg_temp.shows($$ select cohort_kind, cumulative_amount, amount_per_user from report.revenue_by_cohort
       where app_id = 'x' and day_n = 0 and is_mature $$, $$
  first_observed 184467440737095516.14 184467440737095516.1400
  first_paid     184467440737095516.14 184467440737095516.1400 $$, 'also in cohorts');
select pg_temp.shows($$ select period_start, payer_count, new_payer_count, repeat_payer_count
       from report.payers_by_period where period = 'day' and app_id = 'p' and payer_count > 0 $$, $$
  2025-01-01 1 1 0
  2025-01-02 1 1 0
  2025-01-03 3 1 2
  2025-01-08 1 0 1 $$, 'a late first purchase moves the new payer to its day');

select results_eq($$ select sum(purchase_count), sum(paid_count) from report.revenue_by_day $$,
  $$ select count(*)::numeric, count(*) filter (where amount_minor > 0 and is_promotion is not true)::numeric
       from game.receipt where is_sandbox is not true $$, 'each purchase outside the sandbox counts once');

select * from finish();
