-- The analyst role reads the views of schema report and the reference tables, and nothing else. The views run with the
-- rights of their owner, except for the functions that they call. Tools such as dbt keep intermediate results in temporary
-- tables.
grant usage on schema report, game to :"analyst";
do $$
declare
  statement text;
begin
  for statement in
    select format('grant temporary on database %I', current_database())
    union all
    -- The views; the tables behind them stay closed.
    select format('grant select on report.%I', relname) from pg_class
      where relnamespace = 'report'::regnamespace and relkind in ('v', 'm')
    union all
    -- In a cluster the servers read distributed facts with the rights of the views' reader, so it needs the columns that
    -- the views show, and no other.
    select format('grant select (%s) on game.%I', string_agg(distinct quote_ident(a.attname), ', '), s.target_table)
      from ingest.stream s
      join pg_attribute a on a.attrelid = format('game.%I', s.target_table)::regclass
      join pg_depend d on d.refobjid = a.attrelid and d.refobjsubid = a.attnum and d.classid = 'pg_rewrite'::regclass
      join pg_rewrite r on r.oid = d.objid
      join pg_class v on v.oid = r.ev_class and v.relnamespace = 'report'::regnamespace
      where ingest.is_distributed(s.stream)
      group by s.target_table
    union all
    -- Every table of schema game but those of the streams.
    select format('grant select on game.%I', relname) from pg_class
      where relnamespace = 'game'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in (select target_table from ingest.stream)
    union all
    -- The functions that views call, with the rights of the views' reader. No other function of theirs is open.
    select distinct format('grant execute on function %s', p.oid::regprocedure)
      from pg_proc p
      join pg_depend d on d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid and d.classid = 'pg_rewrite'::regclass
      where p.pronamespace = 'rollup'::regnamespace
  loop
    execute format('%s to %I', statement, current_setting('gamebase_ingest.analyst'));
  end loop;
end
$$;
