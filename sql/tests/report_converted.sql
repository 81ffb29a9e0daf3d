-- Revenue in the base currency: the rate of the day, the last one before it within 7 days, and none that is older.
\ir parts/reports.sql
select plan(8);

insert into ingest.setting (name, value) values ('base-currency', 'USD')
  on conflict (name) do update set value = excluded.value;
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'EUR', '2025-06-20', 9), ('USD', 'EUR', '2025-07-01', 1.1), ('USD', 'EUR', '2025-07-03', 1.2),
    ('USD', 'EUR', '2025-07-05', 1.1), ('USD', 'EUR', '2025-07-20', 9), ('USD', 'KRW', '2025-06-24', 0.00075),
    ('USD', 'KWD', '2025-07-05', 3.25),
    -- Rates of another base currency count nothing.
    ('JPY', 'EUR', '2025-07-01', 163), ('JPY', 'JPY', '2025-07-01', 2);
insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at, is_sandbox, is_promotion)
  values
    ('1', 'x', 'u1', 'EUR', 1000, '2025-07-01 12:00Z', null, null),
    ('2', 'x', 'u1', 'KRW', 1000, '2025-07-01 12:00Z', null, null),
    ('3', 'x', 'u1', 'USD', 100, '2025-07-01 12:00Z', null, null),
    ('4', 'x', 'u1', 'USD', 9900, '2025-07-01 12:00Z', true, null),
    ('5', 'x', 'u1', 'KRW', 1000, '2025-07-02 12:00Z', null, null),
    ('6', 'x', 'u1', 'USD', 100, '2025-07-02 12:00Z', null, null),
    ('7', 'x', 'u1', 'EUR', 1000, '2025-07-03 12:00Z', null, null),
    ('8', 'x', 'u1', 'EUR', 1000, '2025-07-04 12:00Z', null, true),
    ('9', 'x', 'u1', 'KRW', null, '2025-07-04 12:00Z', null, null),
    ('10', 'x', 'u1', 'EUR', 5, '2025-07-05 12:00Z', null, null),
    ('11', 'x', 'u2', 'EUR', 5, '2025-07-05 13:00Z', null, null),
    ('12', 'x', 'u1', 'EUR', 5, '2025-07-06 12:00Z', null, null),
    ('13', 'x', 'u1', 'KWD', 1234, '2025-07-06 12:00Z', null, null),
    ('14', 'x', 'u1', 'EUR', 5, '2025-07-07 12:00Z', null, null),
    ('15', 'y', 'u1', 'JPY', 100, '2025-07-01 12:00Z', null, null);
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select period_start, app_id, base_currency, paid_count, unconverted_count, base_amount
       from report.revenue_converted_by_period where period = 'day' $$, $$
  2025-07-01 x USD 3 0 12.75   # 10.00 x 1.1 + 1000 x 0.00075 (7 days old) + 1.00
  2025-07-02 x USD 2 1 1.00    # the rate of KRW is 8 days old
  2025-07-03 x USD 1 0 12.00   # the rate of the day, 1.2
  2025-07-04 x USD 0 0 0.00    # a promotion and a purchase without a price
  2025-07-05 x USD 2 0 0.11    # 0.05 x 1.1 + 0.05 x 1.1 = 0.110; each one rounded would give 0.12
  2025-07-06 x USD 2 0 4.07    # 0.055 + 1.234 x 3.25 = 0.055 + 4.0105 = 4.0655
  2025-07-07 x USD 1 0 0.06    # 0.055, rounded half up
  2025-07-01 y USD 1 1 -       # no rate of JPY
  $$, 'each day is converted with the last rate, unless it is too old');
select pg_temp.shows(
  $$ select app_id, currency, first_purchased_on, last_purchased_on, unconverted_count, amount_minor, amount
       from report.rate_gap $$, $$
  x KRW 2025-07-02 2025-07-02 1 1000 1000
  y JPY 2025-07-01 2025-07-01 1 100  100 $$, 'the purchases without a rate');

-- Other rates: a corrected one, and one for the missing day.
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('USD', 'EUR', '2025-07-03', 1.3), ('USD', 'KRW', '2025-07-02', 0.001), ('USD', 'JPY', '2025-06-30', 0.007)
  on conflict (base_currency, currency, valid_on) do update set rate = excluded.rate;
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, app_id, unconverted_count, base_amount from report.revenue_converted_by_period
       where period = 'day' and period_start <= '2025-07-03' $$, $$
  2025-07-01 x 0 12.75
  2025-07-02 x 0 2.00    # 1000 x 0.001 + 1.00
  2025-07-03 x 0 13.00
  2025-07-01 y 0 0.70 $$, 'later rates replace and complete');
select is_empty($$ select * from report.rate_gap $$, 'and leave no gap');

-- Another base: a currency without digits. The rates are per unit of that base.
delete from game.exchange_rate where base_currency = 'JPY';
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  values ('JPY', 'EUR', '2025-07-05', 163.5), ('JPY', 'KWD', '2025-07-05', 500);
update ingest.setting set value = 'JPY' where name = 'base-currency';
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, app_id, base_currency, unconverted_count, base_amount from report.revenue_converted_by_period
       where period = 'day' and (period_start = '2025-07-01' and app_id = 'y' or period_start >= '2025-07-04') $$, $$
  2025-07-04 x JPY 0 0
  2025-07-05 x JPY 0 16    # 0.10 x 163.5 = 16.35
  2025-07-06 x JPY 0 625   # 0.05 x 163.5 + 1.234 x 500 = 8.175 + 617
  2025-07-07 x JPY 0 8     # 8.175
  2025-07-01 y JPY 0 100   # the base itself
  $$, 'the result is rounded to the digits of the base');
select throws_ok($$ insert into game.exchange_rate values ('JPY', 'EUR', '2025-07-08', 0) $$,
  '23514', null, 'a rate is positive');
select throws_ok($$ insert into game.exchange_rate values ('JPY', 'EUR', '2025-07-05', 1) $$,
  '23505', null, 'a currency has one rate a day');
select pg_temp.shows(
  $$ select period_start, paid_count from report.revenue_converted_by_period where period = 'day' and app_id = 'x' $$, $$
  2025-07-01 3
  2025-07-02 2
  2025-07-03 1
  2025-07-04 0
  2025-07-05 2
  2025-07-06 2
  2025-07-07 1 $$, 'every day from the first receipt to the newest has a row');

select * from finish();
