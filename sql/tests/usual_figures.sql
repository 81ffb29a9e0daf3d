-- The same weekdays before a day, which the guards of a run compare with.
\ir parts/reports.sql
select plan(4);

select is_empty($$ select * from ingest.usual_figures('2025-07-01') $$, 'an empty database has no figure');

-- Tuesdays: one purchase on the first, two on the second, and so on; none on the fourth.
insert into new_receipt (payment_seq, amount_minor, purchased_at)
  select w || '-' || n, 100 * w, '2025-07-29 12:00Z'::timestamptz - w * interval '7 days'
    from generate_series(1, 9) w, generate_series(1, w) n where w <> 4;
insert into new_receipt (payment_seq, amount_minor, currency, is_sandbox, is_promotion, purchased_at) values
  ('sandbox', 5000, 'USD', true, null, '2025-07-22 12:00Z'), ('promotion', 5000, 'USD', null, true, '2025-07-22 12:00Z'),
  ('free', 0, 'JPY', null, null, '2025-07-22 12:00Z'), ('monday', 70, 'EUR', null, null, '2025-07-21 12:00Z'),
  ('the day', 70, 'EUR', null, null, '2025-07-29 12:00Z');
insert into new_receipt (payment_seq, app_id, purchased_at) values ('b', 'b', '2025-07-22 12:00Z');
insert into new_level_up (user_id, user_level, leveled_up_at)
  select 'u' || n, 1, '2025-07-15 00:00Z' from generate_series(1, 3) n;
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select app_id, stream, currency, day_count, purchase_count, median, smallest, largest
       from ingest.usual_figures('2025-07-29') $$, $$
  a level_up -   1 - 3    3   3
  a receipt  -   7 - 5    2   8      # with sandbox, promotion and free ones: 4, 2, 3, 5, 6, 7, 8
  a receipt  USD 7 5 2500 100 6400   # n purchases of n * 100
  b receipt  -   1 - 1    1   1
  b receipt  USD 1 1 100  100 100 $$, 'the last eight Tuesdays have a median, a smallest and a largest figure');
select is_empty(
  $$ select * from ingest.usual_figures('2025-07-23') where currency is not null $$, 'other weekdays have none');
select is(
  (select day_count from ingest.usual_figures('2025-07-22') where app_id = 'a' and currency = 'USD'), 7,
  'the ninth Tuesday before a day does not count, and a day without a purchase is left out');
