-- Money in the base currency: purchases, players, cohorts and periods; a change of rates and of the base.
\ir parts/reports.sql
select plan(20);

-- USD is the base. 1 EUR is 1.5 USD, 1 JPY is 0.00725 USD; KWD has no rate. The horizon is 2025-07-10 00:00.
insert into ingest.setting (name, value) values ('base-currency', 'USD')
  on conflict (name) do update set value = excluded.value;
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'EUR', '2025-07-01', 1.5), ('USD', 'JPY', '2025-07-01', 0.00725);
insert into new_receipt (payment_seq, user_id, currency, amount_minor, purchased_at, is_sandbox, is_promotion)
  values
    ('1', 'u1', 'USD', 1000, '2025-07-01 10:00Z', null, null),
    ('2', 'u1', 'EUR', 333, '2025-07-02 10:00Z', null, null),    -- 3.33 x 1.5 = 4.995
    ('3', 'u1', 'JPY', 100, '2025-07-08 10:00Z', null, null),    -- 0.725; the rate is 7 days old
    ('4', 'u2', 'KWD', 1500, '2025-07-01 11:00Z', null, null),   -- no rate
    ('5', 'u2', 'EUR', 100, '2025-07-03 10:00Z', null, null),    -- 1.5
    ('6', 'u3', 'KWD', 1000, '2025-07-02 10:00Z', null, null),   -- no rate
    ('7', 'u4', 'EUR', 100, '2025-07-02 10:00Z', true, null),    -- a test purchase: 1.5, but not paid
    ('8', 'u4', 'EUR', null, '2025-07-02 10:00Z', null, null),
    ('9', 'u5', 'USD', 1, '2025-07-10 00:00Z', null, null);
insert into new_level_up (user_id, user_level, leveled_up_at)
  values ('u4', 1, '2025-07-01 09:00Z'), ('u6', 1, '2025-07-07 09:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select payment_seq, base_currency, base_amount from report.purchase $$, $$
  1 USD 10.0000000000000000
  2 USD 4.9950000000000000
  3 USD 0.7250000000000000
  4 USD -
  5 USD 1.5000000000000000
  6 USD -
  7 USD 1.5000000000000000
  8 USD -
  9 USD 0.0100000000000000 $$, 'a purchase is converted exactly by the rate of its day or of the 7 days before it');
select pg_temp.shows(
  $$ select user_id, base_currency, paid_count, unconverted_count, base_amount, first_paid_on, last_paid_on
       from report.player_value $$, $$
  u1 USD 3 0 15.7200 2025-07-01 2025-07-08   # 10 + 4.995 + 0.725 = 15.72; each one rounded would give 15.73
  u2 USD 2 1 1.5000  2025-07-01 2025-07-03
  u3 USD 1 1 -       2025-07-02 2025-07-02
  u5 USD 1 0 0.0100  2025-07-10 2025-07-10 $$, 'players with a paid purchase, and what of it has a rate');
select results_eq(
  $$ select user_id from report.player_value where app_id = 'a' order by base_amount desc nulls last limit 2 $$,
  $$ values ('u1'::text collate "C"), ('u2') $$, 'the highest players');

set enable_sort = off;
select ok(exists (select from pg_temp.plan_of(
  $$ select * from report.player_value where app_id = 'a' order by base_amount desc nulls last limit 100 $$) p
  where p like '%player_value_highest%'), 'are found by an index');
reset enable_sort;

-- First paid: u1 and u2 on 2025-07-01, u3 on 2025-07-02, u5 on 2025-07-10. The newest day that has ended is 2025-07-09.
select pg_temp.shows(
  $$ select cohort_start, day_n, cohort_size, mature_size, payer_count, base_amount, base_amount_per_user,
         unconverted_count, is_mature
       from report.value_by_cohort
       where cohort_kind = 'first_paid' and period = 'day' and day_n in (0, 1, 7, 14) $$, $$
  2025-07-01 0  2 2 2 10.0000 -        1 t   # the 1.5 KWD of u2 have no rate
  2025-07-01 1  2 2 2 15.0000 -        1 t   # 14.995
  2025-07-01 7  2 2 2 17.2200 -        1 t   # 10 + 4.995 + 0.725 + 1.5
  2025-07-01 14 2 0 - -       -        - f
  2025-07-02 0  1 1 1 -       -        1 t
  2025-07-02 1  1 1 1 -       -        1 t
  2025-07-02 7  1 1 1 -       -        1 t   # 2025-07-09
  2025-07-02 14 1 0 - -       -        - f
  2025-07-10 0  1 0 - -       -        - f
  2025-07-10 1  1 0 - -       -        - f
  2025-07-10 7  1 0 - -       -        - f
  2025-07-10 14 1 0 - -       -        - f $$, 'the value of the cohorts of days');
