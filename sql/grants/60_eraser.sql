-- The eraser: counts and erases one user's traces, by the functions made for that. It reads no table.
select pg_catalog.set_config('gamebase_ingest.eraser', :'eraser', true);

do $$
declare
  statement text;
begin
  -- By name; one that this database does not have is passed over.
  for statement in
    select pg_catalog.format('grant execute on function %s to %I', p.oid::pg_catalog.regprocedure,
        pg_catalog.current_setting('gamebase_ingest.eraser'))
      from pg_catalog.pg_proc p
      where p.pronamespace = 'ingest'::pg_catalog.regnamespace
        and p.proname in ('count_user_traces', 'erase_user', 'forget_statistics')
  loop
    execute statement;
  end loop;
end
$$;

grant usage on schema ingest to :"eraser";
