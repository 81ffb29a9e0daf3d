create or replace function ingest.hold_stream(p_stream text) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(ingest.lock_key('stream ' || p_stream))
$$;
comment on function ingest.hold_stream is
  'Takes the stream''s lock against loads, replays and undos, and holds it until the transaction ends.';
