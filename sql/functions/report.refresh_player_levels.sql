-- Most new level-ups are later than all others of their player and reach new heights, so they only add to the levels:
-- the previous level is the player's highest one. Of other players all levels are computed again: of those with a
-- level-up before their latest one, with a changed or deleted one, with one between older levels, or with another
-- first observation.
create or replace function report.refresh_player_levels() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  newest constant bigint := (select source_file_id from report.refresh_state where stream = 'level_up');
  spans integer[];
begin
  perform report.empty_working_tables('staging.touched_level_player', 'staging.touched_level');

  with event as materialized (
    select p.player_id, p.app_id, l.user_level, min(l.leveled_up_at) as reached_at, max(l.leveled_up_at) as last_at
      from game.level_up l join report.player_rollup p on p.app_id = l.app_id and p.user_id = l.user_id
      where l.source_file_id > newest
      group by p.player_id, l.user_level
  ), noted as (
    select distinct p.player_id
      from staging.touched_row t join report.player_rollup p on p.app_id = t.app_id and p.user_id = t.user_id
      where t.stream = 'level_up' and t.source_file_id <= newest
  ), player as materialized (
    select t.player_id, t.app_id, o.first_observed_at, s.highest_level, s.highest_reached_at, s.reached_levels,
        n.player_id is not null or (s.player_id is not null
          and (s.first_observed_at is distinct from o.first_observed_at
            or coalesce(e.first_at < s.last_level_up_at, false))) as is_replaced
      from staging.touched_player t
      left join (select player_id, min(reached_at) as first_at from event group by player_id) e
        on e.player_id = t.player_id
      left join noted n on n.player_id = t.player_id
      left join report.player_progress_rollup s on s.player_id = t.player_id
      left join report.first_observation o on o.player_id = t.player_id
      where e.player_id is not null or n.player_id is not null
        or s.first_observed_at is distinct from o.first_observed_at and s.player_id is not null
  ), fresh as materialized (
    select e.*, p.first_observed_at, p.highest_level, p.highest_reached_at,
        coalesce(p.reached_levels @> e.user_level, false) as is_known
      from event e join player p on p.player_id = e.player_id
      where not p.is_replaced
  ), step as materialized (
    select f.*, lag(f.reached_at) over (partition by f.player_id order by f.user_level) as previous_at
      from fresh f
      where not f.is_known
  ), irregular as materialized (
    select distinct player_id from step where user_level < highest_level or previous_at > reached_at
  ), touched as (
    insert into staging.touched_level_player (player_id, app_id, first_observed_at, is_replaced)
      select p.player_id, p.app_id, p.first_observed_at, p.is_replaced or i.player_id is not null
        from player p left join irregular i on i.player_id = p.player_id
  )
  insert into staging.touched_level (player_id, app_id, user_level, reached_span, reached_at, last_at,
      since_first_observed_ms, since_previous_level_ms, change)
    select s.player_id, s.app_id, s.user_level, floor(date_part('epoch', s.reached_at) / 7776000), s.reached_at,
        s.last_at, date_part('epoch', s.reached_at - s.first_observed_at) * 1000,
        date_part('epoch', s.reached_at - coalesce(s.previous_at, s.highest_reached_at)) * 1000, 1
      from step s
      where not exists (select 1 from irregular i where i.player_id = s.player_id)
    union all
    select f.player_id, f.app_id, f.user_level, null, f.reached_at, f.last_at, null, null, 0
      from fresh f
      where f.is_known and not exists (select 1 from irregular i where i.player_id = f.player_id);
  analyze staging.touched_level_player;

  -- All levels of the other players. The next lower level is nearly always reached no later; else the highest lower
  -- level of which that is true is looked up.
  insert into staging.touched_level (player_id, app_id, user_level, reached_span, reached_at, last_at,
      since_first_observed_ms, since_previous_level_ms, change)
    with first_time as (
      select t.player_id, t.app_id, t.first_observed_at, e.user_level,
          min(e.event_at) as reached_at, max(e.event_at) as last_at
        from staging.touched_level_player t join report.level_event_rollup e on e.player_id = t.player_id
        where t.is_replaced and e.kind = 'level_up'
        group by t.player_id, e.user_level
    ), step as (
      select f.*, lag(f.reached_at) over (partition by f.player_id order by f.user_level) as lower_at
        from first_time f
    )
    select s.player_id, s.app_id, s.user_level, floor(date_part('epoch', s.reached_at) / 7776000), s.reached_at,
        s.last_at, date_part('epoch', s.reached_at - s.first_observed_at) * 1000,
        date_part('epoch', s.reached_at - case
          when s.lower_at <= s.reached_at then s.lower_at
          when s.lower_at > s.reached_at then (
            select e.event_at
              from report.level_event_rollup e
              where e.player_id = s.player_id and e.event_at <= s.reached_at and e.kind = 'level_up'
                and e.user_level < s.user_level
              order by e.user_level desc, e.event_at
              limit 1)
          end) * 1000, 1
      from step s;
  analyze staging.touched_level;

  delete from report.player_progress_rollup s
    using staging.touched_level_player t
    where t.is_replaced and s.player_id = t.player_id;
  insert into report.player_progress_rollup as s (player_id, app_id, first_observed_at, highest_level,
      highest_reached_at, last_level_up_at, reached_levels)
    select t.player_id, t.app_id, t.first_observed_at, max(c.user_level),
        (array_agg(c.reached_at order by c.user_level desc))[1], max(c.last_at),
        range_agg(int4range(c.user_level, c.user_level, '[]'))
      from staging.touched_level_player t join staging.touched_level c on c.player_id = t.player_id
      group by t.player_id
    on conflict (player_id) do update
      set highest_level = greatest(s.highest_level, excluded.highest_level),
        highest_reached_at = case when excluded.highest_level > s.highest_level then excluded.highest_reached_at
          else s.highest_reached_at end,
        last_level_up_at = greatest(s.last_level_up_at, excluded.last_level_up_at),
        reached_levels = s.reached_levels + excluded.reached_levels;

  -- Of the levels that were computed again, most are as before and no change. OFFSET 0 has the planner look the
  -- players up one by one, whatever it expects.
  if exists (select 1 from staging.touched_level_player where is_replaced) then
    spans := array(select generate_series(min(reached_span), max(reached_span)) from report.player_level_rollup);
    with stored as materialized (
      select r.*
        from staging.touched_level_player t,
          lateral (
            select r.* from report.player_level_rollup r
              where r.reached_span = any (spans) and r.player_id = t.player_id
              offset 0
          ) r
        where t.is_replaced
    ), same as (
      delete from staging.touched_level c
        using stored o
        where c.player_id = o.player_id and c.user_level = o.user_level and c.reached_at = o.reached_at
          and c.since_first_observed_ms = o.since_first_observed_ms
          and c.since_previous_level_ms is not distinct from o.since_previous_level_ms
        returning c.player_id, c.user_level
    )
    insert into staging.touched_level (player_id, app_id, user_level, reached_span, reached_at, last_at,
        since_first_observed_ms, since_previous_level_ms, change)
      select o.player_id, o.app_id, o.user_level, o.reached_span, o.reached_at, o.reached_at,
          o.since_first_observed_ms, o.since_previous_level_ms, -1
        from stored o
        where not exists (select 1 from same s where s.player_id = o.player_id and s.user_level = o.user_level);
    delete from report.player_level_rollup r
      using staging.touched_level c
      where c.change = -1
        and r.reached_span = c.reached_span and r.player_id = c.player_id and r.user_level = c.user_level;
  end if;

  -- In the order of an index, so that neighbors go to the same page.
  insert into report.player_level_rollup (player_id, app_id, user_level, reached_span, reached_at,
      since_first_observed_ms, since_previous_level_ms)
    select c.player_id, c.app_id, c.user_level, c.reached_span, c.reached_at, c.since_first_observed_ms,
        c.since_previous_level_ms
      from staging.touched_level c
      where c.change = 1
      order by c.app_id, c.user_level, c.reached_span, c.since_first_observed_ms;
end
$$;
revoke execute on function report.refresh_player_levels from public;
comment on function report.refresh_player_levels is
  'Brings report.player_level_rollup and report.player_progress_rollup up to date, and keeps the changes in staging.touched_level. Part of report.refresh_level_reports.';
