-- The owner owns the schemas and all objects in them, and runs migrations.
do $$
declare
  new_owner oid := (select oid from pg_catalog.pg_roles
    where rolname = pg_catalog.current_setting('gamebase_ingest.owner'));
  schemas oid[] := array(select oid from pg_catalog.pg_namespace
    where nspname in ('game', 'ingest', 'report', 'rollup', 'staging'));
  statement text;
begin
  -- Migrations create schemas, and the new owner of a table needs the CREATE right in the table's schema. Staging
  -- tables are temporary tables of the owner.
  execute pg_catalog.format('grant create, connect, temporary on database %I to %I',
    pg_catalog.current_database(), pg_catalog.current_setting('gamebase_ingest.owner'));
  -- Only objects with another owner are altered, because each ALTER takes a lock that waits for loads.
  for statement in
    select pg_catalog.format('alter schema %I owner to', nspname)
      from pg_catalog.pg_namespace where oid = any (schemas) and nspowner <> new_owner
    union all
    select pg_catalog.format('alter %s %s owner to',
        case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
          when 'c' then 'type' when 'f' then 'foreign table' else 'table' end, oid::regclass)
      from pg_catalog.pg_class c
      where relnamespace = any (schemas) and relowner <> new_owner
        and relkind in ('r', 'p', 'v', 'm', 'c', 'f', 'S')
        -- The sequence of a column changes its owner together with the table.
        and not (relkind = 'S' and exists (select from pg_catalog.pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select pg_catalog.format('alter type %s owner to', oid::regtype)
      from pg_catalog.pg_type
      where typnamespace = any (schemas) and typowner <> new_owner and typtype in ('d', 'e')
    union all
    select pg_catalog.format('alter routine %s owner to', oid::regprocedure)
      from pg_catalog.pg_proc
      where pronamespace = any (schemas) and proowner <> new_owner and prokind in ('f', 'p')
  loop
    execute pg_catalog.format('%s %I', statement, pg_catalog.current_setting('gamebase_ingest.owner'));
  end loop;
end
$$;