-- First observed: u1, u2 and u4 on 2025-07-01, u3 on 2025-07-02, u6 on 2025-07-07, u5 on 2025-07-10. The weeks begin on
-- 2025-06-30 and 2025-07-07.
select pg_temp.shows(
  $$ select period, cohort_start, day_n, cohort_size, mature_size, payer_count, base_amount, base_amount_per_user,
         unconverted_count, is_mature
       from report.value_by_cohort
       where cohort_kind = 'first_observed' and period <> 'day' and day_n in (0, 2, 3, 7, 14) $$, $$
  week  2025-06-30 0  4 4 3 10.0000 - 2 t
  week  2025-06-30 2  4 4 3 16.5000 - 2 t   # 10 + 4.995 + 1.5 = 16.495; the week ended with 2025-07-06
  week  2025-06-30 3  4 4 3 16.5000 - 2 t
  week  2025-06-30 7  4 4 3 17.2200 - 2 f   # both days with users are mature, the days of the week from 2025-07-03 on are not
  week  2025-06-30 14 4 0 - -       - - f
  week  2025-07-07 0  2 1 0 0.0000 0.000000 0 f   # u6; the day of u5 has not ended
  week  2025-07-07 2  2 1 0 0.0000 0.000000 0 f
  week  2025-07-07 3  2 0 - -       - - f
  week  2025-07-07 7  2 0 - -       - - f
  week  2025-07-07 14 2 0 - -       - - f
  month 2025-07-01 0  6 5 3 10.0000 - 2 f
  month 2025-07-01 2  6 5 3 16.5000 - 2 f
  month 2025-07-01 3  6 4 3 16.5000 - 2 f
  month 2025-07-01 7  6 4 3 17.2200 - 2 f
  month 2025-07-01 14 6 0 - -       - - f $$, 'the value of weeks and months is that of their mature days');
select is((select count(*) from report.value_by_cohort), (7 + 4 + 2) * 15::bigint,
  'all fifteen rows of each cohort');
select pg_temp.shows(
  $$ select period_start, base_currency, base_amount, payer_count, arppu, base_amount_per_observed_user, unconverted_count,
         is_complete
       from report.arppu_converted_by_period where period = 'day' $$, $$
  2025-07-01 USD 10.0000 2 -      -      1 f
  2025-07-02 USD 5.0000  2 -      -      1 t   # 4.995
  2025-07-03 USD 1.5000  1 1.500000 1.500000 0 t
  2025-07-04 USD 0.0000  0 -      -      0 t
  2025-07-05 USD 0.0000  0 -      -      0 t
  2025-07-06 USD 0.0000  0 -      -      0 t
  2025-07-07 USD 0.0000  0 -      0.000000 0 t
  2025-07-08 USD 0.7300  1 0.725000 0.725000 0 t   # the ratio is of the exact amount
  2025-07-09 USD 0.0000  0 -      -      0 t
  2025-07-10 USD 0.0100  1 0.010000 0.010000 0 f $$, 'revenue per payer and per observed user');

-- Identities: the days of the converted revenue, the players and the cohorts have the same purchases.
create temporary view identity as
  select (select sum(base_amount) from report.purchase where is_paid) as purchases,
    (select sum(base_amount) from rollup.player_value) as players,
    (select sum(base_amount) from rollup.cohort_value where cohort_kind = 'first_paid') as cohorts,
    (select sum(base_amount)::numeric(60, 16) from rollup.converted_period where period = 'day') as days,
    (select sum(base_amount)::numeric(60, 16) from rollup.converted_period where period = 'month') as months;
