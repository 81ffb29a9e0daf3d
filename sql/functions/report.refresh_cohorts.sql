-- Retention counts one day, so a touched day changes ten cells of an application. Conversion and revenue add up days:
-- one purchase changes all later cells of its cohort. So these are kept only through the last day that the receipts
-- have gone past, and a night computes the cells of the days that it touches or completes. The cells of later days
-- are immature, and no view shows their figures.
create or replace function report.refresh_cohorts() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform report.empty_working_tables('staging.touched_cohort', 'staging.touched_cohort_day',
    'staging.touched_cohort_app');
  insert into staging.touched_cohort_app (app_id, observed_through, paid_through, old_paid_through)
    -- The day of the horizon has not ended, the day before it has.
    select app_id,
        (select max(c.period_start) - 1 from report.calendar_period c
          where c.period = 'day' and c.starts_at <= h.horizon_at),
        (select max(c.period_start) - 1 from report.calendar_period c
          where c.period = 'day' and c.starts_at <= h.receipt_newest_at),
        r.paid_through
      from report.app_horizon h full join report.cohort_app_rollup r using (app_id);
  analyze staging.touched_cohort_app;

  -- The cohorts before and after. In a full refresh, all of them.
  insert into staging.touched_cohort (cohort_on, app_id, cohort_kind)
    select c.cohort_on, t.app_id, 'first_observed'
      from staging.touched_player t
      left join report.first_observation o on o.player_id = t.player_id,
        lateral (values (t.first_observed_on), (o.first_observed_on)) c (cohort_on)
      where c.cohort_on is not null
        and (t.first_observed_on is distinct from o.first_observed_on or t.since = '-infinity')
    union
    select c.cohort_on, t.app_id, 'first_paid'
      from staging.touched_player t
      left join report.player_rollup p on p.player_id = t.player_id,
        lateral (values (t.first_paid_on), (p.first_paid_on)) c (cohort_on)
      where t.has_receipt and c.cohort_on is not null
        and (t.first_paid_on is distinct from p.first_paid_on or t.since = '-infinity');
  analyze staging.touched_cohort;

  perform report.refresh_cohort_sizes();
  perform report.refresh_retention();
  perform report.collect_touched_cohort_days();
  perform report.refresh_conversion();
  perform report.refresh_cohort_revenue();
  perform report.refresh_concentration();

  delete from report.cohort_app_rollup;
  insert into report.cohort_app_rollup (app_id, observed_through, paid_through)
    select t.app_id, t.observed_through, t.paid_through
      from staging.touched_cohort_app t
      where t.observed_through is not null;
  -- Autovacuum never analyzes such small tables. Without statistics the planner expects thousands of rows in them, and
  -- compiles the queries of the views (JIT).
  analyze report.cohort_step;
  analyze report.cohort_app_rollup;
  perform report.empty_working_tables('staging.touched_cohort', 'staging.touched_cohort_day',
    'staging.touched_cohort_app');
end
$$;
revoke execute on function report.refresh_cohorts from public;
comment on function report.refresh_cohorts is
  'Computes the touched cohorts, their retention, conversion and revenue, and the concentration of payers. Part of report.refresh.';
