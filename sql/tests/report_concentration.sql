-- The revenue of the top payers. Their number is rounded up.
\ir parts/reports.sql
select plan(4);

-- Application k, February: ten payers. The first one paid 600 and 400, the second 500, the others 100 each: 2300.
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at)
  select 'k' || n, 'k', 'u' || n, case n when 1 then 600 when 2 then 500 else 100 end, '2025-02-10 12:00Z'
    from generate_series(1, 10) n;
insert into new_receipt (payment_seq, app_id, user_id, currency, amount_minor, purchased_at, is_sandbox, is_promotion)
  values
    ('k11', 'k', 'u1', 'USD', 400, '2025-02-28 23:59:59.999Z', null, null),
    ('k12', 'k', 'u1', 'JPY', 300, '2025-02-10 12:00Z', null, null),
    -- The first and the newest event complete February. Neither is paid.
    ('k13', 'k', 'u1', 'USD', 9999, '2025-02-01 00:00Z', true, null),
    ('k14', 'k', 'u3', 'USD', 9999, '2025-03-01 00:00Z', null, true);
-- Application n: 101 payers, of whom two paid 1000 and the others 100: 2000 + 9900 = 11900.
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at)
  select 'n' || n, 'n', 'u' || n, case when n <= 2 then 1000 else 100 end, '2025-02-10 12:00Z'
    from generate_series(1, 101) n;
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select month, currency, trim_scale(top_share::numeric), payer_count, amount_minor, amount, share_of_amount, is_complete
       from report.payer_concentration where app_id = 'k' $$, $$
  2025-02-01 USD 0.01 1  1000 10.00 0.434783 t   # 0.1 payers; 1000 / 2300
  2025-02-01 USD 0.05 1  1000 10.00 0.434783 t   # 0.5 payers
  2025-02-01 USD 0.1  1  1000 10.00 0.434783 t
  2025-02-01 USD 0.25 3  1600 16.00 0.695652 t   # 2.5 payers; 1000 + 500 + 100
  2025-02-01 USD 0.5  5  1800 18.00 0.782609 t   # 1000 + 500 + 3 x 100
  2025-02-01 USD 1    10 2300 23.00 1.000000 t
  2025-02-01 JPY 0.01 1 300 300 1.000000 t
  2025-02-01 JPY 0.05 1 300 300 1.000000 t
  2025-02-01 JPY 0.1  1 300 300 1.000000 t
  2025-02-01 JPY 0.25 1 300 300 1.000000 t
  2025-02-01 JPY 0.5  1 300 300 1.000000 t
  2025-02-01 JPY 1    1 300 300 1.000000 t $$, 'payers are ranked by their amount of the month, and rounded up');
select pg_temp.shows(
  $$ select trim_scale(top_share::numeric), payer_count, amount_minor, share_of_amount, is_complete
       from report.payer_concentration where app_id = 'n' $$, $$
  0.01 2   2000  0.168067 f   # 1.01 payers
  0.05 6   2400  0.201681 f   # 5.05 payers; 2000 + 4 x 100
  0.1  11  2900  0.243697 f
  0.25 26  4400  0.369748 f
  0.5  51  6900  0.579832 f
  1    101 11900 1.000000 f $$, 'a part of a payer is a payer');

-- u2 pays more in a late file, and 11 payers make 10 % two payers.
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at)
  values ('k15', 'k', 'u2', 700, '2025-02-11 12:00Z'), ('k16', 'k', 'u11', 1, '2025-02-11 12:00Z'),
    ('k17', 'k', 'u1', 50, '2025-01-31 23:59:59.999Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select month, trim_scale(top_share::numeric), payer_count, amount_minor, share_of_amount, is_complete
       from report.payer_concentration where app_id = 'k' and currency = 'USD' $$, $$
  2025-01-01 0.01 1  50   1.000000 f
  2025-01-01 0.05 1  50   1.000000 f
  2025-01-01 0.1  1  50   1.000000 f
  2025-01-01 0.25 1  50   1.000000 f
  2025-01-01 0.5  1  50   1.000000 f
  2025-01-01 1    1  50   1.000000 f
  2025-02-01 0.01 1  1200 0.399867 t   # u2; 2300 + 701 = 3001
  2025-02-01 0.05 1  1200 0.399867 t
  2025-02-01 0.1  2  2200 0.733089 t   # 1.1 payers
  2025-02-01 0.25 3  2300 0.766411 t   # 2.75 payers
  2025-02-01 0.5  6  2600 0.866378 t   # 5.5 payers
  2025-02-01 1    11 3001 1.000000 t $$, 'a late file changes the ranking');
select is_empty(
  $$ select from report.payer_concentration group by month, app_id, currency, top_share having count(*) > 1 $$,
  'the rows have the grain of the view''s comment');

select * from finish();
