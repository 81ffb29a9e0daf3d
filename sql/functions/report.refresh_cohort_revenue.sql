-- Purchases through a day are all purchases of the cohort without those after the day. All purchases are summed up by
-- player already, and of most touched days, few purchases come after them. They are read once for all touched days of
-- the cohort, summed between one day_n and the next.
create or replace function report.refresh_cohort_revenue() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The planner cannot know how many rows the steps of a statement have. A hash join is never slow.
set enable_nestloop = off
as $$
declare
  steps constant integer[] := array(select n.day_n from report.cohort_step n order by n.day_n);
  -- Behind each day_n begins the next step.
  limits constant integer[] := array(select n.day_n + 1 from report.cohort_step n order by n.day_n);
  first_day constant date := (select min(t.cohort_on + t.day_n) from staging.touched_cohort_day t);
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
    with cohort as (
      select cohort_on, app_id, cohort_kind, min(day_n) as first_n
        from staging.touched_cohort_day
        group by cohort_on, app_id, cohort_kind
    ), member as materialized (
      select c.*, o.player_id
        from cohort c
        join report.first_observation o on o.app_id = c.app_id and o.first_observed_on = c.cohort_on
        where c.cohort_kind = 'first_observed'
      union all
      select c.*, p.player_id
        from cohort c
        join report.player_rollup p on p.app_id = c.app_id and p.first_paid_on = c.cohort_on
        where c.cohort_kind = 'first_paid'
    ), payer as materialized (
      select m.cohort_on, m.app_id, m.cohort_kind, r.currency, r.first_paid_on, r.amount_minor
        from member m join report.player_currency_rollup r on r.player_id = m.player_id
    ), later as (
      -- A purchase behind the last day_n is in no cell.
      select m.cohort_on, m.app_id, m.cohort_kind, r.currency,
          steps[1 + width_bucket(r.purchased_on - m.cohort_on, limits)] as step_n, sum(r.amount_minor) as amount_minor
        from member m join report.purchase_rollup r on r.player_id = m.player_id
        where r.is_paid and r.purchased_on > first_day and r.purchased_on > m.cohort_on + m.first_n
        group by m.cohort_on, m.app_id, m.cohort_kind, r.currency, step_n
    ), total as (
      select t.cohort_on, t.app_id, t.cohort_kind, t.day_n, p.currency,
          count(*) filter (where p.first_paid_on <= t.cohort_on + t.day_n) as payer_count,
          sum(p.amount_minor) as amount_minor
        from staging.touched_cohort_day t
        join payer p on p.cohort_on = t.cohort_on and p.app_id = t.app_id and p.cohort_kind = t.cohort_kind
        group by t.cohort_on, t.app_id, t.cohort_kind, t.day_n, p.currency
    ), behind as (
      select t.cohort_on, t.app_id, t.cohort_kind, t.day_n, l.currency, sum(l.amount_minor) as amount_minor
        from staging.touched_cohort_day t
        join later l on l.cohort_on = t.cohort_on and l.app_id = t.app_id and l.cohort_kind = t.cohort_kind
          and (l.step_n > t.day_n or l.step_n is null)
        group by t.cohort_on, t.app_id, t.cohort_kind, t.day_n, l.currency
    )
    select t.cohort_on, t.app_id, t.cohort_kind, t.day_n, t.currency, t.payer_count,
        t.amount_minor - coalesce(b.amount_minor, 0)
      from total t
      left join behind b on b.cohort_on = t.cohort_on and b.app_id = t.app_id and b.cohort_kind = t.cohort_kind
        and b.day_n = t.day_n and b.currency = t.currency
      where t.payer_count > 0;
end
$$;
revoke execute on function report.refresh_cohort_revenue from public;
comment on function report.refresh_cohort_revenue is
  'Sums the paid purchases of touched cohorts in report.cohort_revenue_rollup. Part of report.refresh_cohorts.';
