-- Monthly recurring revenue: the factor of each length, unknown lengths, and a sum that is rounded once.
\ir parts/reports.sql
select plan(6);
alter table new_receipt alter product_type set default 'AUTO_RENEWABLE', alter gamebase_product_id set default 'gold';

-- Application m: every period starts at 2025-06-15 00:00 and has its own user and length.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, purchased_at, expires_at)
  select 'm', 'u' || length, 'm' || length, amount, '2025-06-15 00:00Z', timestamptz '2025-06-15 00:00Z' + length::interval
    from (values
      ('1 day', 100),                                 -- x 30 = 3000
      ('3 days', 100),                                -- x 10 = 1000
      ('7 days', 100),                                -- x 4  = 400
      ('14 days', 100),                               -- x 2  = 200
      ('28 days', 100), ('31 days', 100),             -- x 1  = 200
      ('31 days 11:59', 100), ('27 days 12:01', 100), -- to the nearest day 31 and 28, x 1 = 200
      ('59 days', 101), ('62 days', 100),             -- / 2  = 50.5 + 50
      ('89 days', 100), ('93 days', 100),             -- / 3  = 33.33... + 33.33...
      ('180 days', 200), ('186 days', 300),           -- / 6  = 33.33... + 50
      ('360 days', 600), ('370 days', 1200)           -- / 12 = 50 + 100
    ) v (length, amount);
insert into new_receipt (app_id, user_id, payment_seq, purchased_at, expires_at)
  select 'm', 'x' || length, 'x' || length, '2025-06-15 00:00Z', timestamptz '2025-06-15 00:00Z' + length::interval
    from unnest(array['2 days', '4 days', '6 days', '8 days', '13 days', '15 days', '27 days', '32 days', '58 days',
      '63 days', '88 days', '94 days', '179 days', '187 days', '359 days', '371 days', '31 days 12:01', '00:05']) length;
-- Never part of it: a trial, a promotion, a sandbox period, a period without a price, a single purchase.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_promotion, is_sandbox, product_type, purchased_at,
    expires_at)
  values
    ('m', 't1', 't1', 0, null, null, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't2', 't2', 100, true, null, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't3', 't3', 100, null, true, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't4', 't4', null, null, null, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't5', 't5', 100, null, null, 'CONSUMABLE', '2025-06-15 00:00Z', null),
    -- The first event, and the newest one.
    ('m', 't6', 't6', 100, null, true, 'CONSUMABLE', '2025-06-14 00:00Z', null),
    ('m', 't6', 't7', 100, null, true, 'CONSUMABLE', '2025-06-16 12:00Z', null);
insert into new_receipt (app_id, user_id, payment_seq, currency, amount_minor, purchased_at, expires_at)
  values ('m', 'j1', 'j1', 'JPY', 1001, '2025-06-15 00:00Z', '2025-08-14 00:00Z'),
    ('m', 'j2', 'j2', 'KWD', 1001, '2025-06-15 00:00Z', '2025-08-14 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, currency, amount_minor, is_promotion, purchased_at, expires_at)
  values ('m', 'j3', 'j3', 'EUR', 100, true, '2025-06-15 00:00Z', '2025-07-15 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql

-- 3000 + 1000 + 400 + 200 + 200 + 200 = 5000; 50.5 + 50 = 100.5; the thirds are 100 together; 50 + 50 + 100 = 200.
-- Together 5400.5, rounded half up 5401. Sums of rounded amounts or of cut thirds give 5400.
-- A period of five minutes ends before the end of its day.
select pg_temp.shows(
  $$ select currency, day, amount_minor, amount, unknown_length_count, is_complete
       from report.mrr_by_day where app_id = 'm' $$, $$
  JPY 2025-06-14 0    0     0  t
  JPY 2025-06-15 501  501   0  t   # 60 days: 1001 / 2 = 500.5
  JPY 2025-06-16 501  501   0  f
  KWD 2025-06-14 0    0.000 0  t
  KWD 2025-06-15 501  0.501 0  t
  KWD 2025-06-16 501  0.501 0  f
  USD 2025-06-14 0    0.00  0  t
  USD 2025-06-15 5401 54.01 17 t
  USD 2025-06-16 2401 24.01 17 f   # without the period of one day
  $$, 'each length has its factor, and the sum is exact and rounded once');

-- Application n: a change of product cuts a period of 30 days after three days. Until then it counts with 30 days.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, amount_minor, purchased_at,
    expires_at)
  values ('n', 'u1', 'n1', 'N', 'gold', 300, '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('n', 'u1', 'n2', 'N', 'platinum', 600, '2025-06-18 00:00Z', '2025-07-18 00:00Z');
-- Application o: a renewal bought five days before the end runs for the 30 days after it. In u2's chain a period
-- lies within another one and adds nothing.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, purchased_at, expires_at)
  values ('o', 'u1', 'o1', 300, '2025-06-01 00:00Z', '2025-07-01 00:00Z'),
    ('o', 'u1', 'o2', 400, '2025-06-26 00:00Z', '2025-07-31 00:00Z'),
    ('o', 'u2', 'o3', 10, '2025-06-01 00:00Z', '2025-07-01 00:00Z'),
    ('o', 'u2', 'o4', 10, '2025-06-02 00:00Z', '2025-06-09 00:00Z'),
    ('o', 'u3', 'o5', 0, '2025-07-02 00:00Z', '2025-07-03 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select day, amount_minor, unknown_length_count, is_complete from report.mrr_by_day where app_id = 'n' $$, $$
  2025-06-15 300 0 t
  2025-06-16 300 0 t
  2025-06-17 300 0 t
  2025-06-18 600 0 f $$, 'a cut period keeps the length that was bought');
select pg_temp.shows(
  $$ select day, amount_minor, unknown_length_count from report.mrr_by_day
       where app_id = 'o' and day in ('2025-06-01', '2025-06-02', '2025-06-25', '2025-06-26', '2025-06-30', '2025-07-01') $$, $$
  2025-06-01 310 0
  2025-06-02 310 0
  2025-06-25 310 0
  2025-06-26 310 0   # the renewal has not begun
  2025-06-30 310 0   # the first periods end at the day's end
  2025-07-01 400 0
  $$, 'the length of a renewal begins at its start, not at its purchase');
select is((select count(*) from report.mrr_by_day where app_id = 'o'), 32::bigint,
  'each day from the first receipt to the newest has a row');

-- A late receipt in a new currency gives it a row for each day.
insert into new_receipt (app_id, user_id, payment_seq, currency, product_type, purchased_at)
  values ('n', 'u2', 'n3', 'EUR', 'CONSUMABLE', '2025-06-16 10:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows($$ select currency, day, amount_minor from report.mrr_by_day where app_id = 'n' $$, $$
  EUR 2025-06-15 0
  EUR 2025-06-16 0
  EUR 2025-06-17 0
  EUR 2025-06-18 0
  USD 2025-06-15 300
  USD 2025-06-16 300
  USD 2025-06-17 300
  USD 2025-06-18 600 $$, 'every currency that was ever paid has a row for each day');
select ingest.undo_files('receipt', array[pg_temp.file('late')]) \g /dev/null
\ir parts/refresh.sql
select is((select count(*) from report.mrr_by_day where app_id = 'n' and currency = 'EUR'), 0::bigint,
  'and none after the undo of its only purchase');

select * from finish();
