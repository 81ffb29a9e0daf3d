create or replace function report.refresh_level_events() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  newest_level_up bigint := (select source_file_id from report.refresh_state where stream = 'level_up');
  newest_snapshot bigint := (select source_file_id from report.refresh_state where stream = 'game_user');
begin
  delete from report.level_event_rollup e
    using staging.touched_row t
    join report.player_rollup p on p.app_id = t.app_id and p.user_id = t.user_id
    where t.stream in ('level_up', 'game_user') and t.source_file_id <= greatest(newest_level_up, newest_snapshot)
      and e.player_id = p.player_id and e.event_at = t.event_at
      and e.source_file_id = t.source_file_id and e.line_number = t.line_number;

  -- The rows of older files that were changed or replayed.
  insert into report.level_event_rollup
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select p.player_id, l.leveled_up_at, 'level_up', l.user_level, l.channel_id, l.character_id, l.class_id,
        l.source_file_id, l.line_number
      from (
        select distinct event_at, user_id, source_file_id, line_number
          from staging.touched_row
          where stream = 'level_up' and source_file_id <= newest_level_up
      ) t
      -- OFFSET keeps the planner from reading the rows of all players.
      cross join lateral (select * from game.level_up l
        where l.leveled_up_at = t.event_at and l.user_id = t.user_id
          and l.source_file_id = t.source_file_id and l.line_number = t.line_number offset 0) l
      join report.player_rollup p on p.app_id = l.app_id and p.user_id = l.user_id;
  insert into report.level_event_rollup
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select p.player_id, g.observed_at,
        case g.observed_at_source when 'load_start' then 'load_start' else 'snapshot' end,
        g.user_level, g.channel_id, g.character_id, g.class_id, g.source_file_id, g.line_number
      from (
        select distinct event_at, user_id, source_file_id, line_number
          from staging.touched_row
          where stream = 'game_user' and source_file_id <= newest_snapshot
      ) t
      cross join lateral (select * from game.game_user_snapshot g
        where g.observed_at = t.event_at and g.user_id = t.user_id
          and g.source_file_id = t.source_file_id and g.line_number = t.line_number offset 0) g
      join report.player_rollup p on p.app_id = g.app_id and p.user_id = g.user_id;

  -- The rows of new files, in the order of players, so that those of a player lie together.
  perform report.empty_working_tables('staging.level_event');
  insert into staging.level_event
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select p.player_id, l.leveled_up_at, 'level_up', l.user_level, l.channel_id, l.character_id, l.class_id,
        l.source_file_id, l.line_number
      from game.level_up l join report.player_rollup p on p.app_id = l.app_id and p.user_id = l.user_id
      where l.source_file_id > newest_level_up
    union all
    select p.player_id, g.observed_at,
        case g.observed_at_source when 'load_start' then 'load_start' else 'snapshot' end,
        g.user_level, g.channel_id, g.character_id, g.class_id, g.source_file_id, g.line_number
      from game.game_user_snapshot g join report.player_rollup p on p.app_id = g.app_id and p.user_id = g.user_id
      where g.source_file_id > newest_snapshot
    order by 1, 2;
  insert into report.level_event_rollup select * from staging.level_event;

  -- Of most players these are all events from read_since on, and the stored characters are the ones before it.
  perform report.stage_stored_events(array(
    select t.player_id from staging.touched_player t where t.has_later_event));
  insert into staging.level_event
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select c.player_id, c.event_at, c.kind, c.user_level, c.channel_id, c.character_id, c.class_id, c.source_file_id,
        c.line_number
      from staging.touched_player t join report.player_character_rollup c on c.player_id = t.player_id
      where not t.has_later_event;
  analyze staging.level_event;
end
$$;
revoke execute on function report.refresh_level_events from public;
comment on function report.refresh_level_events is
  'Brings the touched level-ups and snapshots of report.level_event_rollup up to date, and fills staging.level_event. Part of report.refresh.';
