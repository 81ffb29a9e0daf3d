-- The caller has locked rollup.refresh_lock, and either runs a REPEATABLE READ transaction or holds the locks of all
-- streams. So all statements see the facts of one instant.
--
-- The caller's program then reads the rows of the touched players (rollup.open_player_rows), computes their figures, and
-- copies the changed rows into the temporary tables new_… and old_…; rollup.apply_players and rollup.finish_refresh do
-- the rest. SECURITY DEFINER, like these: the loader role refreshes at the end of a load, but cannot write the reports.
create or replace function rollup.begin_refresh(p_is_full boolean default false)
returns table (is_full boolean, file_count bigint, row_count bigint, player_count bigint, late_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
-- The default of 4 MB would write the rows of a night to disk.
set work_mem = '64MB'
-- The sample of ANALYZE: 6,000 rows of a working table say enough.
set default_statistics_target = 20
as $$
#variable_conflict use_column
declare
  zone constant text := rollup.reporting_zone();
  -- In hours, because a day of an interval follows the clock of the session's zone: 32 days.
  lookback constant interval := interval '768 hours';
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
  is_full := p_is_full or rollup.has_mostly_new_rows();
  if not is_full and not exists (select 1 from rollup.set_aside_player)
    and not exists (select 1 from rollup.touched_row) and not exists (select 1 from rollup.touched_file)
    and not exists (select 1 from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id)
  then
    -- An undo of a file with conflicts alone touches no row.
    perform rollup.refresh_conflict_lines();
    perform rollup.refresh_rates(false);
    perform rollup.refresh_horizons(false);
    update rollup.refresh_state set refreshed_at = now();
    is_full := null;
    file_count := 0;
    row_count := 0;
    player_count := 0;
    late_count := 0;
    return next;
    return;
  end if;
  perform rollup.collect_touched(is_full);
  perform rollup.refresh_rates(is_full);
  perform rollup.create_working_tables(is_full);
  if is_full then
    -- Not in the command that adds the players, which would read the facts in one process.
    create temporary table known_player on commit drop as
      select r.app_id, r.user_id
        from (
          select app_id, user_id from game.receipt
          union all select app_id, user_id from game.level_up
          union all select app_id, user_id from game.game_user_snapshot
          union all select app_id, user_id from ingest.kept_observation
          -- A rebuild also removes rows that no fact explains.
          union all select app_id, user_id from rollup.player
          union all select app_id, user_id from rollup.player_day
          union all select app_id, user_id from rollup.purchase
          union all select app_id, user_id from rollup.subscription_period
          union all select app_id, user_id from rollup.player_character
          union all select app_id, user_id from rollup.current_game_user
          union all select app_id, user_id from rollup.character_change
          union all select app_id, user_id from rollup.set_aside_player
        ) r
        group by r.app_id, r.user_id;
    insert into pg_temp.touched_player
        (app_id, user_id, is_late, since, reads_from, is_set_aside, reads_receipts, has_receipt, is_subscriber, first_day,
          period_start)
      select r.app_id, r.user_id, true, '-infinity', '-infinity', false, true, true, true, '-infinity', '-infinity'
        from known_player r
        order by r.app_id, r.user_id;
    drop table known_player;
  else
    -- A player whose touched rows are all new and lie behind the stored ones continues from its state. Where they reach back
    -- some weeks, the rows since then are read again: the state before is found from the stored rows and from the events of
    -- the month before. Of all others every row is read again.
    insert into pg_temp.touched_player
        (app_id, user_id, is_late, since, reads_from, is_set_aside, reads_receipts, has_receipt, is_subscriber, first_day,
          period_start)
      select t.app_id, t.user_id, l.is_late, l.since,
          case when isfinite(l.since) then least(t.first_at - lookback, t.undated_at) else l.since end,
          t.is_set_aside, t.has_changed_receipt, t.has_receipt,
          isfinite(l.since) or t.has_receipt and (p.awaits_original or n.user_id is not null) is true,
          case when isfinite(l.since) then d.period_start else d.first_day end, d.period_start
        from (
          select r.app_id, r.user_id, bool_or((r.source_file_id > s.source_file_id) is not true) as is_changed,
              -- A changed receipt can be the original that a subscription of the player names.
              bool_or(r.stream = 'receipt' and (r.source_file_id > s.source_file_id) is not true) is true
                as has_changed_receipt,
              bool_or(r.stream is null) as is_set_aside, min(r.event_at) filter (where r.is_dated) as first_at,
              -- The time of the load, which can lie long before.
              min(r.event_at) filter (where not r.is_dated) as undated_at,
              bool_or(r.stream = 'receipt') is true as has_receipt
            from (
              select stream, app_id, user_id, event_at, is_dated, source_file_id
                from staging.touched_row
                where user_id is not null
              union all
              select null, app_id, user_id, null, false, null from rollup.set_aside_player
            ) r
            left join rollup.refresh_state s using (stream)
            group by r.app_id, r.user_id
        ) t
        left join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id
        left join (
          select distinct r.app_id, r.user_id
            from game.receipt r
            where r.source_file_id > (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt')
              and r.expires_at is not null and r.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')
        ) n on n.app_id = t.app_id and n.user_id = t.user_id
        cross join lateral (
          select case when t.is_changed or t.first_at < p.newest_at - lookback then 'all'
            when t.first_at <= p.newest_at then 'late' else 'new' end as reads
        ) w
        cross join lateral (
          select w.reads = 'all' as is_late, case w.reads when 'all' then '-infinity'
            when 'late' then (t.first_at at time zone zone)::date else 'infinity' end as since
        ) l
        cross join lateral (
          select case when l.is_late or p.newest_at is null then '-infinity' when isfinite(l.since) then l.since
            else (p.newest_at at time zone zone)::date end as first_day
        ) f
        cross join lateral (
          select f.first_day, least(date_trunc('week', f.first_day), date_trunc('month', f.first_day))::date as period_start
        ) d
        order by t.app_id, t.user_id;
  end if;
  analyze pg_temp.touched_player;
  select count(*), count(*) filter (where t.is_late) into player_count, late_count from pg_temp.touched_player t;
  select count(*) into file_count from staging.touched_file;
  select count(*) into row_count from staging.touched_row;
  return next;
end
$$;
revoke execute on function rollup.begin_refresh from public;
comment on function rollup.begin_refresh is
  'Begins a refresh of all reports: collects what has changed since the last one, or everything, and counts it. No later step is needed when is_full is NULL: nothing has changed.';
