-- Creates the missing roles, without passwords, and makes the caller a member of the owner. An existing role stays
-- unchanged.
do $$
declare
  kind text;
  role text;
begin
  foreach kind in array array['owner', 'loader', 'analyst', 'eraser', 'monitor'] loop
    role := current_setting('gamebase_ingest.' || kind);
    if exists (select from pg_roles where rolname = role) then
      continue;
    end if;
    if not exists (select from pg_roles where rolname = current_user and (rolcreaterole or rolsuper)) then
      raise exception 'the role % may not create roles. Connect as a role with CREATEROLE, or as a superuser. Nothing was changed',
        current_user using errcode = 'GI078';
    end if;
    -- The owner cannot log in; migrations use "set role". That rules out a session as the owner by mistake.
    begin
      execute format('create role %I %s nosuperuser nocreatedb nocreaterole noreplication nobypassrls', role,
        case kind when 'owner' then 'nologin' else 'login' end);
    exception when duplicate_object or unique_violation then
      -- Roles belong to the server. A concurrent run for another database has just created this one.
      continue;
    end;
    if kind in ('analyst', 'monitor') then
      -- These settings prevent mistakes, not attacks: a session can turn them off.
      execute format('alter role %I set default_transaction_read_only = on', role);
      execute format('alter role %I set statement_timeout = ''5min''', role);
      execute format('alter role %I set idle_in_transaction_session_timeout = ''10min''', role);
    end if;
    if kind = 'analyst' then
      -- Dashboards read rollups, whose pages lie in memory in the order of the keys. So an index spares the sort of some
      -- 10,000 rows, and a sort needs no disk.
      execute format('alter role %I set random_page_cost = 1.1', role);
      execute format('alter role %I set work_mem = ''16MB''', role);
    end if;
  end loop;

  -- An administrator without superuser can give the owner its objects only as a member of it. Since PostgreSQL 16, the
  -- creator of a role has the right to grant it, but is not such a member.
  role := current_setting('gamebase_ingest.owner');
  if current_setting('server_version_num')::integer < 160000 then
    if not pg_has_role(role, 'usage') then
      execute format('grant %I to current_user', role);
    end if;
  elsif not (pg_has_role(role, 'usage') and pg_has_role(role, 'set')) then
    execute format('grant %I to current_user with inherit true, set true', role);
  end if;
end
$$;
