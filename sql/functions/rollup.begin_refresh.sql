-- The caller has locked rollup.refresh_lock, and either runs a REPEATABLE READ transaction or holds the locks of all
-- streams. So all statements see the facts of one instant.
--
-- The caller's program then reads the rows of the touched players (rollup.open_player_rows), computes their figures, and
-- copies the changed rows into the temporary tables new_… and old_…; rollup.apply_players and rollup.finish_refresh do
-- the rest. SECURITY DEFINER, like these: the loader role refreshes at the end of a load, but cannot write the reports.
create or replace function rollup.begin_refresh(p_is_full boolean default false)
returns table (is_full boolean, file_count bigint, row_count bigint, player_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
-- The default of 4 MB would write the rows of a night to disk.
set work_mem = '64MB'
-- The sample of ANALYZE: 6,000 rows of a working table say enough.
set default_statistics_target = 20
as $$
#variable_conflict use_column
begin
  -- Otherwise a file that commits between two statements would count as refreshed without being read.
  if current_setting('transaction_isolation') not in ('repeatable read', 'serializable') then
    if exists (select 1 from ingest.stream s where not ingest.holds_stream(s.stream)) then
      raise exception 'a refresh needs one view of the facts, but this transaction is at READ COMMITTED'
        using errcode = 'object_not_in_prerequisite_state', hint = 'Run gamebase-ingest refresh.';
    end if;
    -- The caller's can be locks of the session, which it could give back in the middle.
    perform ingest.hold_stream(s.stream) from ingest.stream s order by s.stream;
  end if;
  lock table rollup.refresh_lock in exclusive mode;
  is_full := p_is_full or rollup.needs_rebuild();
  if not is_full and not exists (select 1 from rollup.set_aside_player)
    and not exists (select 1 from rollup.touched_row) and not exists (select 1 from rollup.touched_file)
    and not exists (select 1 from rollup.rate_changes())
    and not exists (select 1 from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id)
  then
    -- An undo of a file with conflicts alone touches no row.
    perform rollup.refresh_conflict_lines(null);
    perform rollup.refresh_horizons('{}');
    update rollup.refresh_state set refreshed_at = now();
    is_full := null;
    file_count := 0;
    row_count := 0;
    player_count := 0;
    return next;
    return;
  end if;
  perform rollup.create_working_tables(is_full);
  perform rollup.collect_touched(is_full);
  perform rollup.refresh_rates();
  if is_full then
    -- Not in the command that adds the players, which would read the facts in one process.
    create temporary table known_player on commit drop as
      select r.app_id, r.user_id
        from (
          select app_id, user_id from game.receipt
          union all select app_id, user_id from game.level_up
          union all select app_id, user_id from game.game_user_snapshot
          union all select app_id, user_id from ingest.kept_observation
          union all select app_id, user_id from rollup.set_aside_player
        ) r
        group by r.app_id, r.user_id;
    insert into pg_temp.touched_player (app_id, user_id, is_set_aside, has_other_rates)
      select r.app_id, r.user_id, false, false from known_player r order by r.app_id, r.user_id;
    drop table known_player;
  else
    insert into pg_temp.touched_player (app_id, user_id, is_set_aside, has_other_rates)
      select r.app_id, r.user_id, bool_or(r.is_set_aside), bool_or(r.has_other_rates)
        from (
          select app_id, user_id, false as is_set_aside, false as has_other_rates
            from pg_temp.touched_row where user_id is not null
          union all
          select app_id, user_id, true, false from rollup.set_aside_player
          union all
          -- The days of an application are found by an index.
          select p.app_id, p.user_id, false, true
            from (select distinct app_id from rollup.cohort_size where cohort_kind = 'first_paid') a
            cross join (select distinct day from pg_temp.rate_change) d
            join rollup.purchase p on p.app_id = a.app_id and p.day = d.day
            join pg_temp.rate_change c on c.currency = p.currency and c.day = p.day
            where p.is_paid
        ) r
        group by r.app_id, r.user_id
        order by r.app_id, r.user_id;
    -- The other touched rows are those of new files.
    insert into pg_temp.changed_place (player_no, stream, event_at, payment_seq)
      select distinct p.player_no, t.stream, case when t.payment_seq is null then t.event_at end, t.payment_seq
        from pg_temp.touched_row t
        join rollup.refresh_state s on s.stream = t.stream
        join pg_temp.touched_player p on p.app_id = t.app_id and p.user_id = t.user_id
        where t.source_file_id <= s.source_file_id;
    analyze pg_temp.changed_place;
  end if;
  analyze pg_temp.touched_player;
  select count(*) into player_count from pg_temp.touched_player t;
  select count(*) into file_count from pg_temp.touched_file;
  select count(*) into row_count from pg_temp.touched_row;
  return next;
end
$$;
revoke execute on function rollup.begin_refresh from public;
comment on function rollup.begin_refresh is
  'Begins a refresh of all reports: collects what has changed since the last one, or everything, and counts it. No later step is needed when is_full is NULL: nothing has changed.';
