-- Advisory locks are named by 64 bits: the first of a name's digest, far from anybody's small numbers.
-- Each ends with its transaction.
create or replace function ingest.lock_key(p_name text) returns bigint
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select ('x' || left(encode(sha256(convert_to('gamebase-ingest ' || p_name, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
revoke execute on function ingest.lock_key(text) from public;
comment on function ingest.lock_key(text) is 'The key of the advisory lock of a name.';

create or replace function ingest.hold_stream(p_stream text) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(ingest.lock_key('stream ' || p_stream))
$$;
revoke execute on function ingest.hold_stream(text) from public;
comment on function ingest.hold_stream(text) is
  'Waits until no load, replay or undo has the stream, and keeps them off until the transaction ends.';

-- The story of a failed file is written when its load, and with it the lock of the stream, is over.
create or replace function ingest.hold_erasures() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(ingest.lock_key('erasures'))
$$;
revoke execute on function ingest.hold_erasures() from public;
comment on function ingest.hold_erasures() is
  'Waits until no session writes the refused lines of a failed file, and keeps them off until the transaction ends.';

-- Grants and migrations change rows of the catalog that making or dropping a month changes too, and
-- PostgreSQL fails the later of two such changes.
create or replace function ingest.share_catalog() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock_shared(ingest.lock_key('migrate'))
$$;
revoke execute on function ingest.share_catalog() from public;
comment on function ingest.share_catalog() is
  'Waits until no grant and no migration is under way, and keeps them off until the transaction ends.';
