-- The loader role inserts runs, failures, and rows of files that its transaction has opened in the ledger. It updates
-- the end and the heartbeat of a run, and has no other right to update, delete, truncate, create or drop. Functions that
-- run as the owner do all other changes of a load; those that change facts require an open file. The loader refreshes
-- the reports, but reads only how recent they are, and their health.
grant usage on schema game, ingest, report, rollup, staging to :"loader";

-- Fact and reference tables, also those of later streams and months.
grant select on all tables in schema game to :"loader";
alter default privileges for role :"owner" in schema game grant select on tables to :"loader";

-- The ledger.
grant select on all tables in schema ingest to :"loader";
alter default privileges for role :"owner" in schema ingest grant select on tables to :"loader";
grant insert on ingest.load, ingest.failed_file, ingest.failed_reject, ingest.unknown_field, ingest.known_field
  to :"loader";
-- All columns except those of a resolution, which only ingest.resolve_rejects sets.
grant insert (source_file_id, stream, line_number, byte_offset, code, field, reason, raw, raw_byte_count,
  user_id, app_id) on ingest.reject to :"loader";
grant update (finished_at, exit_code, seen_at) on ingest.load to :"loader";

-- A refresh locks this table. It has no row that the right to update could change.
grant update on rollup.refresh_lock to :"loader";
grant select on rollup.refresh_state, rollup.pending_file to :"loader";
-- The program computes the figures of a player with these days, steps and factors.
grant select on rollup.calendar_period, rollup.cohort_step, rollup.mrr_factor to :"loader";
-- The views on the state of the reports show no fact.
grant select on report.health, report.open_failure, report.setting to :"loader";

do $$
declare
  statement text;
begin
  for statement in
    -- On the parent table only: an insert directly into a partition would bypass the parent's trigger. A distributed
    -- table has no trigger, and takes rows only from functions of the owner.
    select pg_catalog.format('grant insert on game.%I to %I', s.target_table,
        pg_catalog.current_setting('gamebase_ingest.loader'))
      from ingest.stream s where not ingest.is_distributed(s.stream)
    union all
    -- The loader can insert a purchase token but not read one, so it gets SELECT on the other columns only.
    select pg_catalog.format('revoke select on game.%1$I from %2$I; grant select (%3$s) on game.%1$I to %2$I',
        s.target_table, pg_catalog.current_setting('gamebase_ingest.loader'),
        (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ')
          from pg_catalog.pg_attribute a
          where a.attrelid = pg_catalog.format('game.%I', s.target_table)::pg_catalog.regclass
            and a.attnum > 0 and not a.attisdropped and a.attname <> all (s.secret_columns)))
      from ingest.stream s where s.secret_columns <> '{}'
    union all
    -- Functions by name, because the loader may not call all of them. A name without a function is skipped.
    select pg_catalog.format('grant execute on function %s to %I', p.oid::pg_catalog.regprocedure,
        pg_catalog.current_setting('gamebase_ingest.loader'))
      from pg_catalog.pg_proc p
      where p.pronamespace = 'staging'::pg_catalog.regnamespace and p.proname in ('begin_rows', 'open', 'insert_rows', 'merge')
        or p.pronamespace = 'ingest'::pg_catalog.regnamespace
        and p.proname in ('open_files', 'close_files', 'reopen_file', 'resolve_rejects', 'count_replayed',
          'count_embedded', 'record_apps', 'record_met_files',
          'ensure_partition', 'clear_failures',
          -- Called at the end of a load.
          'analyze_if_grown',
          -- These only read, with the rights of the caller.
          'month_partitions', 'month_size', 'is_distributed', 'recover_commits', 'key_condition', 'natural_key_array',
          'find_line', 'files_called', 'trace_line', 'trace_row', 'new_fields', 'vanished_fields', 'acceptable_fields', 'accepted_changes')
        -- A refresh: its steps run as the owner, and add to the reports what the loader computes in between.
        or p.pronamespace = 'rollup'::pg_catalog.regnamespace
        and p.proname in ('begin_refresh', 'open_player_rows', 'apply_players', 'finish_refresh')
  loop
    execute statement;
  end loop;
end
$$;
