-- The rows that a refresh reads, whatever the speed of the machine, and how they grow with its input.
\ir parts/reports.sql
\ir parts/rows_read.sql
select plan(2);

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

\set refresh_options --full
-- The same product in many stores, each with a price of its own, and chains of one player, all new in the running month.
create function pg_temp.load_more(p_from integer, p_to integer) returns void language plpgsql as $$
begin
  insert into pg_temp.new_item (app_id, observed_at, store_code, amount_minor)
    select 'b', '2025-07-01Z', 's' || n, n from generate_series(p_from, p_to) n;
  insert into pg_temp.new_receipt (app_id, payment_seq, store_code, purchased_at, amount_minor)
    select 'b', 'b' || n, 's' || n, timestamptz '2025-07-02Z' + n * interval '1 minute', 1000 + n
      from generate_series(p_from, p_to) n;
  insert into pg_temp.new_receipt (app_id, user_id, payment_seq, original_payment_id, product_type, purchased_at, expires_at)
    select 'c', 'u', 'c' || n, 'c' || n, 'AUTO_RENEWABLE', timestamptz '2025-07-02Z' + n * interval '1 minute',
        '2025-08-02Z'
      from generate_series(p_from, p_to) n;
  perform pg_temp.load_lines();
end
$$;
select pg_temp.load_more(1, 400);
\ir parts/refresh_counted.sql
\set few :rows_read
select pg_temp.load_more(401, 800);
\ir parts/refresh_counted.sql
\set many :rows_read
select cmp_ok(:many::bigint, '<', 3 * :few::bigint,
  'twice as many prices and chains read not much more than twice as many rows');

select * from finish();
