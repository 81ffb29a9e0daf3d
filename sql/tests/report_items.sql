-- The items of the shop: their history, their current state, and receipts with other prices than their items.
\ir parts/reports.sql
select plan(14);

insert into new_item (store_code, gamebase_product_id, market_item_id, item_seq, currency, amount_minor, product_type,
    item_name, localized_title, localized_price, is_active, observed_at, observed_at_source)
  values
    ('GG', 'gem', 'm', 7, 'USD', 499, 'CONSUMABLE', 'gem', 'Gem', '$4.99', true, '2025-07-03 00:00Z', 'line'),
    ('GG', 'gem', 'm', 7, 'USD', 499, 'CONSUMABLE', 'gem', 'Gem', '4.99 $', true, '2025-07-04 00:00Z', 'option'),
    ('GG', 'gem', 'm', 7, 'USD', 599, 'CONSUMABLE', 'gem', 'Gem', '$5.99', true, '2025-07-05 00:00Z', 'line'),
    ('GG', 'gem', 'm', 7, 'USD', 999, 'CONSUMABLE', 'gem', 'Gem', '$9.99', false, '2025-07-30 00:00Z', 'load_start'),
    ('GG', 'gem', 'm', 7, 'KRW', 5900, 'CONSUMABLE', 'gem', '젬', null, true, '2025-07-03 00:00Z', 'line'),
    ('AS', 'gem', 'm', 7, 'USD', 699, null, null, null, null, null, '2025-07-06 00:00Z', 'line'),
    (null, 'gold', null, null, null, null, null, 'gold', null, null, true, '2025-07-01 00:00Z', 'line'),
    (null, null, 'old', null, 'USD', 100, null, null, null, null, null, '2025-07-02 00:00Z', 'load_start'),
    (null, null, 'alone', null, 'USD', 300, null, null, null, null, null, '2025-07-02 00:00Z', 'line');
select pg_temp.load_lines();
\ir parts/refresh.sql
-- The second file has the older rows, and of "old" a row of an earlier time, but of a later load.
insert into new_item (store_code, gamebase_product_id, market_item_id, item_seq, currency, amount_minor, product_type,
    item_name, localized_title, is_active, observed_at, observed_at_source)
  values
    ('GG', 'gem', 'm', 7, 'USD', 399, 'CONSUMABLE', 'gem', 'Gem', true, '2025-07-01 00:00Z', 'line'),
    ('GG', 'gem', 'm', 7, 'USD', 399, null, 'gem', 'Gem', true, '2025-07-02 00:00Z', 'line'),
    (null, 'gold', null, null, null, null, null, 'gold', null, false, '2025-07-02 00:00Z', 'line'),
    (null, 'gold', null, null, null, null, null, 'Gold', null, false, '2025-07-03 00:00Z', 'line'),
    (null, 'gold', null, null, null, null, null, 'Gold', 'G', false, '2025-07-04 00:00Z', 'line'),
    (null, null, 'old', null, 'USD', 90, null, null, null, null, '2025-07-01 00:00Z', 'load_start');
select pg_temp.load_lines('older');
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select store_code, gamebase_product_id, market_item_id, item_seq, currency, valid_from, amount_minor, amount,
       product_type, item_name, localized_title, is_active, valid_to
       from report.item_history $$, $$
  GG gem m 7 USD 2025-07-01T00:00 399 3.99 CONSUMABLE gem Gem t 2025-07-02T00:00
  GG gem m 7 USD 2025-07-02T00:00 399 3.99 -          gem Gem t 2025-07-03T00:00   # no type is a type
  GG gem m 7 USD 2025-07-03T00:00 499 4.99 CONSUMABLE gem Gem t 2025-07-05T00:00   # only localized_price on 07-04
  GG gem m 7 USD 2025-07-05T00:00 599 5.99 CONSUMABLE gem Gem t -
  GG gem m 7 KRW 2025-07-03T00:00 5900 5900 CONSUMABLE gem 젬 t -
  AS gem m 7 USD 2025-07-06T00:00 699 6.99 - - - - -
  -  gold - - - 2025-07-01T00:00 - - - gold - t 2025-07-02T00:00
  -  gold - - - 2025-07-02T00:00 - - - gold - f 2025-07-03T00:00
  -  gold - - - 2025-07-03T00:00 - - - Gold - f 2025-07-04T00:00
  -  gold - - - 2025-07-04T00:00 - - - Gold G f -
  -  -   alone - USD 2025-07-02T00:00 300 3.00 - - - - - $$,
  'a history has a row for each change of price, type, names or flag, for any order of loads');
