-- The locks that functions hold until the end of the transaction.
begin;
select plan(14);

create function pg_temp.locks() returns text language sql as $$
  select coalesce(
      string_agg(mode || ' ' || (objid::bigint | (classid::bigint << 32)), ', ' order by mode desc), '')
    from pg_catalog.pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
$$;
create table game.level_up_2030_01 partition of game.level_up for values
  from ('2030-01-01 00:00:00+00') to ('2030-02-01 00:00:00+00');

-- The locks of each call are read separately: a rollback to the savepoint releases the locks of the call.
select pg_temp.locks() as at_first \gset
savepoint nothing_held;
select ingest.drop_month('level_up', '2030-01-01') \g /dev/null
select pg_temp.locks() as by_drop \gset
rollback to nothing_held;
select ingest.ensure_partition('level_up', '2030-01-01') \g /dev/null
select pg_temp.locks() as by_nothing \gset
rollback to nothing_held;
select ingest.ensure_partition('level_up', '2030-02-01') \g /dev/null
select pg_temp.locks() as by_make \gset
rollback to nothing_held;
select ingest.hold_stream('receipt') \g /dev/null
select pg_temp.locks() as by_stream, ingest.holds_stream('receipt') as holds, ingest.holds_stream('event') as holds_other \gset
rollback to nothing_held;
select ingest.hold_erasures() \g /dev/null
select pg_temp.locks() as by_erasures \gset
rollback to nothing_held;

select is(:'at_first'::text, '', 'no lock is held at first');
select is(:'by_drop'::text,
  'ShareLock ' || ingest.lock_key('migrate'),
  'dropping a month takes the shared lock against migrations and grants');
select is(:'by_nothing'::text, '', 'an existing partition takes no lock');
select is(:'by_make'::text,
  format('ShareLock %s, ExclusiveLock %s', ingest.lock_key('migrate'), hashtextextended('gamebase-ingest partition level_up_2030_02', 0)),
  'creating a partition takes the shared lock and an exclusive lock of its name');
select is(:'by_stream'::text,
  'ExclusiveLock ' || ingest.lock_key('stream receipt'),
  'hold_stream takes the lock of the stream');
select is(:'by_erasures'::text,
  'ExclusiveLock ' || ingest.lock_key('erasures'),
  'hold_erasures takes the lock of failure reports');
select is(ingest.lock_key('migrate'),
  ('x' || substr(sha256('gamebase-ingest migrate')::text, 3, 16))::bit(64)::bigint,
  'a lock key is the first 64 bits of the name''s digest, as in the program');

select ok(:'holds', 'holds_stream is true for a stream whose lock is held');
select ok(not :'holds_other'::boolean, 'and false for another stream');
-- A shared lock keeps no load out.
select pg_advisory_xact_lock_shared(ingest.lock_key('stream event')) \g /dev/null
select ok(not ingest.holds_stream('event'), 'a shared lock does not hold a stream');
-- Locks with one key of 64 bits and with two keys of 32 bits never meet.
select pg_advisory_xact_lock((key >> 32)::int, (key << 32 >> 32)::int)
  from ingest.lock_key('stream event') key \g /dev/null
select ok(not ingest.holds_stream('event'), 'a lock with the halves of the key does not hold a stream');

-- A refresh in the way of a session by hand.
select throws_ok('select rollup.begin_refresh()', '55000', null,
  'a refresh at READ COMMITTED without the locks of the streams is refused');
select ingest.hold_stream(stream) from ingest.stream where stream <> 'event' \g /dev/null
select throws_ok('select rollup.begin_refresh()', '55000', null, 'all streams are needed');
select ingest.hold_stream('event') \g /dev/null
select lives_ok('select rollup.begin_refresh()', 'with all of them it may run');

select * from finish();
rollback;
