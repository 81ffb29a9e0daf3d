-- A view looks up the newest row at or before a day, so that it reads only the days that it is asked for.
create or replace function rollup.run_totals() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
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
  update rollup.mrr_day t
    set amount_twelfths = n.amount_twelfths, unknown_length_count = n.unknown_length_count
    from (
      select r.ctid as place, sum(r.twelfths_change) over price as amount_twelfths,
          sum(r.unknown_length_change) over price as unknown_length_count
        from rollup.mrr_day r
        where r.app_id in (select c.app_id from pg_temp.change_mrr_day c)
        window price as (partition by r.app_id, r.currency order by r.day)
    ) n
    where t.ctid = n.place and (t.amount_twelfths, t.unknown_length_count) <> (n.amount_twelfths, n.unknown_length_count);
  update rollup.churn_month t
    set active_at_start = n.active_at_start
    from (
      select r.ctid as place, sum(r.active_change) over (
            partition by r.app_id, r.gamebase_product_id order by r.month) as active_at_start
        from rollup.churn_month r
        where r.app_id in (select c.app_id from pg_temp.change_churn_month c)
    ) n
    where t.ctid = n.place and t.active_at_start <> n.active_at_start;
end
$$;
comment on function rollup.run_totals is
  'Sets the running totals of rollup.subscription_day, rollup.mrr_day and rollup.churn_month, for the applications with a change. Part of rollup.add_sums.';
