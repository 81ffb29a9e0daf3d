-- On a cluster Citus copies the coordinator's attributes of a role to the workers when a database first uses it. The
-- owner may log in on the workers only (docs/scale.md), so that would end the loads of the other databases. On one server
-- the setting has no meaning.
set local citus.enable_alter_role_propagation = off;
