-- A run that was killed and one that still works look the same in the ledger, unless a run says that it is
-- alive.
alter table ingest.load add column seen_at timestamptz;
comment on column ingest.load.seen_at is
  'When the run was last heard of, by the server''s clock: renewed every 15 s once it has lasted 10 s; NULL for a shorter one.';
