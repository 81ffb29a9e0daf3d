-- The rollup counts all trials; those that ended less than 16 days before the newest event of the feed are taken off.
-- Hours, because a day of an interval follows the clock of the session's zone.
create or replace view report.trial_conversion_by_month as
select
  t.app_id,
  t.gamebase_product_id,
  t.month,
  t.trial_count,
  t.converted_count,
  t.trial_count - t.converted_count - t.pending_count as lost_count,
  t.pending_count,
  round(t.converted_count::numeric / nullif(t.trial_count - t.pending_count, 0), 6)::numeric(7, 6) as rate,
  t.pending_count = 0 as is_mature,
  coalesce(n.product_name, t.gamebase_product_id, 'unknown') as product_name
from (
  select
    m.app_id,
    m.gamebase_product_id,
    m.month,
    sum(m.trial_count)::bigint as trial_count,
    sum(m.converted_count)::bigint as converted_count,
    coalesce(sum(m.trial_count) filter (
      where m.ends_at > coalesce(h.receipt_newest_at, '-infinity') - interval '384 hours'), 0)::bigint as pending_count
  from rollup.trial_month m
  join rollup.app_horizon h on h.app_id = m.app_id
  group by m.app_id, m.gamebase_product_id, m.month
) t
left join rollup.product_name n on n.app_id = t.app_id and n.gamebase_product_id = t.gamebase_product_id;

comment on view report.trial_conversion_by_month is
  'One row per application, product and month in which a trial began. Counts periods of price 0 without a promotion, also when the chain had paid periods before. A renewal of a trial by another trial continues it; a trial after a resubscription, or after a period that is not a trial, is one of its own. The first paid period after a trial converts it if that period is a renewal; of several trials before it, it converts each. Trials that start after the newest receipt count, too.';
comment on column report.trial_conversion_by_month.gamebase_product_id is 'Product of the trial, of trials in a row that of the first one; NULL when unknown.';
comment on column report.trial_conversion_by_month.month is 'First day of the month in which the trial starts, in the reporting zone.';
comment on column report.trial_conversion_by_month.trial_count is 'Trials that start in the month. The three counts that follow add up to it.';
comment on column report.trial_conversion_by_month.converted_count is
  'Trials that a converted period of the chain follows, of any product, also after periods that are not paid.';
comment on column report.trial_conversion_by_month.lost_count is
  'Trials that none follows, and whose end is 16 days or more before the newest event of the receipt feed. Late files can still convert them.';
comment on column report.trial_conversion_by_month.pending_count is 'The other trials, of which nothing is final yet.';
comment on column report.trial_conversion_by_month.rate is 'converted_count / (converted_count + lost_count); NULL when both are 0.';
comment on column report.trial_conversion_by_month.is_mature is 'True when no trial is pending.';
