-- Advisory locks are named by 64 bits: the first of a name's digest, far from anybody's small numbers.
-- Each ends with its transaction.
create or replace function ingest.lock_key(p_name text) returns bigint
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select ('x' || left(encode(sha256(convert_to('gamebase-ingest ' || p_name, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
revoke execute on function ingest.lock_key from public;
comment on function ingest.lock_key is
  'The key of the advisory lock of a name.';
