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

  -- The rows of new files, and the rows of older files that were changed or replayed.
  insert into report.level_event_rollup
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select p.player_id, l.leveled_up_at, 'level_up', l.user_level, l.channel_id, l.character_id, l.class_id,
        l.source_file_id, l.line_number
      from game.level_up l join report.player_rollup p on p.app_id = l.app_id and p.user_id = l.user_id
      where l.source_file_id > newest_level_up;
  insert into report.level_event_rollup
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select p.player_id, l.leveled_up_at, 'level_up', l.user_level, l.channel_id, l.character_id, l.class_id,
        l.source_file_id, l.line_number
      from (
        select distinct event_at, user_id, source_file_id, line_number
          from staging.touched_row
          where stream = 'level_up' and source_file_id <= newest_level_up
      ) t
      join game.level_up l on l.leveled_up_at = t.event_at and l.user_id = t.user_id
        and l.source_file_id = t.source_file_id and l.line_number = t.line_number
      join report.player_rollup p on p.app_id = l.app_id and p.user_id = l.user_id;
  insert into report.level_event_rollup
      (player_id, event_at, kind, user_level, channel_id, character_id, class_id, source_file_id, line_number)
    select p.player_id, g.observed_at,
        case g.observed_at_source when 'load_start' then 'load_start' else 'snapshot' end,
        g.user_level, g.channel_id, g.character_id, g.class_id, g.source_file_id, g.line_number
      from game.game_user_snapshot g join report.player_rollup p on p.app_id = g.app_id and p.user_id = g.user_id
      where g.source_file_id > newest_snapshot;
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
      join game.game_user_snapshot g on g.observed_at = t.event_at and g.user_id = t.user_id
        and g.source_file_id = t.source_file_id and g.line_number = t.line_number
      join report.player_rollup p on p.app_id = g.app_id and p.user_id = g.user_id;
end
$$;
revoke execute on function report.refresh_level_events from public;
comment on function report.refresh_level_events is
  'Brings the touched level-ups and snapshots of report.level_event_rollup up to date. Part of report.refresh.';
