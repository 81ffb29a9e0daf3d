-- A schema of the analyst role's own, for tables and views that tools such as dbt build from the reports. Only with the option
-- --analyst-schema. The role may write there, so its sessions in this database are no longer read-only by default.
select set_config('gamebase_ingest.schema', :'schema', true);

do $$
declare
  role constant text := current_setting('gamebase_ingest.analyst');
  name constant text := current_setting('gamebase_ingest.schema');
begin
  if not exists (select from pg_namespace where nspname = name) then
    execute format('create schema %I', name);
    execute format('comment on schema %I is %L', name,
      'Tables and views that analysts build from the reports. Owned by no migration.');
  end if;
  execute format('grant usage, create on schema %I to %I', name, role);
  execute format('alter role %I in database %I set default_transaction_read_only = off', role, current_database());
end
$$;
