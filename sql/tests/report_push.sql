-- Pushes over all their days: users, clicks, first times, late files, undo, erasure, zone and dropped months.
\ir parts/reports.sql
select plan(13);

create function pg_temp.shows_pushes(p_table text, p_description text) returns text language sql as $$
  select pg_temp.shows('select app_id, push_id, first_received_at, received_user_count, clicked_user_count, click_rate
    from report.push_performance', p_table, p_description)
$$;

insert into new_event (event_id, app_id, user_id, category, event_group, push_id, push_action_type, occurred_at) values
  -- p: received on two days, clicked on a third one.
  ('p1', 'a', 'u1', 'pushReceivedMessage', 'push', 'p', null, '2025-07-01 10:00Z'),
  ('p2', 'a', 'u1', 'pushReceivedMessage', 'push', 'p', null, '2025-07-02 10:00Z'),
  ('p3', 'a', 'u2', 'pushReceivedMessage', 'push', 'p', null, '2025-07-02 11:00Z'),
  ('p4', 'a', null, 'pushReceivedMessage', 'push', 'p', null, '2025-07-01 09:00Z'),
  ('p5', 'a', 'u1', 'pushClickMessage', 'push', 'p', null, '2025-07-03 10:00Z'),
  ('p6', 'a', 'u1', 'pushClickMessage', 'push', 'p', null, '2025-07-04 10:00Z'),
  ('p7', 'a', null, 'pushClickMessage', 'push', 'p', null, '2025-07-03 10:00Z'),
  -- A click of a user whose receipt is not there.
  ('p8', 'a', 'u3', 'pushClickMessage', 'push', 'p', null, '2025-07-03 11:00Z'),
  -- A button is no click, and its user no receiver.
  ('p9', 'a', 'u4', 'pushClickAction', 'push', 'p', 'OPEN_APP', '2025-07-03 12:00Z'),
  -- c: clicked only; k: a button only; of unknown users only: n; of another application: p.
  ('c1', 'a', 'u1', 'pushClickMessage', 'push', 'c', null, '2025-07-05 10:00Z'),
  ('k1', 'a', 'u1', 'pushClickAction', 'push', 'k', 'REPLY', '2025-07-05 10:00Z'),
  ('n1', 'a', null, 'pushReceivedMessage', 'push', 'n', null, '2025-07-06 10:00Z'),
  ('b1', 'b', 'u1', 'pushReceivedMessage', 'push', 'p', null, '2025-07-06 10:00Z'),
  -- Without an id.
  ('x1', 'a', 'u1', 'pushReceivedMessage', 'push', null, null, '2025-07-05 10:00Z');
select pg_temp.load_lines();
select is_empty('select * from report.push_performance', 'events loaded since the refresh are in no push');
\ir parts/refresh.sql
select pg_temp.shows_pushes($$
  a p 2025-07-01T09:00 3 2 0.666667   # u1 and u3 of u1, u2, u3
  a c -                1 1 1.000000
  a k -                0 0 -
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'users count once over all days of a push');

-- A late file: a user of another day, the first click of u2, an earlier message, and a new push.
insert into new_event (event_id, app_id, user_id, category, event_group, push_id, occurred_at) values
  ('l1', 'a', 'u2', 'pushClickMessage', 'push', 'p', '2025-07-02 12:00Z'),
  ('l2', 'a', 'u1', 'pushReceivedMessage', 'push', 'p', '2025-06-30 10:00Z'),
  ('l3', 'a', 'u5', 'pushReceivedMessage', 'push', 'p', '2025-06-30 11:00Z'),
  ('l4', 'a', 'u5', 'pushReceivedMessage', 'push', 'q', '2025-07-02 11:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows_pushes($$
  a p 2025-06-30T10:00 4 3 0.750000
  a q 2025-07-02T11:00 1 0 0.000000
  a c -                1 1 1.000000
  a k -                0 0 -
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'a late file adds only users of no other day');
select ingest.undo_files('event', array[pg_temp.file('late')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows_pushes($$
  a p 2025-07-01T09:00 3 2 0.666667
  a c -                1 1 1.000000
  a k -                0 0 -
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'an undo takes back the users, the first time and the push');
create temporary table before_rebuild as select * from rollup.push;
\ir parts/refresh_full.sql
select set_eq('table rollup.push', 'table before_rebuild', 'a rebuild finds the same');

-- An erasure, here in one application.
select ingest.erase_user('u1', 'a', sha256('u1'), sha256('key'), null) \g /dev/null
select pg_temp.shows_pushes($$
  a p 2025-07-01T09:00 2 1 0.500000   # u3 of u2, u3
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'an erased user leaves the pushes, and pushes without another event go');
select is_empty($$ select from rollup.push_user where user_id = 'u1' and app_id = 'a' $$,
  'no row of the erased user is left');
select is_empty($$ select from pg_attribute where attrelid = 'rollup.push_user'::regclass and attname = 'user_id'
  and attstattarget is distinct from 0 $$, 'the statistics keep no user');
\ir parts/refresh.sql
select pg_temp.shows_pushes($$
  a p 2025-07-01T09:00 2 1 0.500000
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'the refresh after an erasure changes nothing');

-- Days move with the zone, users do not.
select pg_temp.set_zone('Asia/Seoul');
\ir parts/refresh_full.sql
select pg_temp.shows_pushes($$
  a p 2025-07-01T09:00 2 1 0.500000
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'the figures of a push do not depend on the zone');

-- A dropped month: the first message of e lies in it, of i 31 days after its end but for an instant, of o at that end.
insert into new_event (event_id, user_id, category, event_group, push_id, occurred_at) values
  ('e1', 'u6', 'pushReceivedMessage', 'push', 'e', '2025-07-31 23:00Z'),
  ('e2', 'u7', 'pushReceivedMessage', 'push', 'e', '2025-08-01 00:00Z'),
  ('e3', 'u7', 'pushClickMessage', 'push', 'e', '2025-08-01 00:00Z'),
  ('i1', 'u6', 'pushReceivedMessage', 'push', 'i', '2025-08-31 23:59:59.999Z'),
  ('o1', 'u6', 'pushReceivedMessage', 'push', 'o', '2025-09-01 00:00Z');
select pg_temp.load_lines('august');
\ir parts/refresh.sql
select ingest.drop_month('event', '2025-07-01') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows_pushes($$
  a e 2025-08-01T00:00 1 1 -          # u6 is gone
  a i 2025-08-31T23:59:59.999 1 0 -
  a o 2025-09-01T00:00 1 0 0.000000 $$, 'a push has no rate if its first messages may have been dropped');
insert into new_event (event_id, user_id, category, event_group, push_id, occurred_at) values
  ('d1', 'u6', 'pushReceivedMessage', 'push', 'd', '2025-07-20 00:00Z'),
  ('d2', 'u6', 'pushReceivedMessage', 'push', 'i', '2025-06-20 00:00Z');
select pg_temp.load_lines('again');
\ir parts/refresh.sql
select pg_temp.shows_pushes($$
  a d 2025-07-20T00:00 1 0 -
  a e 2025-08-01T00:00 1 1 -
  a i 2025-06-20T00:00 1 0 0.000000
  a o 2025-09-01T00:00 1 0 0.000000 $$, 'a push that begins in the dropped month has no rate either');
truncate before_rebuild;
insert into before_rebuild table rollup.push;
\ir parts/refresh_full.sql
select set_eq('table rollup.push', 'table before_rebuild', 'a rebuild finds the same after a drop of a month');

select * from finish();
