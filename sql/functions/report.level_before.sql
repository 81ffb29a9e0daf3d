-- Without a SET clause, so that the planner can put the query in place of the call. All names have a schema.
--
-- Of the rows of a character at one instant, the highest level counts; of equal levels, the snapshot ("snapshot" is
-- greater than "level_up").
create or replace function report.level_before(p_player_id bigint, p_until timestamptz)
returns table (character_count bigint, user_level integer, channel_id text, character_id text, class_id text)
language sql stable
as $$
  select pg_catalog.count(*) over (), l.user_level, l.channel_id, l.character_id, l.class_id
    from (
      select distinct on (e.character_id) e.user_level, e.event_at, e.channel_id, e.character_id, e.class_id
        from report.level_event_rollup e
        where e.player_id = p_player_id and e.event_at < p_until and e.kind <> 'load_start'
        order by e.character_id, e.event_at desc, e.user_level desc, e.kind desc, e.channel_id, e.class_id
    ) l
    order by l.user_level desc, l.event_at desc, l.character_id, l.channel_id, l.class_id
    limit 1
$$;
revoke execute on function report.level_before from public;
comment on function report.level_before is
  'The level of a player before an instant: the latest level of each character, and of several characters the highest. No row when unknown. Part of report.refresh.';
