-- Revenue and payers on a fixture small enough to check by hand. Columns of collation "C" are cast to the
-- default collation of the expected values, because results_eq compares under one collation.
begin;
select plan(14);
truncate game.receipt;

create function pg_temp.buy(
  seq text, who text, code text, amount bigint, at timestamptz, sandbox boolean default null,
  store text default 'GG', product text default 'gem', promotion boolean default null,
  app text default 'a', imprecise boolean default false)
returns void language sql as $$
  insert into game.receipt (payment_seq, app_id, user_id, gamebase_product_id, store_code, currency,
      amount_minor, price_repaired, price_imprecise, purchased_at, is_sandbox, is_promotion,
      text_repaired, source_file_id, line_number)
    values (seq, app, who, product, store, code, amount, false, imprecise, at, sandbox, promotion,
      false, 1, 1)
$$;

do $$ begin
  perform pg_temp.buy('1', 'u1', 'USD', 499, '2025-07-01 00:00+00');
  perform pg_temp.buy('2', 'u1', 'USD', 1, '2025-07-01 14:59:59.999+00', false);
  perform pg_temp.buy('3', 'u2', 'USD', null, '2025-07-01 12:00+00');
  perform pg_temp.buy('4', 'u2', 'JPY', 20000000, '2025-07-01 12:00+00', imprecise => true);
  perform pg_temp.buy('5', 'u2', 'KWD', 1234, '2025-07-01 12:00+00');
  perform pg_temp.buy('6', 'u3', 'USD', 99999, '2025-07-01 12:00+00', true);
  perform pg_temp.buy('11', 'u3', 'KWD', 1500, '2025-07-01 12:00+00', true);
  perform pg_temp.buy('7', 'u1', 'USD', 100, '2025-07-02 12:00+00');
  perform pg_temp.buy('8', 'u4', 'USD', 100, '2025-07-02 12:00+00', store => 'AS', promotion => true);
  perform pg_temp.buy('9', 'u1', 'USD', 7, '2025-07-02 12:00+00', app => 'b');
  -- In Seoul this is July 2.
  perform pg_temp.buy('10', 'u5', 'EUR', 1050, '2025-07-01 15:00+00', store => null, product => null);
end $$;

select results_eq(
  $$ select purchased_on::text, app_id collate "default", currency collate "default", store_code collate "default", is_promotion, purchase_count,
       payer_count, unpriced_count, imprecise_count, amount_minor, amount::text
       from report.revenue_by_day order by purchased_on, app_id, currency, store_code $$,
  $$ values
    ('2025-07-01', 'a', 'EUR', null, false, 1::bigint, 1::bigint, 0::bigint, 0::bigint, 1050::numeric, '10.50'),
    ('2025-07-01', 'a', 'JPY', 'GG', false, 1, 1, 0, 1, 20000000, '20000000'),
    ('2025-07-01', 'a', 'KWD', 'GG', false, 1, 1, 0, 0, 1234, '1.234'),
    ('2025-07-01', 'a', 'USD', 'GG', false, 3, 2, 1, 0, 500, '5.00'),
    ('2025-07-02', 'a', 'USD', 'AS', true, 1, 1, 0, 0, 100, '1.00'),
    ('2025-07-02', 'a', 'USD', 'GG', false, 1, 1, 0, 0, 100, '1.00'),
    ('2025-07-02', 'b', 'USD', 'GG', false, 1, 1, 0, 0, 7, '0.07') $$,
  'revenue has each currency''s digits, excludes sandbox purchases and includes purchases without the flag');
select results_eq(
  $$ select currency collate "default", sum(amount_minor) from report.revenue_by_day group by 1 order by 1 $$,
  $$ select currency collate "default", sum(amount_minor)::numeric from game.receipt
       where is_sandbox is not true group by 1 order by 1 $$,
  'the totals of the view equal those of the facts');
select is((select sum(purchase_count) from report.revenue_by_day), 9::numeric,
  'each purchase outside the sandbox counts once');
select results_eq(
  $$ select purchased_on::text, app_id collate "default", currency collate "default", purchase_count, payer_count, amount_minor,
       amount::text from report.sandbox_revenue_by_day order by currency $$,
  $$ values ('2025-07-01', 'a', 'KWD', 1::bigint, 1::bigint, 1500::numeric, '1.500'),
       ('2025-07-01', 'a', 'USD', 1, 1, 99999, '999.99') $$,
  'sandbox purchases are in a view of their own');
select is_empty(
  $$ select from report.revenue_by_day group by purchased_on, app_id, currency, store_code,
       gamebase_product_id, is_promotion having count(*) > 1 $$,
  'the rows have the grain of the view''s comment');

select results_eq(
  $$ select purchased_on::text, app_id collate "default", payer_count, new_payer_count, repeat_payer_count
       from report.payers_by_day order by purchased_on, app_id $$,
  $$ values ('2025-07-01', 'a', 3::bigint, 3::bigint, 0::bigint), ('2025-07-02', 'a', 2, 1, 1),
       ('2025-07-02', 'b', 1, 1, 0) $$,
  'payers are new on their first day in an application and repeat payers after it');
select is_empty(
  $$ select from report.payers_by_day where payer_count <> new_payer_count + repeat_payer_count $$,
  'new and repeat payers add up');
select is((select sum(new_payer_count) from report.payers_by_day where app_id = 'a'), 4::numeric,
  'a user is new once, and a user with only sandbox purchases never');

set local gamebase_ingest.time_zone = 'Asia/Seoul';
select is(report.time_zone(), 'Asia/Seoul', 'the setting names the time zone');
select is((select purchased_on from report.revenue_by_day where currency = 'EUR'), '2025-07-02'::date,
  'the setting moves the day of a purchase');
select results_eq(
  $$ select purchased_on::text, payer_count, new_payer_count from report.payers_by_day
       where app_id = 'a' order by 1 $$,
  $$ values ('2025-07-01', 2::bigint, 2::bigint), ('2025-07-02', 3, 2) $$,
  'the setting moves the day of payers');
set local timezone = 'America/New_York';
select is((select purchased_on from report.revenue_by_day where currency = 'EUR'), '2025-07-02'::date,
  'the session''s own time zone does not matter');
set local gamebase_ingest.time_zone = '';
select is((select purchased_on from report.revenue_by_day where currency = 'EUR'), '2025-07-01'::date,
  'an empty setting means UTC');
set local gamebase_ingest.time_zone = 'Nowhere/Land';
select throws_ok($$ select * from report.revenue_by_day $$, '22023', null, 'an unknown time zone is refused');

select * from finish();
rollback;
