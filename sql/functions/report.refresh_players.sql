-- Of several characters the highest level counts, then the latest, then the smallest id, channel and class. The days of
-- a player from its earliest touched row on are all in staging.player_day; if there are none, an older one is the newest.
create or replace function report.refresh_players() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  with current as materialized (
    select distinct on (t.player_id) t.player_id, c.user_level, c.channel_id, c.character_id, c.class_id
      from staging.touched_player t left join report.player_character_rollup c using (player_id)
      order by t.player_id, c.user_level desc, c.event_at desc, c.character_id, c.channel_id, c.class_id
  ), newest as materialized (
    select t.player_id, coalesce(max(d.day), (
          select max(r.day) from report.player_day_rollup r where r.player_id = t.player_id)) as newest_on
      from staging.touched_player t left join staging.player_day d on d.player_id = t.player_id
      group by t.player_id
  )
  update report.player_rollup p
    set user_level = n.user_level, channel_id = n.channel_id, character_id = n.character_id,
      class_id = n.class_id, newest_on = d.newest_on
    from current n join newest d on d.player_id = n.player_id
    where p.player_id = n.player_id
      and (p.user_level, p.channel_id, p.character_id, p.class_id, p.newest_on)
        is distinct from (n.user_level, n.channel_id, n.character_id, n.class_id, d.newest_on);

  delete from report.player_rollup p
    using staging.touched_player t
    where p.player_id = t.player_id
      and not exists (select 1 from staging.player_day d where d.player_id = t.player_id)
      and not exists (select 1 from report.purchase_rollup r where r.player_id = t.player_id)
      and not exists (select 1 from report.level_event_rollup e where e.player_id = t.player_id)
      and not exists (select 1 from report.first_observation o where o.player_id = t.player_id);
end
$$;
revoke execute on function report.refresh_players from public;
comment on function report.refresh_players is
  'Finds the current level of the touched players, and removes players without any row or observation. Part of report.refresh.';
