-- A percentile needs one or two durations of a level, by their rank. The histogram gives the two bounds between which
-- the rank lies, and an index the durations between them. The changes of a refresh are counted into the histogram.
-- Bounds are close where the percentiles are; when a percentile has moved away from there, the histogram of the level
-- is built again.
--
-- Each part is a statement per kind of duration, because the two have different columns and indexes.
create or replace function report.refresh_level_times() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  spans integer[];
  kind_name text;
  kind_column text;
begin
  perform report.empty_working_tables('staging.touched_level_time');
  if not exists (select 1 from report.level_rollup) then
    delete from report.level_time_histogram;
  end if;
  insert into staging.touched_level_time (app_id, user_level, kind, is_rebuilt)
    select c.app_id, c.user_level, k.kind, h.kind is null
      from (select distinct app_id, user_level from staging.touched_level where change <> 0) c
      cross join (values ('first_observed'), ('previous_level')) k (kind)
      left join report.level_time_histogram h
        on h.app_id = c.app_id and h.user_level = c.user_level and h.kind = k.kind;
  analyze staging.touched_level_time;

  -- Place n of a duration: n bounds are not above it, so it is below bound n + 1 and all later ones.
  with located as materialized (
    select h.app_id, h.user_level, h.kind, width_bucket(v.duration, h.bounds) as place, sum(c.change) as change
      from staging.touched_level c
      cross join lateral (values
        ('first_observed', c.since_first_observed_ms), ('previous_level', c.since_previous_level_ms)
      ) v (kind, duration)
      join staging.touched_level_time t
        on t.app_id = c.app_id and t.user_level = c.user_level and t.kind = v.kind and not t.is_rebuilt
      join report.level_time_histogram h
        on h.app_id = c.app_id and h.user_level = c.user_level and h.kind = v.kind
      where c.change <> 0 and v.duration is not null
      group by h.app_id, h.user_level, h.kind, place
  ), changed as materialized (
    select app_id, user_level, kind, sum(change) as change from located group by app_id, user_level, kind
  ), counted as materialized (
    select n.app_id, n.user_level, n.kind, array_agg(n.count_below order by n.place) as counts_below
      from (
        select h.app_id, h.user_level, h.kind, b.place,
            (b.count_below + coalesce(sum(l.change) over (
              partition by h.app_id, h.user_level, h.kind order by b.place), 0))::integer as count_below
          from changed c
          join report.level_time_histogram h
            on h.app_id = c.app_id and h.user_level = c.user_level and h.kind = c.kind
          cross join unnest(h.counts_below) with ordinality b (count_below, place)
          left join located l
            on l.app_id = h.app_id and l.user_level = h.user_level and l.kind = h.kind and l.place = b.place - 1
      ) n
      group by n.app_id, n.user_level, n.kind
  )
  update report.level_time_histogram h
    set value_count = h.value_count + c.change,
      counts_below = coalesce(n.counts_below, '{}')
    from changed c
    left join counted n on n.app_id = c.app_id and n.user_level = c.user_level and n.kind = c.kind
    where h.app_id = c.app_id and h.user_level = c.user_level and h.kind = c.kind;

  -- The durations between the bounds of a percentile are too many, and they are not all equal.
  update staging.touched_level_time t
    set is_rebuilt = true
    from report.level_time_histogram h
    cross join (values (25), (50), (90)) p (percent)
    cross join lateral (
      select width_bucket((p.percent * (h.value_count - 1)::bigint / 100)::integer, h.counts_below) as place) b
    where h.app_id = t.app_id and h.user_level = t.user_level and h.kind = t.kind and not t.is_rebuilt
      and coalesce(h.counts_below[b.place + 1], h.value_count) - coalesce(h.counts_below[b.place], 0)
        > greatest(600, h.value_count / 50)
      and (h.bounds[b.place + 1] = h.bounds[b.place] + 1) is not true;
  analyze staging.touched_level_time;

  spans := array(select generate_series(min(reached_span), max(reached_span)) from report.player_level_rollup);
  for kind_name, kind_column in values ('first_observed', 'since_first_observed_ms'),
    ('previous_level', 'since_previous_level_ms')
  loop
    if exists (select 1 from staging.touched_level_time t where t.is_rebuilt and t.kind = kind_name) then
      -- Steps of 1/400 of the durations: each step near a percentile, and every twentieth elsewhere. A duration that
      -- fills a step by itself gets a bound behind it, too.
      execute format(
        $statement$
        insert into report.level_time_histogram as h (app_id, user_level, kind, value_count, bounds, counts_below)
          with value as (
            select r.app_id, r.user_level, r.%1$I as duration, count(*) as size
              from staging.touched_level_time t
              join report.player_level_rollup r on r.app_id = t.app_id and r.user_level = t.user_level
              where t.kind = %2$L and t.is_rebuilt and r.%1$I is not null
              group by r.app_id, r.user_level, r.%1$I
          ), ranked as (
            select v.*, (sum(v.size) over w - v.size)::bigint as count_below,
                (sum(v.size) over (partition by v.app_id, v.user_level))::bigint as total
              from value v
              window w as (partition by v.app_id, v.user_level order by v.duration)
          ), stepped as (
            select r.*, 400 * (r.count_below + r.size - 1) / r.total as step
              from ranked r
          ), bound as (
            select s.app_id, s.user_level, s.duration, s.count_below
              from stepped s
              where s.total > 600
                and (s.count_below = 0 or s.step > 400 * (s.count_below - 1) / s.total)
                and (s.step between 80 and 120 or s.step between 180 and 220 or s.step between 340 and 380
                  or mod(s.step, 20) = 0 or 400 * s.size > s.total)
            union
            select s.app_id, s.user_level, s.duration + 1, s.count_below + s.size
              from stepped s
              where s.total > 600 and 400 * s.size > s.total
          )
          select t.app_id, t.user_level, %2$L, coalesce(v.total, 0), coalesce(b.bounds, '{}'),
              coalesce(b.counts_below, '{}')
            from staging.touched_level_time t
            left join (select app_id, user_level, sum(size) as total from value group by app_id, user_level) v
              on v.app_id = t.app_id and v.user_level = t.user_level
            left join (
              select app_id, user_level, array_agg(duration order by duration) as bounds,
                  array_agg(count_below::integer order by duration) as counts_below
                from bound
                group by app_id, user_level
            ) b on b.app_id = t.app_id and b.user_level = t.user_level
            where t.kind = %2$L and t.is_rebuilt
          on conflict (app_id, user_level, kind) do update
            set value_count = excluded.value_count, bounds = excluded.bounds, counts_below = excluded.counts_below
        $statement$, kind_column, kind_name);
    end if;

    -- As percentile_cont does: between the durations of the two nearest ranks, by linear interpolation. Whole numbers
    -- until the one division, so the result does not depend on the bounds.
    execute format(
      $statement$
      with ranked as materialized (
        select h.app_id, h.user_level, p.place as percentile, e.is_upper, r.rank,
            mod(p.percent * (h.value_count - 1)::bigint, 100) as hundredths,
            coalesce(h.counts_below[b.place], 0) as count_below,
            coalesce(h.bounds[b.place], '-9223372036854775808'::bigint) as low,
            coalesce(h.bounds[b.place + 1], 9223372036854775807) as high
          from staging.touched_level_time t
          join report.level_time_histogram h
            on h.app_id = t.app_id and h.user_level = t.user_level and h.kind = t.kind
          cross join unnest('{25, 50, 90}'::integer[]) with ordinality p (percent, place)
          cross join (values (false), (true)) e (is_upper)
          cross join lateral (
            select p.percent * (h.value_count - 1)::bigint / 100 + case
              when e.is_upper and mod(p.percent * (h.value_count - 1)::bigint, 100) > 0 then 1 else 0 end as rank) r
          cross join lateral (select width_bucket(r.rank::integer, h.counts_below) as place) b
          where t.kind = %2$L and h.value_count > 0
      ), bucket as materialized (
        select k.app_id, k.user_level, k.low, v.durations
          from (select distinct app_id, user_level, low, high from ranked where high <> low + 1) k
          cross join lateral (
            select array_agg(r.%1$I order by r.%1$I) as durations
              from report.player_level_rollup r
              where r.app_id = k.app_id and r.user_level = k.user_level and r.reached_span = any ($1)
                and r.%1$I >= k.low and r.%1$I < k.high
          ) v
      ), ends as (
        select r.app_id, r.user_level, r.percentile, max(r.hundredths) as hundredths,
            max(d.duration) filter (where not r.is_upper) as low, max(d.duration) filter (where r.is_upper) as high
          from ranked r
          left join bucket b on b.app_id = r.app_id and b.user_level = r.user_level and b.low = r.low
          cross join lateral (
            select case when r.high = r.low + 1 then r.low
              else b.durations[r.rank - r.count_below + 1] end as duration) d
          group by r.app_id, r.user_level, r.percentile
      )
      update report.level_time_histogram h
        set minutes = n.minutes
        from (
          select e.app_id, e.user_level, array_agg(
              (e.low * 100 + (e.high - e.low) * e.hundredths)::double precision / 6000000
              order by e.percentile) as minutes
            from ends e
            group by e.app_id, e.user_level
        ) n
        where h.app_id = n.app_id and h.user_level = n.user_level and h.kind = %2$L
      $statement$, kind_column, kind_name) using spans;
  end loop;
  delete from report.level_time_histogram h
    using staging.touched_level_time t
    where h.app_id = t.app_id and h.user_level = t.user_level and h.kind = t.kind and h.value_count = 0;
end
$$;
revoke execute on function report.refresh_level_times from public;
comment on function report.refresh_level_times is
  'Computes the percentiles of the levels in staging.touched_level. Part of report.refresh_level_reports.';
