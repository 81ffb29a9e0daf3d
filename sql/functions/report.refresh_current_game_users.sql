-- A snapshot of a new file takes the place of the stored one if it outranks it. The characters of players with a
-- changed or deleted snapshot are computed again.
create or replace function report.refresh_current_game_users() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  newest constant bigint := (select source_file_id from report.refresh_state where stream = 'game_user');
  -- Among them the players who are gone.
  replaced constant bigint[] := array(
    select p.player_id
      from staging.touched_row t join report.player_rollup p on p.app_id = t.app_id and p.user_id = t.user_id
      where t.stream = 'game_user' and t.source_file_id <= newest
    union
    select t.player_id
      from staging.touched_player t
      where not exists (select 1 from report.player_rollup p where p.player_id = t.player_id));
begin
  delete from report.current_game_user_rollup c
    using unnest(replaced) r (player_id)
    where c.player_id = r.player_id;
  insert into report.current_game_user_rollup as c (player_id, channel_id, character_id, user_level, class_id,
      observed_at, observed_at_source, source_file_id, line_number)
    select distinct on (g.player_id, g.channel_id, g.character_id) g.player_id, g.channel_id, g.character_id,
        g.user_level, g.class_id, g.observed_at, g.observed_at_source, g.source_file_id, g.line_number
      from (
        select p.player_id, g.channel_id, g.character_id, g.user_level, g.class_id, g.observed_at,
            g.observed_at_source, g.source_file_id, g.line_number
          from game.game_user_snapshot g
          join report.player_rollup p on p.app_id = g.app_id and p.user_id = g.user_id
          where g.source_file_id > newest
        union all
        select p.player_id, g.channel_id, g.character_id, g.user_level, g.class_id, g.observed_at,
            g.observed_at_source, g.source_file_id, g.line_number
          from unnest(replaced) r (player_id)
          join report.player_rollup p on p.player_id = r.player_id
          join report.level_event_rollup e on e.player_id = r.player_id and e.kind <> 'level_up'
          join game.game_user_snapshot g on g.observed_at = e.event_at and g.user_id = p.user_id
            and g.source_file_id = e.source_file_id and g.line_number = e.line_number
      ) g
      -- Of load_start rows, the newest load counts.
      order by g.player_id, g.channel_id, g.character_id, g.observed_at_source = 'load_start',
        case when g.observed_at_source = 'load_start' then g.source_file_id end desc, g.observed_at desc
    on conflict (player_id, channel_id, character_id) do update
      set user_level = excluded.user_level, class_id = excluded.class_id, observed_at = excluded.observed_at,
        observed_at_source = excluded.observed_at_source, source_file_id = excluded.source_file_id,
        line_number = excluded.line_number
      where (excluded.observed_at_source <> 'load_start',
          case when excluded.observed_at_source = 'load_start' then excluded.source_file_id else 0 end,
          excluded.observed_at)
        > (c.observed_at_source <> 'load_start',
          case when c.observed_at_source = 'load_start' then c.source_file_id else 0 end, c.observed_at);
end
$$;
revoke execute on function report.refresh_current_game_users from public;
comment on function report.refresh_current_game_users is
  'Brings report.current_game_user_rollup up to date. Part of report.refresh_level_reports.';
