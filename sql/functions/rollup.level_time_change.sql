create or replace function rollup.level_time_change()
returns table (app_id text, user_level integer, kind text, lowest_seconds bigint,
  next_seconds bigint, user_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select t.app_id, t.user_level, t.kind, t.lowest_seconds, t.next_seconds, t.user_count from pg_temp.new_level_time t;
end
$$;
revoke execute on function rollup.level_time_change from public;
comment on function rollup.level_time_change is
  'Durations until levels, as the fold counts them. A duration depends on two levels of a player, so no single row tells it.';
