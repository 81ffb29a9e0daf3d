-- The failure report of a file is written after its load, and with it the lock of the stream, has ended.
create or replace function ingest.hold_erasures() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(ingest.lock_key('erasures'))
$$;
revoke execute on function ingest.hold_erasures from public;
comment on function ingest.hold_erasures is
  'Waits until no session writes the refused lines of a failed file, and keeps them off until the transaction ends.';
