create or replace function report.refresh_characters() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  with latest as materialized (
    select distinct on (e.player_id, e.character_id) e.*
      from staging.level_event e
      -- Of load_start rows, the newest load counts.
      order by e.player_id, e.character_id, e.kind = 'load_start',
        case when e.kind = 'load_start' then e.source_file_id end desc,
        e.event_at desc, e.user_level desc, e.kind desc, e.channel_id, e.class_id
  ), gone as (
    delete from report.player_character_rollup c
      using staging.touched_player t
      where c.player_id = t.player_id
        and not exists (select 1 from latest l
          where l.player_id = c.player_id and l.character_id is not distinct from c.character_id)
  )
  insert into report.player_character_rollup as c
      (player_id, character_id, event_at, kind, user_level, channel_id, class_id, source_file_id, line_number)
    select l.player_id, l.character_id, l.event_at, l.kind, l.user_level, l.channel_id, l.class_id,
        l.source_file_id, l.line_number
      from latest l
    on conflict (player_id, character_id) do update
      set event_at = excluded.event_at, kind = excluded.kind, user_level = excluded.user_level,
        channel_id = excluded.channel_id, class_id = excluded.class_id,
        source_file_id = excluded.source_file_id, line_number = excluded.line_number
      where (c.event_at, c.kind, c.user_level, c.channel_id, c.class_id, c.source_file_id, c.line_number)
        is distinct from (excluded.event_at, excluded.kind, excluded.user_level, excluded.channel_id,
          excluded.class_id, excluded.source_file_id, excluded.line_number);
end
$$;
revoke execute on function report.refresh_characters from public;
comment on function report.refresh_characters is
  'Finds the latest level of each character of the touched players. Part of report.refresh.';
