-- The monitor role reads the views that tell whether the reports can be trusted, and nothing else. They show no fact and
-- no user, and run with the rights of their owner.
grant usage on schema report to :"monitor";
grant select on report.health, report.open_failure, report.setting, report.freshness, report.load_history to :"monitor";

-- report.load_history counts the rows of files that no refresh has seen with the rights of its reader. A name without a
-- function is skipped.
select pg_catalog.set_config('gamebase_ingest.monitor', :'monitor', true);

do $$
declare
  statement text;
begin
  for statement in
    select pg_catalog.format('grant execute on function %s to %I', p.oid::pg_catalog.regprocedure,
        pg_catalog.current_setting('gamebase_ingest.monitor'))
      from pg_catalog.pg_proc p
      where p.pronamespace = 'rollup'::pg_catalog.regnamespace and p.proname = 'pending_counts'
  loop
    execute statement;
  end loop;
end
$$;
