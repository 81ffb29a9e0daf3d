-- Where the first time of a level is removed, the next one is searched among all players of the application.
create or replace function rollup.find_first_reached(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- With a nested loop the time would grow with the square of the levels of a player.
set enable_nestloop = off
as $$
begin
  with change as (
    select c.app_id, c.user_level, min(c.added_at) as added_at, min(c.removed_at) as removed_at
      from pg_temp.new_level_reached c
      group by c.app_id, c.user_level
  ), lost as materialized (
    select c.app_id, c.user_level
      from change c join rollup.level l on l.app_id = c.app_id and l.user_level = c.user_level
      where not p_is_full and c.removed_at <= l.first_reached_at
  ), found as (
    select r.app_id, r.user_level, min(r.reached_at) as first_reached_at
      from (
        select p.app_id, l.user_level, l.reached_at
          from rollup.player p
          cross join lateral unnest(p.levels, p.reached_at) l (user_level, reached_at)
          where p.app_id in (select app_id from lost)
          offset 0
      ) r
      join lost s on s.app_id = r.app_id and s.user_level = r.user_level
      group by r.app_id, r.user_level
  )
  update rollup.level l set first_reached_at = n.first_reached_at
    from (
      select c.app_id, c.user_level,
          case when p_is_full then c.added_at else coalesce(f.first_reached_at, least(l.first_reached_at, c.added_at)) end
            as first_reached_at
        from change c
        join rollup.level l on l.app_id = c.app_id and l.user_level = c.user_level
        left join found f on f.app_id = c.app_id and f.user_level = c.user_level
    ) n
    where l.app_id = n.app_id and l.user_level = n.user_level and l.first_reached_at is distinct from n.first_reached_at;
end
$$;
revoke execute on function rollup.find_first_reached from public;
comment on function rollup.find_first_reached is
  'Sets the first time of each level that players gained or lost. Part of rollup.finish_refresh.';
