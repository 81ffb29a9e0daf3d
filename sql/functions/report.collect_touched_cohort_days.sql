create or replace function report.collect_touched_cohort_days() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := report.reporting_zone();
begin
  insert into staging.touched_cohort_day (cohort_on, app_id, cohort_kind, day_n)
    -- A user joined or left the cohort.
    select s.cohort_on, s.app_id, s.cohort_kind, n.day_n
      from staging.touched_cohort t
      join report.cohort_size_rollup s
        on s.cohort_on = t.cohort_on and s.app_id = t.app_id and s.cohort_kind = t.cohort_kind
      join staging.touched_cohort_app a on a.app_id = s.app_id
      cross join report.cohort_step n
      where s.cohort_on + n.day_n <= a.paid_through
    union
    -- A user of the cohort has a touched receipt. No receipt before "since" is touched.
    select c.cohort_on, c.app_id, c.cohort_kind, n.day_n
      from (
        select o.first_observed_on as cohort_on, o.app_id, 'first_observed' as cohort_kind, min(t.since) as since
          from staging.touched_player t
          join report.first_observation o on o.player_id = t.player_id
          where t.has_receipt
          group by o.first_observed_on, o.app_id
        union all
        select p.first_paid_on, p.app_id, 'first_paid', min(t.since)
          from staging.touched_player t
          join report.player_rollup p on p.player_id = t.player_id
          where t.has_receipt and p.first_paid_on is not null
          group by p.first_paid_on, p.app_id
      ) c
      join staging.touched_cohort_app a on a.app_id = c.app_id
      cross join report.cohort_step n
      where c.cohort_on + n.day_n between (c.since at time zone zone)::date and a.paid_through
    union
    -- The receipts have gone past the day since the last refresh.
    select s.cohort_on, s.app_id, s.cohort_kind, n.day_n
      from report.cohort_size_rollup s
      join staging.touched_cohort_app a on a.app_id = s.app_id
      cross join report.cohort_step n
      where s.cohort_on + n.day_n <= a.paid_through
        and s.cohort_on + n.day_n > coalesce(a.old_paid_through, '-infinity');
  analyze staging.touched_cohort_day;
end
$$;
revoke execute on function report.collect_touched_cohort_days from public;
comment on function report.collect_touched_cohort_days is
  'Finds the cohorts and days after them whose conversion and revenue changed or became mature. Part of report.refresh_cohorts.';
