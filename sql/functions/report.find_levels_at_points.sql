-- Each character is one line of time with its events and the points; a point takes the event before it. Of the
-- events at one instant, the highest level counts; of equal levels, the snapshot ("snapshot" is greater than
-- "level_up"), and then the smallest channel and class. So the event that counts comes last in the order below.
create or replace function report.find_levels_at_points() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  delete from staging.level_at_point;
  insert into staging.level_at_point
      (player_id, until, user_level, level_attribution, channel_id, character_id, class_id)
  with event as (
    select e.player_id, e.character_id, e.event_at, e.user_level, e.kind, e.channel_id, e.class_id
      from staging.level_event e
      where e.kind <> 'load_start'
  ), mark as (
    select e.*, true as is_event from event e
    union all
    select p.player_id, c.character_id, p.until, null, null, null, null, false
      from staging.level_point p
      join (select distinct e.player_id, e.character_id from event e) c on c.player_id = p.player_id
  ), numbered as (
    -- An event at the instant of a point is not before it.
    select m.*, count(*) filter (where m.is_event) over (
        partition by m.player_id, m.character_id
        order by m.event_at, m.is_event, m.user_level, m.kind, m.channel_id desc, m.class_id desc
        rows unbounded preceding) as number
      from mark m
  ), taken as (
    select n.player_id, n.character_id, n.event_at as until, n.is_event,
        first_value(n.event_at) over last_event as event_at,
        first_value(n.user_level) over last_event as user_level,
        first_value(n.channel_id) over last_event as channel_id,
        first_value(n.class_id) over last_event as class_id
      from numbered n
      where n.number > 0
      window last_event as (partition by n.player_id, n.character_id, n.number order by n.is_event desc)
  ), counted as (
    select t.*,
        count(*) over (partition by t.player_id, t.until) as character_count,
        -- Of several characters the highest level, then the latest, then the smallest id, channel and class.
        row_number() over (partition by t.player_id, t.until
          order by t.user_level desc, t.event_at desc, t.character_id, t.channel_id, t.class_id) as place
      from taken t
      where not t.is_event
  )
  select c.player_id, c.until, c.user_level,
      case c.character_count when 1 then 'exact' else 'highest_of_several' end,
      case c.character_count when 1 then c.channel_id end,
      case c.character_count when 1 then c.character_id end,
      case c.character_count when 1 then c.class_id end
    from counted c
    where c.place = 1;
  analyze staging.level_at_point;
$$;
revoke execute on function report.find_levels_at_points from public;
comment on function report.find_levels_at_points is
  'Finds the levels of the players just before the points of staging.level_point. Part of report.refresh.';
