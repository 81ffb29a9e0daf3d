-- Of events at one instant, the order of report.find_levels_at_points decides which one is the latest.
create or replace function report.stage_stored_events(p_player_ids bigint[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The latest event of a character is one of the last in the index, but the planner expects to read all of the player.
set enable_bitmapscan = off
as $$
begin
  delete from staging.level_event e
    using unnest(p_player_ids) s (player_id)
    where e.player_id = s.player_id;
  -- OFFSET keeps the planner from reading the events of all players.
  insert into staging.level_event
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select t.player_id, e.event_at, e.kind, e.user_level, e.channel_id, e.character_id, e.class_id, e.source_file_id,
        e.line_number
      from unnest(p_player_ids) s (player_id)
      join staging.touched_player t on t.player_id = s.player_id
      cross join lateral (select * from report.level_event_rollup e
        where e.player_id = t.player_id and e.event_at >= t.read_since offset 0) e
    union all
    select t.player_id, e.event_at, e.kind, e.user_level, e.channel_id, e.character_id, e.class_id, e.source_file_id,
        e.line_number
      from unnest(p_player_ids) s (player_id)
      join staging.touched_player t on t.player_id = s.player_id
      cross join lateral (select * from report.player_character_rollup c
        where c.player_id = t.player_id offset 0) c
      cross join lateral (
        select e.event_at
          from report.level_event_rollup e
          where e.player_id = t.player_id and e.event_at < t.read_since and e.kind <> 'load_start'
            and e.character_id is not distinct from c.character_id
          order by e.event_at desc
          limit 1
      ) newest
      cross join lateral (
        select *
          from report.level_event_rollup e
          where e.player_id = t.player_id and e.event_at = newest.event_at and e.kind <> 'load_start'
            and e.character_id is not distinct from c.character_id
          order by e.user_level desc, e.kind desc, e.channel_id, e.class_id
          limit 1
      ) e
      where t.read_since > '-infinity' and c.event_at >= t.read_since
    union all
    select t.player_id, c.event_at, c.kind, c.user_level, c.channel_id, c.character_id, c.class_id, c.source_file_id,
        c.line_number
      from unnest(p_player_ids) s (player_id)
      join staging.touched_player t on t.player_id = s.player_id
      join report.player_character_rollup c on c.player_id = t.player_id
      where c.event_at < t.read_since and c.kind <> 'load_start';
end
$$;
revoke execute on function report.stage_stored_events from public;
comment on function report.stage_stored_events is
  'Copies the stored level events of some players to staging.level_event: those from read_since on, and the latest one of each character before it. Part of report.refresh.';
