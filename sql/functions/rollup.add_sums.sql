-- A rebuild adds the difference between the sums of all rows and the stored ones, so it writes nothing where they agree.
-- The rows are written in the order of the key: the index grows at its end and is a fifth smaller, and a query of some
-- days reads neighbouring pages.
create or replace function rollup.add_sums(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  changed record;
  emptied tid[];
begin
  perform rollup.convert_payments();
  for changed in
    select s.name, array_to_string(s.keys, ', ') as keys, array_to_string(s.counts, ', ') as counts, s.counts[1] as row_count,
        string_agg(format('sum(%I)', c.name), ', ' order by c.place) as added,
        string_agg(format('-%I', c.name), ', ' order by c.place) as removed,
        string_agg('0', ', ') as none,
        string_agg(format('%1$I = t.%1$I + excluded.%1$I', c.name), ', ' order by c.place) as sums
      from rollup.sums() s cross join unnest(s.counts) with ordinality c (name, place)
      group by s.name, s.keys, s.counts
      order by s.name
  loop
    execute format(
      'with change as (
         select %1$s, %2$s from (select %1$s, %3$s from pg_temp.change_%4$s %5$s) c group by %1$s having (%2$s) <> (%6$s)
       ), changed as (
         insert into rollup.%4$I as t (%1$s, %3$s) select * from change order by %1$s
           on conflict on constraint %4$s_key do update set %7$s
           returning t.ctid as place, t.%8$I as row_count
       )
       select array_agg(place) from changed where row_count = 0',
      changed.keys, changed.added, changed.counts, changed.name,
      case when p_is_full then format('union all select %s, %s from rollup.%I', changed.keys, changed.removed, changed.name)
        else '' end,
      changed.none, changed.sums, changed.row_count)
      into emptied;
    if emptied is not null then
      execute format('delete from rollup.%I t where t.ctid = any ($1)', changed.name) using emptied;
    end if;
  end loop;

  -- Percentiles, from the buckets. Kept, because a view of all buckets of an application takes some tenths of a second.
  delete from rollup.level_percentile p
    where p_is_full or exists (
      select from pg_temp.change_level_time n where n.app_id = p.app_id and n.user_level = p.user_level and n.kind = p.kind);
  insert into rollup.level_percentile (app_id, user_level, kind, user_count, p25_minutes, p50_minutes, p90_minutes)
    select t.app_id, t.user_level, t.kind, t.user_count, min(t.minutes) filter (where t.through >= t.user_count * 0.25),
        min(t.minutes) filter (where t.through >= t.user_count * 0.5),
        min(t.minutes) filter (where t.through >= t.user_count * 0.9)
      from (
        select d.app_id, d.user_level, d.kind, sum(d.user_count) over (level order by d.bucket) as through,
            sum(d.user_count) over level as user_count,
            -- The middle of the bucket; below 16 s the second itself.
            (case when d.bucket < 16 then d.bucket
              else (2 * (d.bucket % 8 + 8) + 1) * 2::double precision ^ (d.bucket / 8 - 2) end) / 60 as minutes
          from rollup.level_time d
          where (d.app_id, d.user_level, d.kind) in (
            select n.app_id, n.user_level, n.kind from pg_temp.change_level_time n)
          window level as (partition by d.app_id, d.user_level, d.kind)
      ) t
      group by t.app_id, t.user_level, t.kind, t.user_count;

  -- Running totals. The view looks up the newest row at or before a day, so that it reads only the days that it is asked
  -- for: an old receipt gives each product thousands.
  update rollup.subscription_day t
    set active_paid = n.active_paid, active_trial = n.active_trial, active_other = n.active_other
    from (
      select r.ctid as place, sum(r.paid_change) over product as active_paid,
          sum(r.trial_change) over product as active_trial, sum(r.other_change) over product as active_other
        from rollup.subscription_day r
        where r.app_id in (select c.app_id from pg_temp.change_subscription_day c)
        window product as (partition by r.app_id, r.gamebase_product_id, r.store_code order by r.day)
    ) n
    where t.ctid = n.place
      and (t.active_paid, t.active_trial, t.active_other) <> (n.active_paid, n.active_trial, n.active_other);
  perform rollup.refresh_concentration(p_is_full);
end
$$;
comment on function rollup.add_sums is
  'Adds what the program has counted (pg_temp.change_…) to all sums, deletes rows that count nothing any more, and computes again what does not add up. Part of rollup.finish_refresh.';
