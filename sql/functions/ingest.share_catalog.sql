-- Grants and migrations change the same catalog rows as creating or dropping a partition, and as giving a table new
-- files. Of two concurrent changes PostgreSQL lets the later one fail.
create or replace function ingest.share_catalog() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock_shared(ingest.lock_key('migrate'))
$$;
comment on function ingest.share_catalog is
  'Takes the shared lock against grants and migrations, and holds it until the transaction ends.';
