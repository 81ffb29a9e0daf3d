-- Money in the base currency: purchases, players, cohorts and periods, by the rate of the day or the last one before it
-- within 7 days; a change of rates and of the base; the largest values. All themes share the refreshes.
\ir parts/reports.sql
select plan(30);

insert into ingest.setting (name, value) values ('base-currency', 'USD')
  on conflict (name) do update set value = excluded.value;

-- Application a. 1 EUR is 1.5 USD, 1 JPY is 0.00725 USD; KWD has no rate. The horizon is 2025-07-10 00:00.
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'EUR', '2025-07-01', 1.5), ('USD', 'JPY', '2025-07-01', 0.00725);
select pg_temp.add('receipt', 'a', $$
  u1 1:1000@07-01T10:00 currency=EUR 2:333@07-02T10:00   # 3.33 x 1.5 = 4.995
  u1 currency=JPY 3:100@07-08T10:00                      # 0.725; the rate is 7 days old
  u2 currency=KWD 4:1500@07-01T11:00 currency=EUR 5:100@07-03T10:00   # no rate; 1.5
  u3 currency=KWD 6:1000@07-02T10:00                     # no rate
  u4 currency=EUR 8:-@07-02T10:00 sandbox 7:100@07-02T10:00   # a test purchase: 1.5, but not paid
  u5 9:1@07-10 $$), pg_temp.add('level_up', 'a', $$
  u4 1@07-01T09:00
  u6 1@07-07T09:00 $$) \g /dev/null

-- Applications x and y, two months before.
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'EUR', '2025-04-20', 9), ('USD', 'EUR', '2025-05-01', 1.1), ('USD', 'EUR', '2025-05-03', 1.2),
    ('USD', 'EUR', '2025-05-05', 1.1), ('USD', 'EUR', '2025-05-20', 9), ('USD', 'KRW', '2025-04-24', 0.00075),
    ('USD', 'KWD', '2025-05-05', 3.25),
    -- Rates of another base currency count nothing.
    ('JPY', 'EUR', '2025-05-01', 163), ('JPY', 'JPY', '2025-05-01', 2);
select pg_temp.add('receipt', 'x', $$
  u1 100@05-01T12:00 100@05-02T12:00 sandbox 9900@05-01T12:00
  u1 currency=EUR 1000@05-01T12:00 1000@05-03T12:00 5@05-05T12:00 5@05-06T12:00 5@05-07T12:00 promotion 1000@05-04T12:00
  u1 currency=KRW 1000@05-01T12:00 1000@05-02T12:00 -@05-04T12:00 currency=KWD 1234@05-06T12:00
  u2 currency=EUR 5@05-05T13:00 $$), pg_temp.add('receipt', 'y', 'u1 currency=JPY 100@05-01T12:00') \g /dev/null

-- Application l, the largest price and rate, twice for each key, and the smallest ones. The base becomes CLF later.
insert into game.exchange_rate (base_currency, currency, valid_on, rate) values
  ('CLF', 'USD', '2025-07-01', 999999999999.999999999999), ('CLF', 'JPY', '2025-07-01', 999999999999.999999999999),
  ('CLF', 'KWD', '2025-07-01', 0.000000000001);
select pg_temp.add('receipt', 'l', $$
  u1 l1:9223372036854775807@07-01T10:00 l2:9223372036854775807@07-01T11:00
  u2 currency=JPY l3:9223372036854775807@07-01T10:00 l4:9223372036854775807@07-01T11:00
  u3 currency=KWD l5:1@07-01T10:00 l6:1@07-01T11:00
  u4 currency=CLF l7:1@07-03 $$), pg_temp.add('level_up', 'l', $$
  u5 2147483647@07-01T10:00 0@07-01T09:00
  u6 2147483647@07-01T10:00 $$) \g /dev/null
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows($$ select payment_seq, base_currency, base_amount from report.purchase where app_id = 'a' $$, $$
  1 USD 10.0000000000000000
  2 USD 4.9950000000000000
  3 USD 0.7250000000000000
  4 USD -
  5 USD 1.5000000000000000
  6 USD -
  7 USD 1.5000000000000000
  8 USD -
  9 USD 0.0100000000000000 $$, 'a purchase is converted exactly by the rate of its day or of the 7 days before it');
create temporary view value_of_player as
  select user_id, base_currency, paid_count, unconverted_count, base_amount, first_paid_on, last_paid_on
    from report.player_value where app_id = 'a';
