-- Revenue by day, product and user, on purchases small enough to add up by hand: currencies with 0, 2 and 3 digits,
-- sandbox, promotion, free and unpriced purchases, and purchases without a store or product.
\ir parts/reports.sql
select plan(18);

insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at, is_sandbox, is_promotion,
    store_code, gamebase_product_id, price_imprecise)
  values
    ('1', 'a', 'u1', 'USD', 499, '2025-07-01 00:00Z', null, null, 'GG', 'gem', false),
    ('2', 'a', 'u1', 'USD', 1, '2025-07-01 23:59:59.999Z', false, null, 'GG', 'gem', false),
    ('3', 'a', 'u2', 'USD', null, '2025-07-01 12:00Z', null, null, 'GG', 'gem', false),
    ('4', 'a', 'u2', 'USD', 0, '2025-07-01 12:00Z', null, null, 'GG', 'gem', false),
    ('5', 'a', 'u3', 'USD', 300, '2025-07-01 12:00Z', false, true, 'GG', 'gem', false),
    ('6', 'a', 'u3', 'USD', null, '2025-07-01 12:00Z', null, true, 'GG', 'gem', false),
    ('7', 'a', 'u4', 'USD', 99999, '2025-07-01 12:00Z', true, null, 'GG', 'gem', false),
    ('8', 'a', 'u2', 'JPY', 20000000, '2025-07-01 12:00Z', null, null, 'GG', 'gem', true),
    ('9', 'a', 'u2', 'KWD', 1234, '2025-07-01 12:30Z', null, null, 'GG', 'gem', false),
    ('10', 'a', 'u5', 'EUR', 1050, '2025-07-01 13:00Z', null, null, null, null, false),
    ('11', 'a', 'u4', 'KWD', 1500, '2025-07-01 12:00Z', true, null, 'GG', 'gem', false),
    ('12', 'a', 'u6', 'USD', 200, '2025-07-01 14:00Z', null, null, 'AS', 'pack', false),
    ('13', 'a', 'u1', 'USD', 200, '2025-07-01 15:00Z', null, false, 'AS', 'pack', false),
    ('14', 'a', 'u1', 'USD', 100, '2025-07-02 12:00Z', null, null, 'GG', 'gem', false),
    ('15', 'a', 'u7', 'USD', 100, '2025-07-02 12:00Z', null, true, 'AS', 'gem', false),
    ('16', 'b', 'u1', 'USD', 7, '2025-07-02 12:00Z', null, null, 'GG', 'gem', false),
    ('17', 'a', 'u5', 'USD', null, '2025-07-01 12:00Z', true, null, 'GG', 'gem', false),
    ('18', 'a', 'u7', 'USD', 0, '2025-07-03 12:00Z', null, null, 'GG', 'gem', false);
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select day, app_id, currency, store_code, gamebase_product_id, is_promotion, purchase_count, paid_count,
       payer_count, free_count, unpriced_count, imprecise_count, unknown_sandbox_count, amount_minor, amount,
       promotion_amount
       from report.revenue_by_day $$, $$
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
select pg_temp.shows(
  $$ select day, app_id, currency, store_code, gamebase_product_id, purchase_count, payer_count,
       amount_minor, amount from report.sandbox_revenue_by_day $$, $$
  2025-07-01 a KWD GG gem  1 1  1500  1.500
  2025-07-01 a USD GG gem  2 2  99999 999.99   # 7 and 17, which has no price
  $$, 'sandbox purchases are in a view of their own');
