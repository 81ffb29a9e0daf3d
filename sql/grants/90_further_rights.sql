-- Refuses a role whose attributes or memberships exceed these grants, and lists the rights of the analyst and the
-- monitor that an administrator gave: those stay.
do $$
declare
  names constant text[] := array(select current_setting('gamebase_ingest.' || kind)
    from unnest('{owner, loader, analyst, eraser, monitor}'::text[]) kind);
  owner constant text := current_setting('gamebase_ingest.owner');
  further text;
begin
  select format('%s %s', r.rolname, case when r.rolsuper then 'is a superuser'
        when more.oid is not null then 'is a member of ' || more.rolname
        when r.rolcreaterole then 'may make itself a member of others (CREATEROLE)'
        else 'may copy the whole server (REPLICATION)' end)
    into further
    from pg_roles r left join pg_roles more
      on not r.rolsuper and r.oid <> more.oid and pg_has_role(r.oid, more.oid, 'member')
        and (more.rolname = any (names) or more.rolname in ('pg_read_all_data', 'pg_write_all_data',
            'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
          or more.rolsuper or r.rolname <> owner and (more.rolcreaterole or more.rolreplication))
    where r.rolname = any (names) and (r.rolsuper or more.oid is not null
      or r.rolname <> owner and (r.rolcreaterole or r.rolreplication))
    order by 1
    limit 1;
  if further is not null then
    raise exception 'the role %, which exceeds its grants; revoke that, or use another role. Nothing was changed', further
      using errcode = 'GI078';
  end if;
  for further in
    select format('%s: %s on %s', pg_get_userbyid(a.grantee),
        string_agg(a.privilege_type, ', ' order by a.privilege_type), o.name)
      from (
        select c.relacl as acl, c.oid::regclass::text as name,
            n.nspname = 'report' or n.nspname = 'game' and not c.relispartition
              and c.relname not in (select target_table from ingest.stream) as is_read
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
        union all
        select nspacl, 'schema ' || nspname, nspname in ('game', 'report') from pg_namespace
          where nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
      ) o
      cross join aclexplode(o.acl) a
      where pg_get_userbyid(a.grantee) in (current_setting('gamebase_ingest.analyst'), current_setting('gamebase_ingest.monitor'))
        and not (o.is_read and a.privilege_type in ('SELECT', 'USAGE'))
      group by a.grantee, o.name
      order by 1
  loop
    -- The program shows notices of this code.
    raise notice 'kept, though not granted here: %', further using errcode = 'NOTED';
  end loop;
end
$$;