select pg_temp.shows('table value_of_player', $$
  u1 USD 3 0 15.7200 2025-07-01 2025-07-08   # 10 + 4.995 + 0.725 = 15.72; each one rounded would give 15.73
  u2 USD 2 1 1.5000  2025-07-01 2025-07-03
  u3 USD 1 1 -       2025-07-02 2025-07-02
  u5 USD 1 0 0.0100  2025-07-10 2025-07-10 $$, 'players with a paid purchase, and what of it has a rate');
select is(array(select user_id from value_of_player order by base_amount desc nulls last limit 2), '{u1,u2}',
  'the highest players');

set enable_sort = off;
select ok(exists (select from pg_temp.plan_of(
  $$ select * from report.player_value where app_id = 'a' order by base_amount desc nulls last limit 100 $$) p
  where p like '%player_value_highest%'), 'are found by an index');
reset enable_sort;

-- First paid: u1 and u2 on 2025-07-01, u3 on 2025-07-02, u5 on 2025-07-10. The newest day that has ended is 2025-07-09.
select pg_temp.shows(
  $$ select cohort_start, cohort_size,
         string_agg(pg_temp.cell(day_n, is_mature, mature_size, payer_count, base_amount, base_amount_per_user,
           unconverted_count), ' ' order by day_n)
       from report.value_by_cohort
       where app_id = 'a' and cohort_kind = 'first_paid' and period = 'day' and day_n in (0, 1, 7, 14) group by 1, 2 $$, $$
  # day 0: the 1.5 KWD of u2 have no rate; day 1: 14.995; day 7: 10 + 4.995 + 0.725 + 1.5
  2025-07-01 2 0:2/2/10/-/1 1:2/2/15/-/1 7:2/2/17.22/-/1 14:0/-/-/-/-?
  2025-07-02 1 0:1/1/-/-/1 1:1/1/-/-/1 7:1/1/-/-/1 14:0/-/-/-/-?   # day 7: 2025-07-09
  2025-07-10 1 0:0/-/-/-/-? 1:0/-/-/-/-? 7:0/-/-/-/-? 14:0/-/-/-/-?
  $$, 'the value of the cohorts of days');
-- First observed: u1, u2 and u4 on 2025-07-01, u3 on 2025-07-02, u6 on 2025-07-07, u5 on 2025-07-10. The weeks begin on
-- 2025-06-30 and 2025-07-07.
select pg_temp.shows(
  $$ select period, cohort_start, cohort_size,
         string_agg(pg_temp.cell(day_n, is_mature, mature_size, payer_count, base_amount, base_amount_per_user,
           unconverted_count), ' ' order by day_n)
       from report.value_by_cohort
       where app_id = 'a' and cohort_kind = 'first_observed' and period <> 'day' and day_n in (0, 2, 3, 7, 14)
       group by 1, 2, 3 $$, $$
  # day 2: 10 + 4.995 + 1.5 = 16.495; the week ended with 2025-07-06. Day 7: both days with users are mature, the days
  # of the week from 2025-07-03 on are not.
  week 2025-06-30 4 0:4/3/10/-/2 2:4/3/16.5/-/2 3:4/3/16.5/-/2 7:4/3/17.22/-/2? 14:0/-/-/-/-?
  # day 0: u6; the day of u5 has not ended
  week 2025-07-07 2 0:1/0/0/0/0? 2:1/0/0/0/0? 3:0/-/-/-/-? 7:0/-/-/-/-? 14:0/-/-/-/-?
  month 2025-07-01 6 0:5/3/10/-/2? 2:5/3/16.5/-/2? 3:4/3/16.5/-/2? 7:4/3/17.22/-/2? 14:0/-/-/-/-?
  $$, 'the value of weeks and months is that of their mature days');
select is((select count(*) from report.value_by_cohort where app_id = 'a'), (7 + 4 + 2) * 15::bigint,
  'all fifteen rows of each cohort');
select pg_temp.shows(
  $$ select period_start, base_currency, base_amount, payer_count, arppu, base_amount_per_observed_user, unconverted_count,
         is_complete
       from report.arppu_converted_by_period where app_id = 'a' and period = 'day'
         and period_start not in ('2025-07-05', '2025-07-06', '2025-07-09') $$, $$
  2025-07-01 USD 10.0000 2 -      -      1 f
  2025-07-02 USD 5.0000  2 -      -      1 t   # 4.995
  2025-07-03 USD 1.5000  1 1.500000 1.500000 0 t
  2025-07-04 USD 0.0000  0 -      -      0 t
  2025-07-07 USD 0.0000  0 -      0.000000 0 t
  2025-07-08 USD 0.7300  1 0.725000 0.725000 0 t   # the ratio is of the exact amount
  2025-07-10 USD 0.0100  1 0.010000 0.010000 0 f $$, 'revenue per payer and per observed user');

