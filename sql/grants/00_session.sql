-- The names of the roles, for the files after this one: psql substitutes no variables inside a DO block, so the names
-- are settings of the transaction.
select pg_catalog.set_config('gamebase_ingest.owner', :'owner', true),
  pg_catalog.set_config('gamebase_ingest.loader', :'loader', true),
  pg_catalog.set_config('gamebase_ingest.analyst', :'analyst', true),
  pg_catalog.set_config('gamebase_ingest.eraser', :'eraser', true),
  pg_catalog.set_config('gamebase_ingest.monitor', :'monitor', true);
-- On a cluster Citus copies the coordinator's attributes of a role to the workers when a database first uses it. The
-- owner may log in on the workers only (docs/scale.md), so that would end the loads of the other databases. On one
-- server the setting has no meaning.
set local citus.enable_alter_role_propagation = off;
