-- Of several characters the highest level counts, then the latest, then the smallest id, channel and class.
create or replace function report.refresh_players() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  with current as materialized (
    select distinct on (t.player_id) t.player_id, c.user_level, c.channel_id, c.character_id, c.class_id
      from staging.touched_player t left join report.player_character_rollup c using (player_id)
      order by t.player_id, c.user_level desc, c.event_at desc, c.character_id, c.channel_id, c.class_id
  )
  update report.player_rollup p
    set user_level = n.user_level, channel_id = n.channel_id, character_id = n.character_id,
      class_id = n.class_id
    from current n
    where p.player_id = n.player_id
      and (p.user_level, p.channel_id, p.character_id, p.class_id)
        is distinct from (n.user_level, n.channel_id, n.character_id, n.class_id);

  delete from report.player_rollup p
    using staging.touched_player t
    where p.player_id = t.player_id
      and not exists (select 1 from report.purchase_rollup r where r.player_id = t.player_id)
      and not exists (select 1 from report.level_event_rollup e where e.player_id = t.player_id)
      and not exists (select 1 from report.first_observation o where o.player_id = t.player_id);
end
$$;
revoke execute on function report.refresh_players from public;
comment on function report.refresh_players is
  'Finds the current level of the touched players, and removes players without any row or observation. Part of report.refresh.';
