-- The owner owns the schemas and all objects in them, and runs migrations.
do $$
declare
  owner constant text := current_setting('gamebase_ingest.owner');
  new_owner constant oid := (select oid from pg_roles where rolname = owner);
  schemas constant oid[] := array(select oid from pg_namespace
    where nspname in ('game', 'ingest', 'report', 'rollup', 'staging'));
  statement text;
begin
  -- Migrations create schemas, and the new owner of a table needs the CREATE right in the table's schema. Staging
  -- tables are temporary tables of the owner.
  execute format('grant create, connect, temporary on database %I to %I', current_database(), owner);
  -- Only objects with another owner are altered, because each ALTER takes a lock that waits for loads.
  for statement in
    select format('schema %I', nspname) from pg_namespace where oid = any (schemas) and nspowner <> new_owner
    union all
    -- ALTER TABLE takes any relation but a composite type. The sequence of a column changes its owner with the table.
    select format('%s %s', case relkind when 'c' then 'type' else 'table' end, oid::regclass)
      from pg_class c
      where relnamespace = any (schemas) and relowner <> new_owner and relkind in ('r', 'p', 'v', 'm', 'c', 'f', 'S')
        and not (relkind = 'S' and exists (select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select format('type %s', oid::regtype) from pg_type
      where typnamespace = any (schemas) and typowner <> new_owner and typtype in ('d', 'e')
    union all
    select format('routine %s', oid::regprocedure) from pg_proc
      where pronamespace = any (schemas) and proowner <> new_owner and prokind in ('f', 'p')
  loop
    execute format('alter %s owner to %I', statement, owner);
  end loop;
end
$$;
