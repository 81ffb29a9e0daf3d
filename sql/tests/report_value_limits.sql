-- The largest price and rate, twice for each key, and the smallest ones.
\ir parts/reports.sql
select plan(6);

insert into ingest.setting (name, value) values ('base-currency', 'CLF')
  on conflict (name) do update set value = excluded.value;
insert into game.exchange_rate (base_currency, currency, valid_on, rate) values
  ('CLF', 'USD', '2025-07-01', 999999999999.999999999999), ('CLF', 'JPY', '2025-07-01', 999999999999.999999999999),
  ('CLF', 'KWD', '2025-07-01', 0.000000000001);
insert into new_receipt (payment_seq, user_id, currency, amount_minor, purchased_at) values
  ('1', 'u1', 'USD', 9223372036854775807, '2025-07-01 10:00Z'), ('2', 'u1', 'USD', 9223372036854775807, '2025-07-01 11:00Z'),
  ('3', 'u2', 'JPY', 9223372036854775807, '2025-07-01 10:00Z'), ('4', 'u2', 'JPY', 9223372036854775807, '2025-07-01 11:00Z'),
  ('5', 'u3', 'KWD', 1, '2025-07-01 10:00Z'), ('6', 'u3', 'KWD', 1, '2025-07-01 11:00Z'),
  ('7', 'u4', 'CLF', 1, '2025-07-03 00:00Z');
insert into new_level_up (user_id, user_level, leveled_up_at)
  values ('u5', 2147483647, '2025-07-01 10:00Z'), ('u6', 2147483647, '2025-07-01 10:00Z'), ('u5', 0, '2025-07-01 09:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, base_amount from report.purchase $$, $$
  1 92233720368547758069999907766.27963145224193
  2 92233720368547758069999907766.27963145224193
  3 9223372036854775806999990776627.963145224193
  4 9223372036854775806999990776627.963145224193
  5 0.000000000000001
  6 0.000000000000001
  7 0.0001 $$, 'no digit is lost');
select pg_temp.shows(
  $$ select user_id, base_amount from report.player_value $$, $$
  u1 184467440737095516139999815532.5593
  u2 18446744073709551613999981553255.9263
  u3 0
  u4 0.0001 $$, 'sums are rounded once');
select pg_temp.shows(
  $$ select base_amount, arppu from report.arppu_converted_by_period where period = 'day' and period_start = '2025-07-01' $$,
  '18631211514446647130139981368788.4856 6210403838148882376713327122929.495184', 'a period');
select pg_temp.shows(
  $$ select base_amount, base_amount_per_user from report.value_by_cohort
       where period = 'day' and cohort_start = '2025-07-01' and day_n = 0 and cohort_kind = 'first_paid' $$,
  '18631211514446647130139981368788.4856 6210403838148882376713327122929.495184', 'a cohort');
select pg_temp.shows(
  $$ select user_level, reached_user_count from report.level_funnel_by_cohort $$, $$
  0 2
  2147483647 2 $$, 'levels');
create temporary table before_full as select v::text as line from rollup.player_value v;
\ir parts/refresh_full.sql
select set_eq('select v::text from rollup.player_value v', 'select line from before_full', 'a rebuild changes nothing');

select * from finish();
