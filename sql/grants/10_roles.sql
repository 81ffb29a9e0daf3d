-- Makes the roles that are not there yet, without passwords; a role that is there stays as it is.
-- Values come as settings: psql puts no variable into a block.
select pg_catalog.set_config('gamebase_ingest.owner', :'owner', true),
  pg_catalog.set_config('gamebase_ingest.loader', :'loader', true),
  pg_catalog.set_config('gamebase_ingest.analyst', :'analyst', true),
  pg_catalog.set_config('gamebase_ingest.eraser', :'eraser', true);

do $$
declare
  kind text;
  role text;
begin
  foreach kind in array array['owner', 'loader', 'analyst', 'eraser'] loop
    role := pg_catalog.current_setting('gamebase_ingest.' || kind);
    if exists (select from pg_catalog.pg_roles where rolname = role) then
      continue;
    end if;
    -- Nobody logs in as the owner by mistake: migrations take its part by "set role".
    begin
      execute pg_catalog.format(
        'create role %I %s nosuperuser nocreatedb nocreaterole noreplication nobypassrls', role,
        case kind when 'owner' then 'nologin' else 'login' end);
    exception when duplicate_object or unique_violation then
      -- Roles are the server's: a grant of another database has just made it.
      continue;
    end;
    if kind = 'analyst' then
      -- Against slips, not against malice: who logs in can turn these off.
      execute pg_catalog.format('alter role %I set default_transaction_read_only = on', role);
      execute pg_catalog.format('alter role %I set statement_timeout = ''5min''', role);
      execute pg_catalog.format('alter role %I set idle_in_transaction_session_timeout = ''10min''', role);
    end if;
  end loop;
end
$$;
