create or replace view report.subscription_by_day as
select
  r.app_id,
  r.gamebase_product_id,
  r.store_code,
  r.day,
  r.active_paid,
  r.active_trial,
  r.active_other,
  r.new_count,
  r.continued_count,
  r.converted_count,
  r.renewed_count,
  r.resubscribed_count,
  r.expired_count,
  r.overlapped_count,
  d.starts_at >= h.receipt_first_at and d.ends_at <= h.receipt_newest_at as is_complete,
  -- Hours, because a day of an interval follows the clock of the session's zone.
  d.ends_at <= h.receipt_newest_at - interval '384 hours' as is_expiry_final
from report.subscription_day_rollup r
join report.app_horizon h on h.app_id = r.app_id
join report.calendar_period d on d.period = 'day' and d.period_start = r.day;

comment on view report.subscription_by_day is
  'One row per application, product and store with any subscription, and day from the application''s first receipt to its newest. Counts periods of report.subscription_period. A renewal under another product ends nothing in the old one: the old period stops being active without an expiry. Google''s new order number after a change of plan begins a new chain, so the old one expires.';
comment on column report.subscription_by_day.app_id is 'The application; empty when unknown.';
comment on column report.subscription_by_day.gamebase_product_id is 'The product; NULL when unknown.';
comment on column report.subscription_by_day.store_code is 'Code of the store, as written in the receipts; NULL when missing.';
comment on column report.subscription_by_day.day is 'Day in the reporting zone.';
comment on column report.subscription_by_day.active_paid is 'Paid periods that are active at the end of the day.';
comment on column report.subscription_by_day.active_trial is 'Trials that are active at the end of the day.';
comment on column report.subscription_by_day.active_other is 'Promotional and unpriced periods that are active at the end of the day.';
comment on column report.subscription_by_day.new_count is 'New periods that start on the day.';
comment on column report.subscription_by_day.continued_count is 'First known periods of chains with earlier payments that start on the day.';
comment on column report.subscription_by_day.converted_count is 'Renewals that start on the day and are the first paid period after a trial; renewed_count contains them.';
comment on column report.subscription_by_day.renewed_count is 'Renewals that start on the day.';
comment on column report.subscription_by_day.resubscribed_count is 'Resubscriptions that start on the day.';
comment on column report.subscription_by_day.expired_count is
  'Periods that end on the day, at or before the newest receipt, without a renewal within 16 days as far as is known.';
comment on column report.subscription_by_day.overlapped_count is 'Overlapped periods that were bought on the day; no other count contains them.';
comment on column report.subscription_by_day.is_complete is 'True when the receipts of the application begin before the day and have gone past it. Late files can still change it.';
comment on column report.subscription_by_day.is_expiry_final is 'True when the receipts have gone 16 days past the day, so that no later renewal undoes an expiry.';