select pg_temp.shows(
  $$ select store_code, gamebase_product_id, market_item_id, currency, amount_minor, amount, localized_price, is_active,
       observed_at, observed_at_source, source_file_id, line_number from report.current_item $$,
  format($$
  GG gem m     USD 599 5.99 $5.99 t 2025-07-05T00:00 line %1$s 3   # not the load_start row
  GG gem m     KRW 5900 5900 -    t 2025-07-03T00:00 line %1$s 5
  AS gem m     USD 699 6.99 -     - 2025-07-06T00:00 line %1$s 6
  -  gold -    -   -   -    -     f 2025-07-04T00:00 line %2$s 5
  -  -   old   USD 90  0.90 -     - 2025-07-01T00:00 load_start %2$s 6   # the newest load
  -  -   alone USD 300 3.00 -     - 2025-07-02T00:00 line %1$s 9 $$, pg_temp.file('file'), pg_temp.file('older')),
  'the current state is the newest one with a time of its own, else that of the newest load');

-- Receipts: each is compared with the item as last observed at or before the purchase.
insert into new_receipt (payment_seq, store_code, gamebase_product_id, market_item_id, currency, amount_minor,
    purchased_at, is_sandbox, is_promotion)
  values
    ('before', 'GG', 'gem', null, 'USD', 1, '2025-06-30 00:00Z', null, null),
    ('equal', 'GG', 'gem', null, 'USD', 399, '2025-07-01 00:00Z', null, null),
    ('late', 'GG', 'gem', null, 'USD', 399, '2025-07-04 12:00Z', false, null),
    ('instant', 'GG', 'gem', null, 'USD', 499, '2025-07-05 00:00Z', null, null),
    ('promotion', 'GG', 'gem', null, 'USD', 0, '2025-07-05 12:00Z', null, true),
    ('sandbox', 'GG', 'gem', null, 'USD', 1, '2025-07-05 12:00Z', true, null),
    ('unpriced', 'GG', 'gem', null, 'USD', null, '2025-07-05 12:00Z', null, null),
    ('store', 'GG', 'gem', null, 'USD', 599, '2025-07-07 00:00Z', null, null),
    ('other store', 'HUAWEI', 'gem', null, 'USD', 599, '2025-07-07 00:00Z', null, null),
    ('newest store', 'HUAWEI', 'gem', null, 'USD', 699, '2025-07-07 00:00Z', null, null),
    ('currency', 'GG', 'gem', null, 'KRW', 5000, '2025-07-07 00:00Z', null, null),
    ('no item', 'GG', 'ruby', null, 'USD', 1, '2025-07-07 00:00Z', null, null),
    ('no price', 'GG', 'gold', null, 'USD', 1, '2025-07-07 00:00Z', null, null),
    ('market', 'GG', null, 'alone', 'USD', 301, '2025-07-07 00:00Z', null, null),
    ('own id', 'GG', 'x', 'alone', 'USD', 301, '2025-07-07 00:00Z', null, null),
    ('undated', 'GG', null, 'old', 'USD', 1, '2025-07-07 00:00Z', null, null);
select pg_temp.load_lines('receipts');
select is_empty('select * from report.receipt_price_check', 'receipts loaded since the refresh are not compared');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select replace(payment_seq, ' ', '_'), store_code, currency, amount_minor, amount, item_amount_minor, item_amount,
       difference_minor, difference, observed_at from report.receipt_price_check $$, $$
  late        GG     USD 399  3.99 499  4.99 -100 -1.00 2025-07-04T00:00   # the second snapshot of that price
  instant     GG     USD 499  4.99 599  5.99 -100 -1.00 2025-07-05T00:00   # at the instant of the change
  promotion   GG     USD 0    0.00 599  5.99 -599 -5.99 2025-07-05T00:00
  other_store HUAWEI USD 599  5.99 699  6.99 -100 -1.00 2025-07-06T00:00   # no item of the store: the newest one
  currency    GG     KRW 5000 5000 5900 5900 -900 -900  2025-07-03T00:00
  market      GG     USD 301  3.01 300  3.00 1    0.01  2025-07-02T00:00   # by the id in the store $$,
  'a receipt is compared with the item of its product, currency and, where there is one, store');