select pg_temp.shows('select * from identity',
  '17.2300000000000000 17.2300000000000000 17.2300000000000000 17.2300000000000000 17.2300000000000000',
  'purchases, players, cohorts, days and months add up to the same');

-- A refresh without a new file: a rate for KWD, and another one for EUR from 2025-07-03 on.
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'KWD', '2025-07-01', 3.25), ('USD', 'EUR', '2025-07-03', 2);
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, unconverted_count, base_amount from report.player_value $$, $$
  u1 0 15.7200
  u2 0 6.8800    # 1.5 x 3.25 + 1.00 x 2 = 6.875
  u3 0 3.2500
  u5 0 0.0100 $$, 'new rates convert the purchases of their days again');
select pg_temp.shows(
  $$ select day_n, base_amount, base_amount_per_user, unconverted_count from report.value_by_cohort
       where cohort_kind = 'first_paid' and period = 'day' and cohort_start = '2025-07-01' and day_n in (0, 1, 2) $$, $$
  0 14.8800 7.437500 0   # 10 + 4.875 = 14.875
  1 19.8700 9.935000 0
  2 21.8700 10.935000 0 $$, 'and the cohorts');
select pg_temp.shows('select * from identity',
  '25.8550000000000000 25.8550000000000000 25.8550000000000000 25.8550000000000000 25.8550000000000000',
  'all still add up');
create temporary table before_full as
  select format('%s %s', 'player_value', v) as line from rollup.player_value v
  union all select format('%s %s', 'cohort_value', v) from rollup.cohort_value v
  union all select format('%s %s', 'day_rate', v) from rollup.day_rate v;
\ir parts/refresh_full.sql
select set_eq(
  $$ select format('%s %s', 'player_value', v) from rollup.player_value v
     union all select format('%s %s', 'cohort_value', v) from rollup.cohort_value v
     union all select format('%s %s', 'day_rate', v) from rollup.day_rate v $$,
  'select line from before_full', 'a rebuild changes nothing');

-- Another base, without digits, and then none.
insert into game.exchange_rate (base_currency, currency, valid_on, rate) values ('JPY', 'USD', '2025-07-01', 150.25);
update ingest.setting set value = 'JPY' where name = 'base-currency';
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, base_currency, paid_count, unconverted_count, base_amount from report.player_value $$, $$
  u1 JPY 3 1 1603.0000   # 10 x 150.25 + 100 = 1602.5, half up
  u2 JPY 2 2 -
  u3 JPY 1 1 -
  u5 JPY 1 1 -           # the rate is 9 days old
  $$, 'another base currency converts all purchases again');
select is((select count(distinct minor_unit) from rollup.player_value), 1::bigint, 'all amounts have the digits of the base');
delete from ingest.setting where name = 'base-currency';
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_id, base_currency, paid_count, unconverted_count, base_amount from report.player_value $$, $$
  u1 - 3 3 -
  u2 - 2 2 -
  u3 - 1 1 -
  u5 - 1 1 - $$, 'without a base nothing is converted');
select is_empty(
  $$ select 1 from report.value_by_cohort where base_amount is not null or base_amount_per_user is not null
     union all
     select 1 from report.arppu_converted_by_period where base_amount is not null or arppu is not null
     union all
     select 1 from report.purchase where base_amount is not null $$, 'and no view has an amount');
select is((select count(*) from rollup.day_rate), 0::bigint, 'no rate is left');

-- An erased user leaves all of it.
insert into ingest.setting (name, value) values ('base-currency', 'USD');
\ir parts/refresh.sql
select ingest.erase_user('u1', null, sha256('u1'), sha256('key'), 1) \g /dev/null
select is_empty($$ select 1 from rollup.player_value where user_id = 'u1' $$, 'an erased user has no value');
select pg_temp.shows('select * from identity',
  '10.1350000000000000 10.1350000000000000 10.1350000000000000 10.1350000000000000 10.1350000000000000',
  'and is in no sum');

select * from finish();
