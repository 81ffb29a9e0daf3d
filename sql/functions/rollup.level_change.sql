create or replace function rollup.level_change()
returns table (app_id text, user_level integer, recorded_user_count bigint, stopped_user_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.user_level, sum(c.recorded)::bigint, sum(c.stopped)::bigint
      from (
        -- Every level-up is an observation, so each recorded level has a duration since the first one.
        select t.app_id, t.user_level, t.user_count as recorded, 0::bigint as stopped
          from pg_temp.new_level_time t
          where t.kind = 'first_observed'
        union all
        select p.app_id, p.highest_level, 0, p.sign
          from pg_temp.player_change p
          where p.highest_level is not null
      ) c
      group by c.app_id, c.user_level;
end
$$;
revoke execute on function rollup.level_change from public;
comment on function rollup.level_change is
  'Users by recorded level, and by highest level.';
