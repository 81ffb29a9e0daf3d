-- The caller has locked report.refresh_lock, and either runs a REPEATABLE READ transaction or holds the locks of all
-- streams. So all statements see the facts of one instant.
--
-- SECURITY DEFINER: the loader role refreshes at the end of a load, but cannot write the reports.
create or replace function report.refresh(p_is_full boolean default false)
returns table (is_full boolean, file_count bigint, row_count bigint, player_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
-- A refresh sorts and hashes the rows of a night; the default of 4 MB would write them to disk.
set work_mem = '64MB'
-- The sample of ANALYZE: 6,000 rows of a working table say enough.
set default_statistics_target = 20
as $$
#variable_conflict use_column
begin
  -- Otherwise a file that commits between two statements would count as refreshed without being read.
  if current_setting('transaction_isolation') not in ('repeatable read', 'serializable')
    and exists (select 1 from ingest.stream s where not ingest.holds_stream(s.stream))
  then
    raise exception 'a refresh needs one view of the facts, but this transaction is at READ COMMITTED'
      using errcode = 'object_not_in_prerequisite_state',
        hint = 'Run gamebase-ingest refresh.';
  end if;
  lock table report.refresh_lock in exclusive mode;
  -- The first refresh reads all facts, too, so it takes the same way.
  is_full := p_is_full or not exists (select 1 from report.refresh_state where source_file_id > 0)
    and exists (select 1 from ingest.source_file);
  if not is_full and not exists (select 1 from report.touched_row) and not exists (select 1 from report.touched_file)
    and not exists (select 1 from ingest.source_file f join report.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id)
  then
    update report.refresh_state set refreshed_at = now();
    file_count := 0;
    row_count := 0;
    player_count := 0;
    return next;
    return;
  end if;
  if is_full then
    perform report.empty_rollups();
  end if;
  perform report.collect_touched(is_full);
  select count(*) into file_count from staging.touched_file;
  select count(*) into row_count from staging.touched_row;
  select count(*) into player_count from staging.touched_player;
  perform report.refresh_level_events();
  if is_full then
    analyze report.player_rollup;
    analyze report.level_event_rollup;
  end if;
  perform report.refresh_purchases();
  if is_full then
    analyze report.purchase_rollup;
  end if;
  perform report.refresh_subscriptions();
  perform report.refresh_payments_of_players();
  perform report.stage_purchases();
  perform report.refresh_player_days();
  perform report.refresh_observations();
  if is_full then
    analyze report.player_day_rollup;
    analyze report.first_observation;
  end if;
  perform report.refresh_characters();
  perform report.refresh_players();
  perform report.refresh_operations();
  perform report.refresh_revenue();
  perform report.refresh_periods();
  perform report.refresh_cohorts();
  perform report.refresh_subscription_days();
  perform report.refresh_level_reports();
  perform report.refresh_items(is_full);
  perform report.refresh_price_checks(is_full);
  perform report.refresh_event_days(is_full);
  perform report.finish_refresh();
  return next;
end
$$;
revoke execute on function report.refresh from public;
comment on function report.refresh is
  'Brings all reports up to date with the facts: for files and changes since the last refresh, or from the beginning.';
