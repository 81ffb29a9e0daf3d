create or replace function report.refresh_conversion() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  update report.cohort_day_rollup r set converted_count = null
    from staging.touched_cohort_app a
    where (a.paid_through is null or a.paid_through < a.old_paid_through)
      and r.app_id = a.app_id and r.converted_count is not null
      and r.first_observed_on + r.day_n > coalesce(a.paid_through, '-infinity');

  -- A purchase before the first observation (a subscription that a store continued) counts from day 0 on.
  with converted as (
    select t.cohort_on, t.app_id, t.day_n, count(p.player_id) as converted_count
      from staging.touched_cohort_day t
      join report.first_observation o on o.app_id = t.app_id and o.first_observed_on = t.cohort_on
      left join report.player_rollup p
        on p.player_id = o.player_id and p.first_paid_on <= t.cohort_on + t.day_n
      where t.cohort_kind = 'first_observed'
      group by t.cohort_on, t.app_id, t.day_n
  )
  update report.cohort_day_rollup r set converted_count = c.converted_count
    from converted c
    where r.first_observed_on = c.cohort_on and r.app_id = c.app_id and r.day_n = c.day_n
      and r.converted_count is distinct from c.converted_count;
end
$$;
revoke execute on function report.refresh_conversion from public;
comment on function report.refresh_conversion is
  'Counts the paying users of touched cohorts in report.cohort_day_rollup. Part of report.refresh_cohorts.';
