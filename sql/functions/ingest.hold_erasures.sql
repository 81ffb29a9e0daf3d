-- A separate lock, because a load writes the failure report of a file after it has released the stream's lock.
create or replace function ingest.hold_erasures() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(ingest.lock_key('erasures'))
$$;
revoke execute on function ingest.hold_erasures from public;
comment on function ingest.hold_erasures is
  'Takes the lock against sessions that write refused lines of a failed file, and holds it until the transaction ends.';
