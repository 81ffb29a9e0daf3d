create or replace function ingest.holds_stream(p_stream text) returns boolean
language sql
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select 1
      from pg_catalog.pg_locks l
      where l.pid = pg_backend_pid() and l.locktype = 'advisory' and l.granted and l.mode = 'ExclusiveLock'
        -- A key of 64 bits is shown as two halves.
        and l.objsubid = 1 and (l.classid::bigint << 32) | l.objid::bigint = ingest.lock_key('stream ' || p_stream))
$$;
comment on function ingest.holds_stream is
  'True when this transaction holds the stream''s lock against loads, replays and undos.';
