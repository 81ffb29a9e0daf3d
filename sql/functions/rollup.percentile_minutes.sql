-- The sums of the groups lead to the bucket in few steps.
create or replace function rollup.percentile_minutes(
  p_counts bigint[], p_group_counts bigint[], p_user_count bigint, p_share numeric) returns numeric
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The users up to the percentile.
  wanted bigint := ceil(p_user_count * p_share);
  low_bits integer := 0;
  bucket integer := 0;
begin
  while wanted > coalesce(p_group_counts[low_bits + 1], 0) loop
    wanted := wanted - coalesce(p_group_counts[low_bits + 1], 0);
    low_bits := low_bits + 1;
    bucket := 64 * (low_bits + 1);
  end loop;
  while wanted > coalesce(p_counts[bucket + 1], 0) loop
    wanted := wanted - coalesce(p_counts[bucket + 1], 0);
    bucket := bucket + 1;
  end loop;
  -- The middle of the bucket; below 128 s the second itself.
  return round(case when bucket < 128 then bucket
    else (2 * (bucket - 64 * low_bits)::numeric + 1) * (1::bigint << low_bits) / 2 end / 60.0, 2);
end
$$;
revoke execute on function rollup.percentile_minutes from public;
comment on function rollup.percentile_minutes is
  'The middle of the first bucket of durations whose cumulated count reaches the share of the users, in minutes; see rollup.level_time.';