-- Identities: the days of the converted revenue, the players and the cohorts have the same purchases.
create temporary view identity as
  select sum(base_amount) from report.purchase where app_id = 'a' and is_paid
  union select sum(base_amount) from rollup.player_value where app_id = 'a'
  union select sum(base_amount) from rollup.cohort_value where app_id = 'a' and cohort_kind = 'first_paid'
  union select sum(base_amount) from rollup.converted_period where app_id = 'a' and period = 'day'
  union select sum(base_amount) from rollup.converted_period where app_id = 'a' and period = 'month';
select pg_temp.shows('table identity', '17.23', 'purchases, players, cohorts, days and months add up to the same');

select pg_temp.shows($$ select period_start, app_id, base_currency, paid_count, unconverted_count, base_amount
       from report.revenue_converted_by_period where app_id in ('x', 'y') and period = 'day' $$, $$
  2025-05-01 x USD 3 0 12.75   # 10.00 x 1.1 + 1000 x 0.00075 (7 days old) + 1.00
  2025-05-02 x USD 2 1 1.00    # the rate of KRW is 8 days old
  2025-05-03 x USD 1 0 12.00   # the rate of the day, 1.2
  2025-05-04 x USD 0 0 0.00    # a promotion and a purchase without a price
  2025-05-05 x USD 2 0 0.11    # 0.05 x 1.1 + 0.05 x 1.1 = 0.110; each one rounded would give 0.12
  2025-05-06 x USD 2 0 4.07    # 0.055 + 1.234 x 3.25 = 0.055 + 4.0105 = 4.0655
  2025-05-07 x USD 1 0 0.06    # 0.055, rounded half up
  2025-05-01 y USD 1 1 -       # no rate of JPY
  $$, 'every day from the first receipt to the newest is converted with the last rate, unless it is too old');
select pg_temp.shows(
  $$ select app_id, currency, first_purchased_on, last_purchased_on, unconverted_count, amount_minor, amount
       from report.rate_gap where app_id in ('x', 'y') $$, $$
  x KRW 2025-05-02 2025-05-02 1 1000 1000
  y JPY 2025-05-01 2025-05-01 1 100  100 $$, 'the purchases without a rate');

-- A refresh without a new file: a rate for KWD, and another one for EUR from 2025-07-03 on.
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'KWD', '2025-07-01', 3.25), ('USD', 'EUR', '2025-07-03', 2);
-- In x and y a corrected one, and those for missing days.
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'EUR', '2025-05-03', 1.3), ('USD', 'KRW', '2025-05-02', 0.001), ('USD', 'JPY', '2025-04-30', 0.007)
  on conflict (base_currency, currency, valid_on) do update set rate = excluded.rate;
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, unconverted_count, base_amount from report.player_value where app_id = 'a' $$, $$
  u1 0 15.7200
  u2 0 6.8800    # 1.5 x 3.25 + 1.00 x 2 = 6.875
  u3 0 3.2500
  u5 0 0.0100 $$, 'new rates convert the purchases of their days again');
select pg_temp.shows($$ select day_n, base_amount, base_amount_per_user, unconverted_count from report.value_by_cohort
       where app_id = 'a' and cohort_kind = 'first_paid' and period = 'day'
         and cohort_start = '2025-07-01' and day_n in (0, 1, 2) $$, $$
  0 14.8800 7.437500 0   # 10 + 4.875 = 14.875
  1 19.8700 9.935000 0
  2 21.8700 10.935000 0 $$, 'and the cohorts');
select pg_temp.shows('table identity', '25.855', 'all still add up');
select pg_temp.shows(
  $$ select period_start, app_id, unconverted_count, base_amount from report.revenue_converted_by_period
       where app_id in ('x', 'y') and period = 'day' and period_start <= '2025-05-03' $$, $$
  2025-05-01 x 0 12.75
  2025-05-02 x 0 2.00    # 1000 x 0.001 + 1.00
  2025-05-03 x 0 13.00
  2025-05-01 y 0 0.70 $$, 'later rates replace and complete');
select is_empty($$ select * from report.rate_gap where app_id in ('x', 'y') $$, 'and leave no gap');
-- A purchase of a new application, and another rate of its day, in one refresh.
select pg_temp.add('receipt', 'n', 'u1 currency=EUR 100@05-21T12:00') \g /dev/null
select pg_temp.load_lines();
update game.exchange_rate set rate = 3 where base_currency = 'USD' and currency = 'EUR' and valid_on = '2025-05-20';
\ir parts/refresh.sql
select pg_temp.shows($$ select user_id, unconverted_count, base_amount from report.player_value where app_id = 'n' $$, $$
  u1 0 3.0000 $$, 'a purchase that comes with another rate of its day has that one');
