-- The key of an advisory lock has 64 bits. The first 64 bits of a SHA-256 do not collide with the small numbers that
-- other programs use. All these locks end with their transaction.
create or replace function ingest.lock_key(p_name text) returns bigint
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select ('x' || left(encode(sha256(convert_to('gamebase-ingest ' || p_name, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
comment on function ingest.lock_key is
  'The 64-bit key of the advisory lock with a name.';
