-- The same rule as DurationBucket in Swift: the four highest bits stay.
create or replace function rollup.duration_bucket(p_seconds bigint) returns integer
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select (8 * b.low_bits + (p_seconds >> b.low_bits))::integer
    from (select greatest(length(ltrim(p_seconds::bit(64)::text, '0')) - 4, 0) as low_bits) b
$$;
revoke execute on function rollup.duration_bucket from public;
comment on function rollup.duration_bucket is
  'The number of the bucket of a duration in seconds, which is not negative; see rollup.level_time.';
