-- A view looks up the newest row at or before a day, so that it reads only the days that it is asked for. The totals
-- change from the first changed day of a product or a currency on, so the days before it are not read.
create or replace function rollup.run_subscription_totals() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  is_full constant boolean := (select c.is_full from pg_temp.current_refresh c);
begin
  with change as materialized (
    select c.app_id, c.product, c.store,
        case when is_full then '-infinity' else min(least(c.starts_on, c.ends_on, c.purchased_on)) end as first_day
      from (
        -- No identifier is the empty text, and equality can use the index.
        select app_id, coalesce(gamebase_product_id, '') as product, coalesce(store_code, '') as store, starts_on,
            ends_on, purchased_on
          from pg_temp.subscription_period_change
      ) c
      group by c.app_id, c.product, c.store
  ), begun as materialized (
    select c.*, coalesce(b.active_paid, 0) as active_paid, coalesce(b.active_trial, 0) as active_trial,
        coalesce(b.active_other, 0) as active_other
      from change c
      left join lateral (
        select d.active_paid, d.active_trial, d.active_other
          from rollup.subscription_day d
          where d.app_id = c.app_id and coalesce(d.gamebase_product_id, '') = c.product
            and coalesce(d.store_code, '') = c.store and d.day < c.first_day
          order by d.day desc
          limit 1
      ) b on true
  )
  update rollup.subscription_day t
    set active_paid = n.active_paid, active_trial = n.active_trial, active_other = n.active_other
    from (
      select r.ctid as place, b.active_paid + sum(r.paid_change) over product as active_paid,
          b.active_trial + sum(r.trial_change) over product as active_trial,
          b.active_other + sum(r.other_change) over product as active_other
        from begun b
        join rollup.subscription_day r
          on r.app_id = b.app_id and coalesce(r.gamebase_product_id, '') = b.product
            and coalesce(r.store_code, '') = b.store and r.day >= b.first_day
        window product as (partition by b.app_id, b.product, b.store order by r.day)
    ) n
    where t.ctid = n.place
      and (t.active_paid, t.active_trial, t.active_other) <> (n.active_paid, n.active_trial, n.active_other);

  with change as materialized (
    select c.app_id, c.currency,
        case when is_full then '-infinity' else min(least(c.starts_on, c.ends_on)) end as first_day
      from pg_temp.subscription_period_change c
      group by c.app_id, c.currency
  ), begun as materialized (
    select c.*, coalesce(b.amount_twelfths, 0) as amount_twelfths, coalesce(b.unknown_length_count, 0) as unknown_length_count
      from change c
      left join lateral (
        select d.amount_twelfths, d.unknown_length_count
          from rollup.mrr_day d
          where d.app_id = c.app_id and d.currency = c.currency and d.day < c.first_day
          order by d.day desc
          limit 1
      ) b on true
  )
  update rollup.mrr_day t
    set amount_twelfths = n.amount_twelfths, unknown_length_count = n.unknown_length_count
    from (
      select r.ctid as place, b.amount_twelfths + sum(r.twelfths_change) over price as amount_twelfths,
          b.unknown_length_count + sum(r.unknown_length_change) over price as unknown_length_count
        from begun b
        join rollup.mrr_day r on r.app_id = b.app_id and r.currency = b.currency and r.day >= b.first_day
        window price as (partition by b.app_id, b.currency order by r.day)
    ) n
    where t.ctid = n.place and (t.amount_twelfths, t.unknown_length_count) <> (n.amount_twelfths, n.unknown_length_count);

  update rollup.churn_month t
    set active_at_start = n.active_at_start
    from (
      select r.ctid as place, sum(r.active_change) over (
            partition by r.app_id, r.gamebase_product_id order by r.month) as active_at_start
        from rollup.churn_month r
        where exists (select 1 from pg_temp.subscription_period_change c where c.app_id = r.app_id)
    ) n
    where t.ctid = n.place and t.active_at_start <> n.active_at_start;
end
$$;
revoke execute on function rollup.run_subscription_totals from public;
comment on function rollup.run_subscription_totals is
  'Sets the running totals of rollup.subscription_day and rollup.mrr_day, from the first changed day of each product and each currency on, and those of rollup.churn_month. Part of rollup.finish_refresh.';
