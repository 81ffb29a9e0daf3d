create or replace function report.refresh_cohort_sizes() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from report.cohort_size_rollup r
    using staging.touched_cohort t
    where r.cohort_on = t.cohort_on and r.app_id = t.app_id and r.cohort_kind = t.cohort_kind;
  insert into report.cohort_size_rollup (cohort_on, app_id, cohort_kind, cohort_size)
    select t.cohort_on, t.app_id, t.cohort_kind, count(*)
      from staging.touched_cohort t
      join report.first_observation o on o.app_id = t.app_id and o.first_observed_on = t.cohort_on
      where t.cohort_kind = 'first_observed'
      group by t.cohort_on, t.app_id, t.cohort_kind
    union all
    select t.cohort_on, t.app_id, t.cohort_kind, count(*)
      from staging.touched_cohort t
      join report.player_rollup p on p.app_id = t.app_id and p.first_paid_on = t.cohort_on
      where t.cohort_kind = 'first_paid'
      group by t.cohort_on, t.app_id, t.cohort_kind;
  -- Without statistics, as in a full refresh, the planner expects a few cohorts and reads the days of players one by
  -- one.
  if (select count(*) from staging.touched_cohort) > 1000 then
    analyze report.cohort_size_rollup;
  end if;
end
$$;
revoke execute on function report.refresh_cohort_sizes from public;
comment on function report.refresh_cohort_sizes is
  'Counts the users of the touched cohorts in report.cohort_size_rollup. Part of report.refresh_cohorts.';
