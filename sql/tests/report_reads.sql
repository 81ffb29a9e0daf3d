-- The rows that a refresh reads, whatever the speed of the machine.
\ir parts/reports.sql
\ir parts/rows_read.sql
select plan(1);

insert into new_receipt (payment_seq, purchased_at) values ('first', '2025-07-01Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
insert into new_receipt (payment_seq, user_id, purchased_at)
  select n, 'u' || n, timestamptz '2025-07-01Z' + n * interval '1 minute' from generate_series(1, 400) n;
select pg_temp.load_lines();
\ir parts/refresh_counted.sql
-- Plans made for empty tables would read every row for each other row.
select cmp_ok(:rows_read::bigint, '<', 200 * 400::bigint,
  'a night that follows a single line reads each row a few times');

select * from finish();
