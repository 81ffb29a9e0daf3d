-- Most players of a night only append levels, so levels that the removed row of a player has as well are left out, and no
-- level of such a removed row is looked at.
create or replace function rollup.cohort_level_change()
returns table (app_id text, cohort_month date, user_level integer, recorded_user_count bigint, stopped_user_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
-- It would sort the players with all their levels twice, and each level of each player.
set enable_mergejoin = off
set enable_sort = off
as $$
#variable_conflict use_column
begin
  return query
    with player as (
      select p.sign, p.app_id, p.user_id, date_trunc('month', p.first_observed_on::timestamp)::date as cohort_month,
          p.levels, p.highest_level
        from pg_temp.player_change p
        where p.highest_level is not null
    ), counterpart as (
      select p.*, coalesce(o.levels, '{}') as other_levels
        from player p
        left join player o
          on o.sign = -p.sign and o.app_id = p.app_id and o.user_id = p.user_id and o.cohort_month = p.cohort_month
    )
    select c.app_id, c.cohort_month, c.user_level, sum(c.recorded)::bigint, sum(c.stopped)::bigint
      from (
        select p.app_id, p.cohort_month, l.user_level, p.sign as recorded, 0::bigint as stopped
          from counterpart p
          cross join lateral unnest(case
            when p.levels[:cardinality(p.other_levels)] = p.other_levels then p.levels[cardinality(p.other_levels) + 1:]
            when p.other_levels[:cardinality(p.levels)] <> p.levels then p.levels end) l (user_level)
          where not l.user_level = any (p.other_levels)
        union all
        select p.app_id, p.cohort_month, p.highest_level, 0, p.sign
          from player p
      ) c
      group by c.app_id, c.cohort_month, c.user_level;
end
$$;
revoke execute on function rollup.cohort_level_change from public;
comment on function rollup.cohort_level_change is
  'Users by month of the first observation and recorded level, and by highest level.';
