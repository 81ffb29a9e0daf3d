-- All statements see the facts of one instant: that of a REPEATABLE READ transaction, which locked rollup.refresh_lock before
-- its snapshot, or at READ COMMITTED that from which this function holds the locks of all streams.
--
-- The caller's program then reads the rows of the touched players (rollup.open_player_rows), computes their figures, and
-- copies the changed rows into the temporary tables new_… and old_…; rollup.apply_players and rollup.finish_refresh do
-- the rest. SECURITY DEFINER, like these: the loader role refreshes at the end of a load, but cannot write the reports.
--
-- A full refresh makes every file new again. It reads the keys of players and days from the facts and not from
-- pg_temp.touched_row, which would be a copy of all facts.
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
declare
  zone constant text := rollup.reporting_zone();
  known record;
begin
  -- Otherwise a file that commits between two statements would count as refreshed without being read. The caller's own
  -- locks can be locks of the session, which it could give back in the middle.
  if current_setting('transaction_isolation') not in ('repeatable read', 'serializable') then
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
    return query select null::boolean, 0::bigint, 0::bigint, 0::bigint;
    return;
  end if;
  -- A calendar of other days has made the refresh a full one.
  delete from rollup.calendar_period where is_full and rollup.is_calendar_outdated();
  perform rollup.fill_calendar();
  perform rollup.create_working_tables(is_full);
  if is_full then
    update rollup.refresh_state set source_file_id = 0, load_id = null;
  end if;
  insert into pg_temp.touched_file (source_file_id)
    select f.source_file_id
      from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id and f.undone_at is null
    union
    select t.source_file_id from rollup.touched_file t;
  analyze pg_temp.touched_file;
  if not is_full then
    for known in
      select s.stream, s.target_table, r.source_file_id as newest,
          array(select t.source_file_id from pg_temp.touched_file t where t.source_file_id <= r.source_file_id) as replayed
        from ingest.stream s join rollup.refresh_state r using (stream)
        where s.time_column is not null
        order by s.stream
    loop
      if known.stream = 'event' then
        -- Events make nobody a player, so the days of a file suffice.
        insert into pg_temp.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
          select 'event', e.app_id, null, min(e.occurred_at), true, e.source_file_id, min(e.line_number)
            from game.event e
            where e.source_file_id > known.newest or e.source_file_id = any (known.replayed)
            group by e.app_id, e.source_file_id, (e.occurred_at at time zone zone)::date;
      else
        execute rollup.note_statement(known.stream, format('game.%I', known.target_table), 'pg_temp.touched_row')
          || ' where r.source_file_id > $1 or r.source_file_id = any ($2)' using known.newest, known.replayed;
      end if;
    end loop;
    insert into pg_temp.touched_row select distinct t.* from rollup.touched_row t;
    analyze pg_temp.touched_row;
    insert into pg_temp.touched_day (stream, app_id, day)
      select distinct t.stream, t.app_id, (t.event_at at time zone zone)::date
        from pg_temp.touched_row t
        where t.is_dated and isfinite(t.event_at);
    analyze pg_temp.touched_day;
  end if;
  insert into pg_temp.rate_change (currency, day, old_rate, new_rate)
    select currency, day, old_rate, new_rate from rollup.rate_changes();
  analyze pg_temp.rate_change;
  delete from rollup.day_rate r
    using pg_temp.rate_change c
    where c.old_rate is not null and r.currency = c.currency and r.day = c.day;
  insert into rollup.day_rate (currency, day, rate)
    select c.currency, c.day, c.new_rate from pg_temp.rate_change c where c.new_rate is not null;
  update rollup.base_unit b
    set currency = base, minor_unit = c.minor_unit, minor_unit_value = c.minor_unit_value
    from rollup.base_currency() base left join game.currency c on c.currency = base
    where b.currency is distinct from base;
  if is_full then
    -- Each sum is made anew, at the new rates.
    delete from pg_temp.rate_change;
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
    insert into pg_temp.touched_player (app_id, user_id, is_set_aside)
      select r.app_id, r.user_id, false from known_player r order by r.app_id, r.user_id;
    drop table known_player;
  else
    insert into pg_temp.touched_player (app_id, user_id, is_set_aside)
      select r.app_id, r.user_id, bool_or(r.is_set_aside)
        from (
          select app_id, user_id, false as is_set_aside from pg_temp.touched_row where user_id is not null
          union all
          select app_id, user_id, true from rollup.set_aside_player
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
  return query select is_full, (select count(*) from pg_temp.touched_file), (select count(*) from pg_temp.touched_row),
    (select count(*) from pg_temp.touched_player);
end
$$;
comment on function rollup.begin_refresh is
  'Begins a refresh of all reports: collects what has changed since the last one, or everything, and counts it. No later step is needed when is_full is NULL: nothing has changed.';
