create or replace function rollup.set_players_aside() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A refresh tries every player that is set aside, so the others are well again.
  delete from rollup.set_aside_player s
    where not exists (select 1 from pg_temp.new_set_aside n where n.app_id = s.app_id and n.user_id = s.user_id);
  insert into rollup.set_aside_player as s (app_id, user_id, error)
    select n.app_id, n.user_id, n.error from pg_temp.new_set_aside n order by n.app_id, n.user_id
    on conflict (app_id, user_id) do update set attempt_count = s.attempt_count + 1, error = excluded.error;
  if exists (select 1 from rollup.set_aside_player) then
    update rollup.set_aside_player s
      set streams = k.streams
      from (
        select p.player_number, array_agg(distinct k.stream order by k.stream) as streams
          from rollup.set_aside_player p
          join (
            select app_id, user_id, 'receipt' as stream, source_file_id from game.receipt
            union all
            select app_id, user_id, 'level_up', source_file_id from game.level_up
            union all
            select app_id, user_id, 'game_user', source_file_id from game.game_user_snapshot
          ) r using (app_id, user_id)
          join ingest.source_file f using (source_file_id)
          cross join lateral (values (r.stream), (f.stream)) k (stream)
          group by p.player_number
      ) k
      where k.player_number = s.player_number;
  end if;
end
$$;
comment on function rollup.set_players_aside is
  'Notes the players whose figures this refresh could not compute, with the streams of their rows, and forgets those that are well again. Part of rollup.apply_players.';
