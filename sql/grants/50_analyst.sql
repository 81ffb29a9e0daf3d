-- The analyst role reads the views of schema report and the reference tables, and nothing else. The views run with the
-- rights of their owner, except for the functions that they call. Tools such as dbt keep intermediate results in temporary
-- tables.
grant usage on schema report, game to :"analyst";

do $$
declare
  statement text;
begin
  execute pg_catalog.format('grant temporary on database %I to %I', pg_catalog.current_database(),
    pg_catalog.current_setting('gamebase_ingest.analyst'));
  for statement in
    -- The views; the tables behind them stay closed.
    select pg_catalog.format('grant select on report.%I to %I', c.relname,
        pg_catalog.current_setting('gamebase_ingest.analyst'))
      from pg_catalog.pg_class c
      where c.relnamespace = 'report'::pg_catalog.regnamespace and c.relkind in ('v', 'm')
    union all
    -- In a cluster the servers read distributed facts with the rights of the views' reader, so it needs the columns that
    -- the views show, and no other.
    select pg_catalog.format('grant select (%s) on game.%I to %I',
        pg_catalog.string_agg(distinct pg_catalog.quote_ident(a.attname), ', '), s.target_table,
        pg_catalog.current_setting('gamebase_ingest.analyst'))
      from ingest.stream s
      join pg_catalog.pg_attribute a on a.attrelid = pg_catalog.format('game.%I', s.target_table)::pg_catalog.regclass
      join pg_catalog.pg_depend d on d.refobjid = a.attrelid and d.refobjsubid = a.attnum
        and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
      join pg_catalog.pg_rewrite r on r.oid = d.objid
      join pg_catalog.pg_class v on v.oid = r.ev_class and v.relnamespace = 'report'::pg_catalog.regnamespace
      where ingest.is_distributed(s.stream)
      group by s.target_table
    union all
    -- Every table of schema game but those of the streams.
    select pg_catalog.format('grant select on game.%I to %I', c.relname,
        pg_catalog.current_setting('gamebase_ingest.analyst'))
      from pg_catalog.pg_class c
      where c.relnamespace = 'game'::pg_catalog.regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from ingest.stream s where s.target_table = c.relname)
    union all
    -- The functions that views call, with the rights of the views' reader. No other function of theirs is open.
    select pg_catalog.format('grant execute on function %s to %I', p.oid::pg_catalog.regprocedure,
        pg_catalog.current_setting('gamebase_ingest.analyst'))
      from pg_catalog.pg_proc p
      where p.pronamespace = 'rollup'::pg_catalog.regnamespace
        and exists (select from pg_catalog.pg_depend d join pg_catalog.pg_rewrite r on r.oid = d.objid
          where d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
            and d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.refobjid = p.oid)
  loop
    execute statement;
  end loop;
end
$$;
