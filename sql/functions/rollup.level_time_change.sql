create or replace function rollup.level_time_change()
returns table (app_id text, user_level integer, kind text, bucket integer, user_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select n.app_id, n.user_level, n.kind, n.bucket, sum(n.user_count)::bigint
      from pg_temp.new_level_time n
      group by n.app_id, n.user_level, n.kind, n.bucket;
end
$$;

revoke execute on function rollup.level_time_change from public;

comment on function rollup.level_time_change is
  'Users by level and by the bucket of the time that they took to reach it.';
