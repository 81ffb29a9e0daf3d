-- The join replaces NULL, because only an equality can use a hash. No identifier is the empty text.
create or replace view report.churn_by_month as
select
  f.app_id,
  f.gamebase_product_id,
  f.month,
  f.active_at_start,
  f.churned_count,
  round(f.churned_count::numeric / nullif(f.active_at_start, 0), 6)::numeric(7, 6) as rate,
  f.is_complete,
  coalesce(n.product_name, f.gamebase_product_id, 'unknown') as product_name
from (
  select
    s.app_id,
    s.gamebase_product_id,
    m.period_start as month,
    coalesce(sum(r.active_change) over (partition by s.app_id, s.gamebase_product_id order by m.period_start), 0)::bigint
      as active_at_start,
    case when m.ends_at <= m.receipt_newest_at then coalesce(r.churned_count, 0) end as churned_count,
    -- Hours, because a day of an interval follows the clock of the session's zone.
    m.is_complete and coalesce(m.ends_at <= m.receipt_newest_at - interval '384 hours', false) as is_complete
  from (
    select distinct app_id, gamebase_product_id
    from rollup.churn_month
  ) s
  join rollup.money_period m on m.app_id = s.app_id and m.period = 'month'
  left join rollup.churn_month r
    on r.app_id = s.app_id
    and coalesce(r.gamebase_product_id, '') = coalesce(s.gamebase_product_id, '')
    and r.month = m.period_start
) f
left join rollup.product_name n on n.app_id = f.app_id and n.gamebase_product_id = f.gamebase_product_id;

comment on view report.churn_by_month is
  'One row per application, product with any subscription, and month from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Counts chains of report.subscription_period that are active: with a paid period at the instant, or within the at most 16 days between a paid period and its renewal, whether that is paid or not. A month that has not ended at the newest event of the receipt feed has active_at_start alone.';
comment on column report.churn_by_month.gamebase_product_id is 'Product of the period that runs at the start of the month, or ended before its renewal; NULL when unknown.';
comment on column report.churn_by_month.active_at_start is 'Chains that are active at the start of the month. Each chain is in one product.';
comment on column report.churn_by_month.churned_count is
  'Those of them that are not active at the end of the month, in any product. A chain that comes back later in the same month is no churn; NULL while the month has not ended.';
comment on column report.churn_by_month.rate is 'churned_count / active_at_start; NULL when no chain is active at the start.';
comment on column report.churn_by_month.is_complete is
  'True when the receipts of the application begin before the month and have gone 16 days past it, so that no later renewal undoes a churn. Late files can still change it.';
