-- An older version of sql/grants let the analyst role read every new table of schema report, and not only its views.
do $$
declare
  default_right record;
  rollup regclass;
begin
  for default_right in
    select distinct d.defaclrole::regrole as creator,
        case a.grantee when 0 then 'public' else a.grantee::regrole::text end as reader
      from pg_catalog.pg_default_acl d, pg_catalog.aclexplode(d.defaclacl) a
      where d.defaclnamespace = 'report'::regnamespace and d.defaclobjtype = 'r' and a.grantee <> d.defaclrole
        and pg_catalog.pg_has_role(d.defaclrole, 'member')
  loop
    execute pg_catalog.format('alter default privileges for role %s in schema report revoke all on tables from %s',
      default_right.creator, default_right.reader);
    for rollup in
      select c.oid from pg_catalog.pg_class c
        where c.relnamespace = 'report'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'refresh_state'
    loop
      execute pg_catalog.format('revoke all on %s from %s', rollup, default_right.reader);
    end loop;
  end loop;
end
$$;
