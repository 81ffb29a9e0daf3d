-- Grants and migrations change rows of the catalog that making or dropping a month changes too, and
-- PostgreSQL fails the later of two such changes.
create or replace function ingest.share_catalog() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock_shared(ingest.lock_key('migrate'))
$$;
revoke execute on function ingest.share_catalog from public;
comment on function ingest.share_catalog is
  'Waits until no grant and no migration is under way, and keeps them off until the transaction ends.';
