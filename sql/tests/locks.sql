-- The locks that functions hold until the end of the transaction.
begin;
select plan(13);

create function pg_temp.locks() returns text language sql as $$
  select coalesce(
      string_agg(mode || ' ' || (objid::bigint | (classid::bigint << 32)), ', ' order by mode desc), '')
    from pg_catalog.pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
$$;
-- The locks after a statement, whose subtransaction ends and releases them.
create function pg_temp.locks_of(p_statement text) returns text language plpgsql as $$
declare
  found text;
begin
  execute p_statement;
  found := pg_temp.locks();
  raise exception using errcode = 'TAKEN';
exception when sqlstate 'TAKEN' then
  return found;
end
$$;
create table game.level_up_2030_01 partition of game.level_up for values
  from ('2030-01-01 00:00:00+00') to ('2030-02-01 00:00:00+00');

select is(pg_temp.locks(), '', 'no lock is held at first');
select is(pg_temp.locks_of($$ select ingest.drop_month('level_up', '2030-01-01') $$),
  'ShareLock ' || ingest.lock_key('migrate'), 'dropping a month takes the shared lock against migrations and grants');
select is(pg_temp.locks_of($$ select ingest.ensure_partition('level_up', '2030-01-01') $$), '',
  'an existing partition takes no lock');
select is(pg_temp.locks_of($$ select ingest.ensure_partition('level_up', '2030-02-01') $$),
  format('ShareLock %s, ExclusiveLock %s', ingest.lock_key('migrate'),
    hashtextextended('gamebase-ingest partition level_up_2030_02', 0)),
  'creating a partition takes the shared lock and an exclusive lock of its name');
select ingest.hold_stream('receipt') \g /dev/null
select is(pg_temp.locks(), 'ExclusiveLock ' || ingest.lock_key('stream receipt'),
  'hold_stream takes the lock of the stream');
select ok(ingest.holds_stream('receipt'), 'holds_stream is true for a stream whose lock is held');
select ok(not ingest.holds_stream('event'), 'and false for another stream');
select is(ingest.lock_key('migrate'),
  ('x' || substr(sha256('gamebase-ingest migrate')::text, 3, 16))::bit(64)::bigint,
  'a lock key is the first 64 bits of the name''s digest, as in the program');

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
