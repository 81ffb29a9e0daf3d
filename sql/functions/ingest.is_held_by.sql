-- An xid is the lower half of a number of 64 bits: modulo 2^32 it precedes the 2^31 numbers after it.
create or replace function ingest.is_held_by(p_transaction xid8, p_oldest xid) returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select (p_transaction::text::bigint - p_oldest::text::bigint) & 4294967295 < 2147483648
$$;
revoke execute on function ingest.is_held_by from public;
comment on function ingest.is_held_by is
  'True when a snapshot, whose oldest running transaction is given, still sees the rows that a transaction has deleted. Part of ingest.row_holders.';
