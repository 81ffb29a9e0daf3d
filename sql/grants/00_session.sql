-- The names of the roles are settings of the transaction, because a name could end the text of a DO block. Objects of the
-- session's schemas never take the place of those of PostgreSQL.
set local search_path = pg_catalog, pg_temp;
select set_config('gamebase_ingest.owner', :'owner', true), set_config('gamebase_ingest.loader', :'loader', true),
  set_config('gamebase_ingest.analyst', :'analyst', true), set_config('gamebase_ingest.eraser', :'eraser', true),
  set_config('gamebase_ingest.monitor', :'monitor', true);
-- On a cluster Citus copies the coordinator's attributes of a role to the workers when a database first uses it. The
-- owner may log in on the workers only (docs/scale.md), so that would end the loads of the other databases. On one
-- server the setting has no meaning.
set local citus.enable_alter_role_propagation = off;
