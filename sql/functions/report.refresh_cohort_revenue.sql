-- The purchases of a cohort are read once for all its touched days: they are summed between one day_n and the next,
-- and these sums are added up.
create or replace function report.refresh_cohort_revenue() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  steps constant integer[] := array(select n.day_n from report.cohort_step n order by n.day_n);
  -- Behind each day_n begins the next step.
  limits constant integer[] := array(select n.day_n + 1 from report.cohort_step n order by n.day_n);
begin
  delete from report.cohort_revenue_rollup r
    using staging.touched_cohort t
    where r.cohort_on = t.cohort_on and r.app_id = t.app_id and r.cohort_kind = t.cohort_kind;
  delete from report.cohort_revenue_rollup r
    using staging.touched_cohort_day t
    where r.cohort_on = t.cohort_on and r.app_id = t.app_id and r.cohort_kind = t.cohort_kind
      and r.day_n = t.day_n;
  delete from report.cohort_revenue_rollup r
    using staging.touched_cohort_app a
    where (a.paid_through is null or a.paid_through < a.old_paid_through)
      and r.app_id = a.app_id and r.cohort_on + r.day_n > coalesce(a.paid_through, '-infinity');

  insert into report.cohort_revenue_rollup (cohort_on, app_id, cohort_kind, day_n, currency, payer_count,
      amount_minor)
    with member as (
      select s.cohort_on, s.app_id, s.cohort_kind, o.player_id
        from report.cohort_size_rollup s
        join report.first_observation o on o.app_id = s.app_id and o.first_observed_on = s.cohort_on
        where s.cohort_kind = 'first_observed'
          and exists (select 1 from staging.touched_cohort_day t
            where t.cohort_on = s.cohort_on and t.app_id = s.app_id and t.cohort_kind = s.cohort_kind)
      union all
      select s.cohort_on, s.app_id, s.cohort_kind, p.player_id
        from report.cohort_size_rollup s
        join report.player_rollup p on p.app_id = s.app_id and p.first_paid_on = s.cohort_on
        where s.cohort_kind = 'first_paid'
          and exists (select 1 from staging.touched_cohort_day t
            where t.cohort_on = s.cohort_on and t.app_id = s.app_id and t.cohort_kind = s.cohort_kind)
    ), payer as (
      -- Purchases before the cohort day count from day 0 on.
      select m.cohort_on, m.app_id, m.cohort_kind, m.player_id, r.currency,
          steps[1 + width_bucket(r.purchased_on - m.cohort_on, limits)] as step_n,
          sum(r.amount_minor) as amount_minor
        from member m
        join report.purchase_rollup r on r.player_id = m.player_id
        where r.is_paid and r.purchased_on - m.cohort_on <= steps[cardinality(steps)]
        group by m.cohort_on, m.app_id, m.cohort_kind, m.player_id, r.currency, step_n
    ), ranked as (
      select p.*, row_number() over (partition by p.player_id, p.currency, p.cohort_kind order by p.step_n) as place
        from payer p
    ), step as (
      select r.cohort_on, r.app_id, r.cohort_kind, r.currency, r.step_n,
          count(*) filter (where r.place = 1) as payer_count, sum(r.amount_minor) as amount_minor
        from ranked r
        group by r.cohort_on, r.app_id, r.cohort_kind, r.currency, r.step_n
    )
    select t.cohort_on, t.app_id, t.cohort_kind, t.day_n, s.currency, sum(s.payer_count), sum(s.amount_minor)
      from staging.touched_cohort_day t
      join step s on s.cohort_on = t.cohort_on and s.app_id = t.app_id and s.cohort_kind = t.cohort_kind
        and s.step_n <= t.day_n
      group by t.cohort_on, t.app_id, t.cohort_kind, t.day_n, s.currency;
end
$$;
revoke execute on function report.refresh_cohort_revenue from public;
comment on function report.refresh_cohort_revenue is
  'Sums the paid purchases of touched cohorts in report.cohort_revenue_rollup. Part of report.refresh_cohorts.';
