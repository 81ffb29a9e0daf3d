-- The loader: adds rows. It deletes, truncates, creates and drops nothing; what a load has to take
-- away goes through functions that run as the owner.
select pg_catalog.set_config('gamebase_ingest.loader', :'loader', true);

grant usage on schema game, ingest, staging to :"loader";

-- Facts, and those of streams and months to come.
grant select, insert on all tables in schema game to :"loader";
alter default privileges for role :"owner" in schema game grant select, insert on tables to :"loader";

-- Rows on their way; the merge reads and empties them as the owner.
grant insert on all tables in schema staging to :"loader";
grant execute on all functions in schema staging to :"loader";
alter default privileges for role :"owner" in schema staging grant insert on tables to :"loader";
alter default privileges for role :"owner" in schema staging grant execute on functions to :"loader";

-- The ledger.
grant select on all tables in schema ingest to :"loader";
alter default privileges for role :"owner" in schema ingest grant select on tables to :"loader";
grant insert on ingest.load, ingest.source_file, ingest.failed_file, ingest.failed_reject,
  ingest.reject, ingest.unknown_field to :"loader";
grant update (finished_at, exit_code) on ingest.load to :"loader";
grant update (inserted_count, filled_count, duplicate_count, conflict_count, rejected_count,
  suppressed_count) on ingest.source_file to :"loader";
grant update (resolved_at) on ingest.reject to :"loader";
grant usage on sequence ingest.source_file_source_file_id_seq to :"loader";

do $$
declare
  statement text;
begin
  -- What no stream is loaded into is reference, and a migration's.
  for statement in
    select pg_catalog.format('revoke insert on %s from %I', c.oid::pg_catalog.regclass,
        pg_catalog.current_setting('gamebase_ingest.loader'))
      from pg_catalog.pg_class c
      where c.relnamespace = 'game'::pg_catalog.regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname not in (select target_table from ingest.stream)
    union all
    -- A token that is stored goes in and does not come out: of such a table all other columns.
    select pg_catalog.format('revoke select on game.%1$I from %2$I; grant select (%3$s) on game.%1$I to %2$I',
        s.target_table, pg_catalog.current_setting('gamebase_ingest.loader'),
        (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ')
          from pg_catalog.pg_attribute a
          where a.attrelid = pg_catalog.format('game.%I', s.target_table)::pg_catalog.regclass
            and a.attnum > 0 and not a.attisdropped and a.attname <> all (s.secret_columns)))
      from ingest.stream s where s.secret_columns <> '{}'
    union all
    -- Those of schema ingest by name, for some are not the loader's; one that this database does not
    -- have is passed over.
    select pg_catalog.format('grant execute on function %s to %I', p.oid::pg_catalog.regprocedure,
        pg_catalog.current_setting('gamebase_ingest.loader'))
      from pg_catalog.pg_proc p
      where p.pronamespace = 'ingest'::pg_catalog.regnamespace
        and p.proname in ('ensure_partition', 'clear_failures', 'suppress_rejects',
          -- At the end of a load.
          'analyze_if_grown', 'summarize_new_pages',
          -- These only look, with the caller's own rights.
          'month_partitions', 'natural_key_array', 'natural_key_condition', 'find_row', 'find_line')
  loop
    execute statement;
  end loop;
end
$$;
