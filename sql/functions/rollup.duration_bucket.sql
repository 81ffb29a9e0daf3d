-- The same rule as DurationBucket in Swift: the seven highest bits stay.
create or replace function rollup.duration_bucket(p_seconds bigint)
returns table (lowest_seconds bigint, next_seconds bigint)
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_seconds >> b.low_bits << b.low_bits, ((p_seconds >> b.low_bits) + 1) << b.low_bits
    from generate_series(0, 56) b (low_bits)
    where p_seconds >> b.low_bits between 64 and 127 or b.low_bits = 0 and p_seconds < 64
$$;
revoke execute on function rollup.duration_bucket from public;
comment on function rollup.duration_bucket is
  'The bucket of a duration in rollup.level_time: its shortest duration and that of the next bucket, in seconds.';
