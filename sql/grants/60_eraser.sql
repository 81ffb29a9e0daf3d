-- The eraser role counts and erases the traces of one user through functions. It can read no table with facts or figures;
-- its program gets the rows of an erased user that the reports counted, and sends what the sums lose.
do $$
declare
  statement text;
begin
  -- A name without a function is skipped.
  for statement in
    select pg_catalog.format('grant execute on function %s to %I', p.oid::pg_catalog.regprocedure,
        pg_catalog.current_setting('gamebase_ingest.eraser'))
      from pg_catalog.pg_proc p
      where p.pronamespace = 'ingest'::pg_catalog.regnamespace
        and p.proname in ('count_user_traces', 'empty_month', 'erase_user', 'forget_statistics')
        or p.pronamespace = 'rollup'::pg_catalog.regnamespace and p.proname in ('open_player_rows', 'finish_erasure')
  loop
    execute statement;
  end loop;
end
$$;

grant usage on schema ingest, rollup to :"eraser";
grant select on rollup.calendar_period, rollup.cohort_step, rollup.mrr_factor to :"eraser";
