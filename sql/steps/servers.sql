-- Sentences on the servers of a Citus cluster, to the owner of the schemas: the coordinator's settings, and what each
-- worker answers.
with answer as (
  select 'the coordinator' as server, true as success,
      concat_ws(' ', current_setting('wal_level'), current_setting('max_prepared_transactions')) as settings
  union all
  select format('worker %s:%s', nodename, nodeport), success, result from run_command_on_workers(
    $$ select concat_ws(' ', current_setting('wal_level'), current_setting('max_prepared_transactions')) $$)
)
select 'the cluster has no active worker: run citus_add_node for each' where (select count(*) from answer) = 1
union all
select format('%1$s does not let the coordinator in as %2$I: on that server run set '
    'citus.enable_alter_role_propagation = off; alter role %2$I login, and let the coordinator in by its pg_hba.conf',
    server, current_user)
  from answer where not success
union all
select server || ' has no wal_level = logical, which moves of shards need'
  from answer where success and settings not like 'logical %'
union all
select server || ' has max_prepared_transactions = 0: set at least twice its max_connections'
  from answer where success and settings like '% 0'
union all
select format('%1$I cannot finish commits that a crash interrupted: as a superuser run grant execute on function '
    'pg_catalog.recover_prepared_transactions() to %1$I', current_user)
  where not has_function_privilege('pg_catalog.recover_prepared_transactions()', 'execute')
