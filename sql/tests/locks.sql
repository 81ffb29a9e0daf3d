-- The locks that functions hold until the end of the transaction.
begin;
select plan(8);

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
select is(ingest.lock_key('migrate'),
  ('x' || substr(sha256('gamebase-ingest migrate')::text, 3, 16))::bit(64)::bigint,
  'a lock key is the first 64 bits of the name''s digest, as in the program');

-- A refresh at READ COMMITTED takes the locks itself, because those of the session can be given back.
select pg_advisory_lock(ingest.lock_key('stream ' || stream)) from ingest.stream \g /dev/null
select lives_ok('select rollup.begin_refresh()', 'a session by hand may refresh');
select pg_advisory_unlock_all() \g /dev/null
select is((select count(*) from ingest.stream
    where pg_temp.locks() ~ ('ExclusiveLock ' || ingest.lock_key('stream ' || stream) || '(,|$)')), 5::bigint,
  'a refresh at READ COMMITTED keeps the streams to its end');

select * from finish();
rollback;
