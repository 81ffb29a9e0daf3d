create or replace function report.refresh_retention() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from report.cohort_day_rollup r
    using staging.touched_cohort t
    where t.cohort_kind = 'first_observed' and r.first_observed_on = t.cohort_on and r.app_id = t.app_id
      and not exists (select 1 from report.cohort_size_rollup s
        where s.cohort_on = t.cohort_on and s.app_id = t.app_id and s.cohort_kind = t.cohort_kind);

  -- All days of a touched cohort; of the others, those that fall on a touched day.
  insert into report.cohort_day_rollup as r (first_observed_on, app_id, day_n, cohort_size, observed_count)
    with cell as materialized (
      select s.cohort_on, s.app_id, n.day_n, s.cohort_size
        from staging.touched_cohort t
        join report.cohort_size_rollup s
          on s.cohort_on = t.cohort_on and s.app_id = t.app_id and s.cohort_kind = t.cohort_kind
        cross join report.cohort_step n
        where t.cohort_kind = 'first_observed'
      union
      select s.cohort_on, s.app_id, n.day_n, s.cohort_size
        from staging.touched_day t
        cross join report.cohort_step n
        join report.cohort_size_rollup s
          on s.cohort_on = t.day - n.day_n and s.app_id = t.app_id and s.cohort_kind = 'first_observed'
    ), observed as (
      select c.cohort_on, c.app_id, c.day_n, count(*) as observed_count
        from cell c
        join report.first_observation o on o.app_id = c.app_id and o.first_observed_on = c.cohort_on
        join report.player_day_rollup d on d.player_id = o.player_id and d.day = c.cohort_on + c.day_n
        where d.is_observed
        group by c.cohort_on, c.app_id, c.day_n
    )
    select c.cohort_on, c.app_id, c.day_n, c.cohort_size, coalesce(o.observed_count, 0)
      from cell c
      left join observed o on o.cohort_on = c.cohort_on and o.app_id = c.app_id and o.day_n = c.day_n
    on conflict (first_observed_on, app_id, day_n) do update
      set cohort_size = excluded.cohort_size, observed_count = excluded.observed_count
      where (r.cohort_size, r.observed_count) is distinct from (excluded.cohort_size, excluded.observed_count);
end
$$;
revoke execute on function report.refresh_retention from public;
comment on function report.refresh_retention is
  'Counts the observed users of touched cohorts and days in report.cohort_day_rollup. Part of report.refresh_cohorts.';
