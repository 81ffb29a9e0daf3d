-- The rollup counts all chains; those whose period has not yet ended 16 days before the newest event of the feed are taken off.
-- Hours, because a day of an interval follows the clock of the session's zone.
create or replace view report.subscription_retention as
select
  r.app_id,
  r.cohort_product_id as gamebase_product_id,
  r.cohort_month as month,
  r.cohort_started_as as started_as,
  r.renewal_number::bigint as renewal_number,
  r.chain_count - coalesce(o.chain_count, 0) as eligible,
  r.renewed_count - coalesce(o.renewed_count, 0) as retained,
  round((r.renewed_count - coalesce(o.renewed_count, 0))::numeric
    / nullif(r.chain_count - coalesce(o.chain_count, 0), 0), 6)::numeric(7, 6) as rate,
  o.chain_count is null as is_mature,
  coalesce(n.product_name, r.cohort_product_id, 'unknown') as product_name
from rollup.subscription_cohort r
left join (
  select p.app_id, p.cohort_product_id, p.cohort_month, p.cohort_started_as, p.renewal_number, count(*) as chain_count,
    count(*) filter (where p.is_renewed) as renewed_count
  from rollup.app_horizon h
  join rollup.subscription_period p
    on p.app_id = h.app_id and p.ends_at > coalesce(h.receipt_newest_at, '-infinity') - interval '384 hours'
  where p.renewal_number is not null
  group by p.app_id, p.cohort_product_id, p.cohort_month, p.cohort_started_as, p.renewal_number
) o on o.app_id = r.app_id and o.cohort_product_id is not distinct from r.cohort_product_id
  and o.cohort_month = r.cohort_month and o.cohort_started_as = r.cohort_started_as
  and o.renewal_number = r.renewal_number
left join rollup.product_name n on n.app_id = r.app_id and n.gamebase_product_id = r.cohort_product_id;

comment on view report.subscription_retention is
  'One row per application, product, month and kind of a subscription''s first period, and number of a period that any of these subscriptions has. Counts chains whose first period is new. A renewal under another product counts as a renewal.';
comment on column report.subscription_retention.gamebase_product_id is 'Product of the first period; NULL when unknown.';
comment on column report.subscription_retention.month is 'First day of the month in which the first period starts, in the reporting zone.';
comment on column report.subscription_retention.started_as is 'The first period: trial (free), paid, or other (a promotion, or without a price).';
comment on column report.subscription_retention.renewal_number is 'n: the step from the n-th period to the next one. A resubscription ends the count of a chain.';
comment on column report.subscription_retention.eligible is 'Chains whose n-th period ended 16 days or more before the newest event of the receipt feed.';
comment on column report.subscription_retention.retained is 'Those of them whose next period is a renewal.';
comment on column report.subscription_retention.rate is 'retained / eligible; NULL when no chain is eligible.';
comment on column report.subscription_retention.is_mature is 'True when the n-th period of each chain that has one ended 16 days or more before the newest event of the receipt feed.';
