-- The rows that a rebuild reads when the reports have one line only, as after a first try, and the history comes next.
\ir parts/reports.sql
\ir parts/rows_read.sql
select plan(1);

insert into new_receipt (payment_seq, purchased_at) values ('first', '2025-07-01Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
insert into new_receipt (payment_seq, user_id, purchased_at)
  select n, 'u' || n, timestamptz '2025-07-01Z' + n * interval '1 minute' from generate_series(1, 4000) n;
select pg_temp.load_lines();
\set refresh_options --full
\ir parts/refresh_counted.sql
-- Plans made for one row would join each purchase with each player.
select cmp_ok(:rows_read::bigint, '<', 100 * 4000::bigint, 'a rebuild that follows a single line reads each row a few times');

select * from finish();
