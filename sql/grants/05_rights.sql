-- Names what the session lacks. A superuser can grant; so can the administrator of a managed service, who owns the
-- database and the schemas, and is a member of the owner.
do $$
declare
  problem text;
begin
  for problem in
    select format('only the owner of the database %s, %s, or a superuser can grant rights on it. Connect as one of them',
        datname, pg_get_userbyid(datdba))
      from pg_database where datname = current_database() and not pg_has_role(datdba, 'usage')
    union all
    select format('the schemas belong to %1$s. Connect as a member of %1$s, or as a superuser', pg_get_userbyid(nspowner))
      from pg_namespace
      where nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
        and pg_get_userbyid(nspowner) <> current_setting('gamebase_ingest.owner') and not pg_has_role(nspowner, 'usage')
  loop
    raise exception '%. Nothing was changed', problem using errcode = 'GI078';
  end loop;
end
$$;
