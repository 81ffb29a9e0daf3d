-- Kept, because a view of all buckets of an application takes some tenths of a second.
create or replace function rollup.find_level_percentiles(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from rollup.level_percentile p
    where p_is_full or exists (
      select from pg_temp.change_level_time n where n.app_id = p.app_id and n.user_level = p.user_level and n.kind = p.kind);
  insert into rollup.level_percentile (app_id, user_level, kind, user_count, p25_minutes, p50_minutes, p90_minutes)
    select c.app_id, c.user_level, c.kind, c.user_count, max(m.minutes) filter (where m.place = 1),
        max(m.minutes) filter (where m.place = 2), max(m.minutes) filter (where m.place = 3)
      from (
        select t.app_id, t.user_level, t.kind, t.user_count,
            array[min(t.bucket) filter (where t.through >= t.user_count * 0.25),
              min(t.bucket) filter (where t.through >= t.user_count * 0.5),
              min(t.bucket) filter (where t.through >= t.user_count * 0.9)] as buckets
          from (
            select d.app_id, d.user_level, d.kind, d.bucket,
                sum(d.user_count) over (level order by d.bucket) as through, sum(d.user_count) over level as user_count
              from rollup.level_time d
              where (d.app_id, d.user_level, d.kind) in (
                select n.app_id, n.user_level, n.kind from pg_temp.change_level_time n)
              window level as (partition by d.app_id, d.user_level, d.kind)
          ) t
          group by t.app_id, t.user_level, t.kind, t.user_count
      ) c
      cross join lateral (
        -- The middle of the bucket; below 16 s the second itself.
        select u.place, round(case when u.bucket < 16 then u.bucket
            else (2 * (u.bucket % 8 + 8) + 1) * 2 ^ (u.bucket / 8 - 1)::numeric / 2 end / 60.0, 2) as minutes
          from unnest(c.buckets) with ordinality u (bucket, place)
      ) m
      group by c.app_id, c.user_level, c.kind, c.user_count;
end
$$;
comment on function rollup.find_level_percentiles is
  'Takes the percentiles of the changed levels from the buckets in rollup.level_time. Part of rollup.add_sums.';
