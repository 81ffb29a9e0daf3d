-- Names what the session lacks. A superuser can grant; so can the administrator of a managed service, who owns the
-- database and the schemas, and is a member of the owner.
do $$
declare
  problem text;
begin
  select pg_catalog.format('only the owner of the database %s, %s, or a superuser can grant rights on it. Connect as one of '
        'them', datname, pg_catalog.pg_get_userbyid(datdba))
    into problem
    from pg_catalog.pg_database
    where datname = pg_catalog.current_database() and not pg_catalog.pg_has_role(datdba, 'usage');
  if problem is null then
    select pg_catalog.format('the schemas belong to %1$s. Connect as a member of %1$s, or as a superuser',
        pg_catalog.pg_get_userbyid(nspowner))
      into problem
      from pg_catalog.pg_namespace
      where nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
        and pg_catalog.pg_get_userbyid(nspowner) <> pg_catalog.current_setting('gamebase_ingest.owner')
        and not pg_catalog.pg_has_role(nspowner, 'usage')
      limit 1;
  end if;
  if problem is not null then
    raise exception '%. Nothing was changed', problem using errcode = 'RIGHT';
  end if;
end
$$;
