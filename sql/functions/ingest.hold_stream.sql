create or replace function ingest.hold_stream(p_stream text) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(ingest.lock_key('stream ' || p_stream))
$$;
revoke execute on function ingest.hold_stream from public;
comment on function ingest.hold_stream is
  'Waits until no load, replay or undo has the stream, and keeps them off until the transaction ends.';