-- A late snapshot of another price changes the check of the purchases after it.
insert into new_item (store_code, gamebase_product_id, market_item_id, item_seq, amount_minor, observed_at)
  values ('GG', 'gem', 'm', 7, 399, '2025-07-04 06:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq from report.receipt_price_check where payment_seq in ('late', 'instant', 'equal') $$,
  'instant', 'a late snapshot ends a difference');
select pg_temp.shows(
  $$ select valid_from, amount_minor, valid_to from report.item_history
       where store_code = 'GG' and currency = 'USD' and valid_from >= '2025-07-03' $$, $$
  2025-07-03T00:00 499 2025-07-04T06:00
  2025-07-04T06:00 399 2025-07-05T00:00
  2025-07-05T00:00 599 - $$, 'and divides the history');
select ingest.undo_files('item', array[pg_temp.file('late')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, observed_at from report.receipt_price_check where payment_seq = 'late' $$,
  'late 2025-07-04T00:00', 'an undo brings the difference back');
insert into new_item (store_code, gamebase_product_id, market_item_id, item_seq, amount_minor, observed_at)
  values ('GG', 'gem', 'm', 7, null, '2025-07-04 06:00Z');
select pg_temp.load_lines('unpriced');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, item_amount_minor, observed_at from report.receipt_price_check where payment_seq = 'late' $$,
  'late 499 2025-07-04T00:00', 'a snapshot without a price is compared with no receipt');
select ingest.undo_files('item', array[pg_temp.file('unpriced')]) \g /dev/null

-- Without the file of the newest snapshots, the older ones are the current ones.
select ingest.undo_files('item', array[pg_temp.file('file')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select store_code, gamebase_product_id, market_item_id, amount_minor, is_active, observed_at
       from report.current_item $$, $$
  GG gem m   399 t 2025-07-02T00:00
  -  gold -  -   f 2025-07-04T00:00
  -  -  old  90  - 2025-07-01T00:00 $$, 'an undo leaves the last observation that remains');
select pg_temp.shows(
  $$ select payment_seq, item_amount_minor, observed_at from report.receipt_price_check where payment_seq = 'instant' $$,
  'instant 399 2025-07-02T00:00', 'and the checks follow');

-- A caller of the refresh's steps can give a payment two narrow rows.
insert into rollup.purchase
  select (jsonb_populate_record(p, '{"user_id": "other", "amount_minor": 500}')).* from rollup.purchase p where p.payment_seq = 'instant';
insert into new_item (store_code, gamebase_product_id, market_item_id, item_seq, amount_minor, observed_at)
  values ('GG', 'gem', 'm', 7, 450, '2025-07-01 12:00Z');
select pg_temp.load_lines('between');
\ir parts/refresh.sql
select is((select count(*) from rollup.price_check where payment_seq = 'instant'), 1::bigint,
  'a payment with two narrow rows is checked once');
delete from rollup.purchase where payment_seq = 'instant' and user_id = 'other';
select ingest.undo_files('item', array[pg_temp.file('between')]) \g /dev/null
\ir parts/refresh.sql

-- An erasure removes the checks of the user's receipts, and no item.
select ingest.erase_user('u', null, sha256('u'), sha256('key'), null) \g /dev/null
select is_empty('select * from report.receipt_price_check', 'an erasure removes the checks of a user');
select is((select count(*) from report.current_item), 3::bigint, 'and leaves the shop as it was');

-- Retention.
select ingest.drop_month('item', '2025-07-01') \g /dev/null
\ir parts/refresh.sql
select is_empty('select app_id from report.current_item union all select app_id from report.item_history',
  'a dropped month leaves no item');

select * from finish();
