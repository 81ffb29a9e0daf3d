-- Hours of purchases and events: whole hours of UTC in every zone.
\ir parts/reports.sql
select plan(8);

insert into new_receipt (payment_seq, user_id, currency, amount_minor, purchased_at, is_sandbox) values
  ('1', 'u1', 'USD', 100, '2025-07-01 10:00Z', null), ('2', 'u1', 'USD', 250, '2025-07-01 10:59:59.999Z', null),
  ('3', 'u2', 'USD', 100, '2025-07-01 10:30Z', null), ('4', 'u2', 'JPY', 100, '2025-07-01 10:30Z', null),
  ('5', 'u1', 'USD', 100, '2025-07-01 11:00Z', null), ('6', 'u1', 'USD', 900, '2025-07-01 11:00Z', true),
  ('7', 'u1', 'USD', 0, '2025-07-01 12:00Z', null);
insert into new_event (event_id, user_id, category, event_group, code, occurred_at) values
  ('1', 'u1', 'observerNetwork', 'observer', 1, '2025-07-01 10:00Z'),
  ('2', 'u1', 'observerNetwork', 'observer', 1, '2025-07-01 10:59:59.999Z'),
  ('3', null, 'observerNetwork', 'observer', 1, '2025-07-01 10:01Z'),
  ('4', 'u2', 'observerNetwork', 'observer', -1, '2025-07-01 10:01Z'),
  ('5', 'u2', 'loggedOut', 'logged_out', null, '2025-07-02 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows('select * from report.revenue_by_hour', $$
  2025-07-01T10:00 a USD 3 2 450 4.5000
  2025-07-01T10:00 a JPY 1 1 100 100.0000
  2025-07-01T11:00 a USD 1 1 100 1.0000 $$, 'an hour begins with its first instant');
create temporary view hourly_event as select * from report.event_by_hour;
select pg_temp.shows('select * from hourly_event', $$
  2025-07-01T10:00 a observerNetwork observer 1 3 1
  2025-07-01T10:00 a observerNetwork observer -1 1 1
  2025-07-02T00:00 a loggedOut logged_out - 1 1 $$, 'events by hour; NULL is a code');
create temporary view identity as
  select (select sum(paid_count) from report.revenue_by_hour) as purchases,
    (select sum(paid_count) from report.revenue_by_day) as purchases_of_days,
    (select sum(event_count) from report.event_by_hour) as events,
    (select sum(event_count) from report.event_by_day) as events_of_days;
select pg_temp.shows('select * from identity', '5 5 5 5', 'hours and days have the same purchases and events');

-- A file that no refresh has seen is in no hour.
insert into new_event (event_id, user_id, category, event_group, occurred_at)
  values ('6', 'u2', 'loggedOut', 'logged_out', '2025-07-01 10:00Z'), ('7', 'u2', 'loggedOut', 'logged_out', '2025-07-03Z');
select pg_temp.load_lines('second');
select pg_temp.shows('select * from identity', '5 5 5 5', 'the views show the state of the last refresh');
-- Events after the horizon, of clients whose clock is fast, are in their hours.
update ingest.file_app set first_event_at = '2025-07-01 10:30Z', newest_event_at = '2025-07-01 10:30Z';
\ir parts/refresh.sql
select pg_temp.shows('select * from identity', '5 5 7 7', 'and that of the next one');

select pg_temp.set_zone('Asia/Kathmandu');
\ir parts/refresh_full.sql
select pg_temp.shows('select hour, paid_count from report.revenue_by_hour where currency = ''USD''', $$
  2025-07-01T10:00 3
  2025-07-01T11:00 1 $$, 'the zone moves no hour');
select pg_temp.shows('select * from identity', '5 5 7 7', 'days of another zone have the same sums');
set enable_seqscan = off;
select ok(exists (select from pg_temp.plan_of(
  $$ select * from report.revenue_by_hour where app_id = 'a' and hour >= '2025-07-01Z' and hour < '2025-07-02Z' $$) p
  where p like '%purchase_hour%'), 'a range of hours is found by the index');

select * from finish();