-- An erased user leaves all of it. No program takes the user out of the sums here, so the next refresh is a rebuild.
select ingest.erase_user('u2', 'a', sha256('u2'), sha256('key')) \g /dev/null
\ir parts/refresh.sql
select is_empty($$ select 1 from rollup.player_value where app_id = 'a' and user_id = 'u2'
     union all select 1 from rollup.refresh_state where has_open_erasure $$, 'an erased user has no value');
select pg_temp.shows('table identity', '18.98', 'and is in no sum');

-- Another base: a currency without digits. The rates are per unit of that base.
delete from game.exchange_rate where base_currency = 'JPY';
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('JPY', 'EUR', '2025-05-05', 163.5), ('JPY', 'KWD', '2025-05-05', 500);
insert into game.exchange_rate (base_currency, currency, valid_on, rate) values ('JPY', 'USD', '2025-07-01', 150.25);
update ingest.setting set value = 'JPY' where name = 'base-currency';
\ir parts/refresh.sql
select pg_temp.shows(
  'select user_id, base_currency, paid_count, unconverted_count, base_amount from value_of_player', $$
  u1 JPY 3 1 1603.0000   # 10 x 150.25 + 100 = 1602.5, half up
  u3 JPY 1 1 -
  u5 JPY 1 1 -           # the rate is 9 days old
  $$, 'another base currency converts all purchases again');
select is((select count(distinct minor_unit) from rollup.player_value), 1::bigint, 'all amounts have the digits of the base');
select pg_temp.shows(
  $$ select period_start, app_id, base_currency, unconverted_count, base_amount from report.revenue_converted_by_period
       where period = 'day' and (period_start = '2025-05-01' and app_id = 'y'
         or app_id = 'x' and period_start >= '2025-05-04') $$, $$
  2025-05-04 x JPY 0 0
  2025-05-05 x JPY 0 16    # 0.10 x 163.5 = 16.35
  2025-05-06 x JPY 0 625   # 0.05 x 163.5 + 1.234 x 500 = 8.175 + 617
  2025-05-07 x JPY 0 8     # 8.175
  2025-05-01 y JPY 0 100   # the base itself
  $$, 'the result is rounded to the digits of the base');

-- The base of the largest rates has the most digits.
update ingest.setting set value = 'CLF' where name = 'base-currency';
\ir parts/refresh.sql
select pg_temp.shows($$ select payment_seq, base_amount from report.purchase where app_id = 'l' $$, $$
  l1 92233720368547758069999907766.27963145224193
  l2 92233720368547758069999907766.27963145224193
  l3 9223372036854775806999990776627.963145224193
  l4 9223372036854775806999990776627.963145224193
  l5 0.000000000000001
  l6 0.000000000000001
  l7 0.0001 $$, 'no digit is lost');
select pg_temp.shows($$ select user_id, base_amount from report.player_value where app_id = 'l' $$, $$
  u1 184467440737095516139999815532.5593
  u2 18446744073709551613999981553255.9263
  u3 0
  u4 0.0001 $$, 'sums are rounded once');
select pg_temp.shows($$ select base_amount, arppu from report.arppu_converted_by_period
       where app_id = 'l' and period = 'day' and period_start = '2025-07-01' $$,
  '18631211514446647130139981368788.4856 6210403838148882376713327122929.495184', 'a period');
select pg_temp.shows($$ select base_amount, base_amount_per_user from report.value_by_cohort
       where app_id = 'l' and period = 'day'
         and cohort_start = '2025-07-01' and day_n = 0 and cohort_kind = 'first_paid' $$,
  '18631211514446647130139981368788.4856 6210403838148882376713327122929.495184', 'a cohort');
select pg_temp.shows(
  $$ select user_level, reached_user_count from report.level_funnel_by_cohort where app_id = 'l' $$, '0 2 | 2147483647 2',
  'levels');

delete from ingest.setting where name = 'base-currency';
\ir parts/refresh.sql
select pg_temp.shows(
  'select user_id, base_currency, paid_count, unconverted_count, base_amount from value_of_player', $$
  u1 - 3 3 -
  u3 - 1 1 -
  u5 - 1 1 - $$, 'without a base nothing is converted');
select is_empty(
  $$ select 1 from report.value_by_cohort where base_amount is not null or base_amount_per_user is not null
     union all
     select 1 from report.arppu_converted_by_period where base_amount is not null or arppu is not null
     union all
     select 1 from report.purchase where base_amount is not null $$, 'and no view has an amount');
select is((select count(*) from rollup.day_rate), 0::bigint, 'no rate is left');

select * from finish();
