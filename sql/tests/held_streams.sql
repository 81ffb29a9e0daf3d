-- ingest.holds_stream in a session beside the one that holds the lock. The other session finds the database by the
-- variable that tests with a database of their own have.
select plan(3);

begin;
select ingest.hold_stream('event') \g /dev/null
\set said `psql --no-psqlrc --tuples-only --no-align --dbname="$SQL_TEST_DATABASE" --command="select ingest.holds_stream('event')"`
select is(:'said'::text, 'f', 'a stream that another session holds is not held by this one');
select ok(ingest.holds_stream('event'), 'a stream is held by the session that took its lock');
commit;

-- A refresh at READ COMMITTED, under locks that the session can give back.
begin;
select pg_advisory_lock(ingest.lock_key('stream ' || stream)) from ingest.stream \g /dev/null
select rollup.begin_refresh() \g /dev/null
select pg_advisory_unlock_all() \g /dev/null
select bool_and(ingest.holds_stream(stream)) as is_held from ingest.stream \gset
rollback;
-- A test in the transaction would lose its number with it.
select ok(:'is_held', 'a refresh keeps the streams to its end');

select * from finish();
