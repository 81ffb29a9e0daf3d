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
-- The program computes the figures of a player with these days and steps.
grant select on rollup.calendar_period, rollup.cohort_step to :"loader";
-- The views on the state of the reports show no fact.
grant select on report.health, report.open_failure, report.setting to :"loader";

-- Functions by name, because the loader may not call all of them. The last rows only read, with the rights of the caller.
grant execute on function staging.begin_rows, staging.open, staging.insert_rows, staging.merge, ingest.open_files,
  ingest.close_files, ingest.reopen_file, ingest.resolve_rejects, ingest.count_rows, ingest.record_apps,
  ingest.record_met_files, ingest.ensure_partition, ingest.clear_failures, ingest.analyze_if_grown, ingest.recover_commits,
  -- A refresh: its steps run as the owner, and add to the reports what the loader computes in between.
  rollup.begin_refresh, rollup.open_player_rows, rollup.apply_players, rollup.finish_refresh,
  ingest.month_partitions, ingest.month_size, ingest.is_distributed, ingest.key_condition, ingest.natural_key_array,
  ingest.files_called, ingest.trace_line, ingest.trace_row, ingest.found_fields,
  ingest.acceptable_fields, ingest.accepted_changes to :"loader";
do $$
declare
  statement text;
begin
  for statement in
    -- On the parent table only: an insert directly into a partition would bypass the parent's trigger. A distributed
    -- table has no trigger, and takes rows only from functions of the owner.
    select format('grant insert on game.%I to', target_table) from ingest.stream where not ingest.is_distributed(stream)
    union all
    -- The loader can insert a purchase token but not read one, so it gets SELECT on the other columns only.
    select format(s.statement, target_table, (select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = format('game.%I', target_table)::regclass and attnum > 0 and not attisdropped
          and attname <> all (secret_columns)))
      from ingest.stream, (values ('revoke select on game.%I from'), ('grant select (%2$s) on game.%1$I to')) s (statement)
      where secret_columns <> '{}'
  loop
    execute format('%s %I', statement, current_setting('gamebase_ingest.loader'));
  end loop;
end
$$;
