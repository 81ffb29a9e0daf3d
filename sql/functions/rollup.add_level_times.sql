-- Arrays, because one row per bucket would be the largest of the sums, and a view would add up all of them.
create or replace function rollup.add_level_times(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  change record;
  counts bigint[];
  group_counts bigint[];
  user_count bigint;
  place integer;
begin
  for change in
    select b.app_id, b.user_level, b.kind, array_agg(b.bucket) as buckets, array_agg(b.user_count) as user_counts
      from (
        select n.app_id, n.user_level, n.kind, n.bucket, sum(n.user_count)::bigint as user_count
          from pg_temp.new_level_time n
          group by n.app_id, n.user_level, n.kind, n.bucket
          having sum(n.user_count) <> 0
      ) b
      group by b.app_id, b.user_level, b.kind
  loop
    counts := null;
    group_counts := null;
    if not p_is_full then
      select t.counts, t.group_counts into counts, group_counts
        from rollup.level_time t
        where t.app_id = change.app_id and t.user_level = change.user_level and t.kind = change.kind;
    end if;
    -- An empty array would begin with the first assigned place.
    counts := coalesce(counts, '{null}');
    group_counts := coalesce(group_counts, '{null}');
    for number in 1 .. array_length(change.buckets, 1) loop
      place := change.buckets[number] + 1;
      counts[place] := nullif(coalesce(counts[place], 0) + change.user_counts[number], 0);
      place := greatest(change.buckets[number] / 64, 1);
      group_counts[place] := nullif(coalesce(group_counts[place], 0) + change.user_counts[number], 0);
    end loop;
    -- The arrays end with their last user, so equal counts are equal arrays.
    while cardinality(counts) > 0 and counts[cardinality(counts)] is null loop
      counts := counts[1 : cardinality(counts) - 1];
    end loop;
    while cardinality(group_counts) > 0 and group_counts[cardinality(group_counts)] is null loop
      group_counts := group_counts[1 : cardinality(group_counts) - 1];
    end loop;
    user_count := (select coalesce(sum(g), 0) from unnest(group_counts) g);
    if user_count = 0 then
      delete from rollup.level_time t
        where t.app_id = change.app_id and t.user_level = change.user_level and t.kind = change.kind;
    else
      insert into rollup.level_time as t (app_id, user_level, kind, user_count, p25_minutes, p50_minutes, p90_minutes,
          group_counts, counts)
        values (change.app_id, change.user_level, change.kind, user_count,
          rollup.percentile_minutes(counts, group_counts, user_count, 0.25),
          rollup.percentile_minutes(counts, group_counts, user_count, 0.5),
          rollup.percentile_minutes(counts, group_counts, user_count, 0.9), group_counts, counts)
        on conflict on constraint level_time_key do update
          set user_count = excluded.user_count, p25_minutes = excluded.p25_minutes, p50_minutes = excluded.p50_minutes,
            p90_minutes = excluded.p90_minutes, group_counts = excluded.group_counts, counts = excluded.counts
          where t.counts <> excluded.counts;
    end if;
  end loop;
  if p_is_full then
    delete from rollup.level_time t
      where not exists (
        select 1 from pg_temp.new_level_time n
          where n.app_id = t.app_id and n.user_level = t.user_level and n.kind = t.kind);
  end if;
end
$$;
revoke execute on function rollup.add_level_times from public;
comment on function rollup.add_level_times is
  'Adds the changed durations of players to rollup.level_time. Part of rollup.finish_refresh.';