select pg_temp.shows(
  $$ select day, app_id, currency, gamebase_product_id, store_code, purchase_count, paid_count, payer_count,
       new_payer_count, amount_minor, amount, share_of_amount from report.product_by_day $$, $$
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
select pg_temp.shows(
  $$ select app_id, user_id, currency, paid_count, amount_minor, amount from report.player_revenue
       where paid_count > 0 $$, $$
  a u1 USD 4 800 8.00   # 499 + 1 + 200 + 100
  a u2 JPY 1 20000000 20000000
  a u2 KWD 1 1234 1.234
  a u5 EUR 1 1050 10.50
  a u6 USD 1 200 2.00
  b u1 USD 1 7 0.07 $$, 'the revenue of each user');
select pg_temp.shows(
  $$ select payment_seq, purchased_on, amount, is_paid, is_sandbox_known, is_first_paid from report.purchase $$, $$
  1  2025-07-01 4.99     t f t
  2  2025-07-01 0.01     t t f
  3  2025-07-01 -        f f f
  4  2025-07-01 0.00     f f f
  5  2025-07-01 3.00     f t f
  6  2025-07-01 -        f f f
  7  2025-07-01 999.99   f t f
  8  2025-07-01 20000000 t f t
  9  2025-07-01 1.234    t f f   # half an hour after 8
  10 2025-07-01 10.50    t f t
  11 2025-07-01 1.500    f t f
  12 2025-07-01 2.00     t f t
  13 2025-07-01 2.00     t f f
  14 2025-07-02 1.00     t f f
  15 2025-07-02 1.00     f f f
  16 2025-07-02 0.07     t f t   # the first in application b
  17 2025-07-01 -        f t f
  18 2025-07-03 0.00     f f f $$, 'each purchase tells whether it was paid, and whether it was the user''s first');
select is_empty(
  $$ select attname from pg_catalog.pg_attribute
       where attrelid = 'game.receipt'::regclass and attnum > 0 and not attisdropped
         and attname not in ('purchase_token', 'purchase_token_sha256', 'payload', 'extra', 'row_digest')
     except
     select attname from pg_catalog.pg_attribute where attrelid = 'report.purchase'::regclass $$,
  'a purchase has the columns of its receipt');
select hasnt_column('report', 'purchase', 'purchase_token', 'no purchase shows its token');
select hasnt_column('report', 'purchase', 'payload', 'no purchase shows its payload');
select hasnt_column('report', 'purchase', 'extra', 'no purchase shows members without a column');

-- A tie: two paid purchases of a user at one instant. By bytes, "10" is before "9" and "B" before "a".
insert into new_receipt (payment_seq, app_id, user_id, purchased_at)
  values ('9.', 't', 'u1', '2025-07-01 12:00Z'), ('10.', 't', 'u1', '2025-07-01 12:00Z'),
    ('a.', 't', 'u2', '2025-07-01 12:00Z'), ('B.', 't', 'u2', '2025-07-01 12:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows($$ select payment_seq, is_first_paid from report.purchase where app_id = 't' $$,
  $$ 10. t
     9.  f
     B.  t
     a.  f $$, 'of two purchases at one instant, the smaller payment_seq in bytes is the first');

-- A late file with an earlier purchase.
insert into new_receipt (payment_seq, user_id, purchased_at) values ('0', 'u6', '2025-06-30 12:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows($$ select payment_seq, is_first_paid from report.purchase where user_id = 'u6' $$,
  $$ 0  t
     12 f $$, 'a late file moves the first purchase');
select pg_temp.shows(
  $$ select day, gamebase_product_id, payer_count, new_payer_count from report.product_by_day
       where app_id = 'a' and currency = 'USD' and day <= '2025-07-01' $$,
  $$ 2025-06-30 gem  1 1
     2025-07-01 gem  1 1
     2025-07-01 pack 2 1 $$, 'the user is no longer new on the day of the second purchase');

-- The highest amount of the data contract, twice: the sum is no bigint.
insert into new_receipt (app_id, payment_seq, purchased_at, amount_minor)
  values ('x', 'x1', '2025-07-01Z', 9223372036854775807), ('x', 'x2', '2025-07-01Z', 9223372036854775807);
select pg_temp.load_lines('amounts');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select 'day', amount_minor, amount from report.revenue_by_day where app_id = 'x'
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
-- A receipt on the next day makes the cohort mature.
insert into new_receipt (app_id, payment_seq, user_id, purchased_at, amount_minor)
  values ('x', 'x3', 'v', '2025-07-02Z', 1);
select pg_temp.load_lines('next');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select cohort_kind, cumulative_amount, amount_per_user from report.revenue_by_cohort
       where app_id = 'x' and day_n = 0 and is_mature $$, $$
  first_observed 184467440737095516.14 184467440737095516.1400
  first_paid     184467440737095516.14 184467440737095516.1400 $$, 'also in cohorts');

-- Each view agrees with the facts.
select results_eq(
  $$ select sum(purchase_count), sum(paid_count) from report.revenue_by_day $$,
  $$ select count(*)::numeric, count(*) filter (where amount_minor > 0 and is_promotion is not true)::numeric
       from game.receipt where is_sandbox is not true $$,
  'each purchase outside the sandbox counts once');
select results_eq(
  $$ select currency collate "default", sum(amount_minor)::numeric from report.revenue_by_day group by 1
       having sum(amount_minor) > 0 order by 1 $$,
  $$ select currency collate "default", sum(amount_minor)::numeric from report.player_revenue group by 1
       having sum(amount_minor) > 0 order by 1 $$,
  'the revenue of the days is the revenue of the users');
select is_empty(
  $$ select from report.revenue_by_day group by day, app_id, currency, store_code, gamebase_product_id,
       is_promotion having count(*) > 1 $$, 'the rows have the grain of the view''s comment');
select is_empty(
  $$ select from report.product_by_day group by day, app_id, currency, gamebase_product_id, store_code
       having count(*) > 1 $$, 'the rows of products have the grain of the view''s comment');

select * from finish();
