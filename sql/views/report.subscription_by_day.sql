-- Each day looks up the newest change at or before it, so that a filter on the day reads only those days. Equality of
-- replaced NULLs can use the index; no identifier is the empty text.
create or replace view report.subscription_by_day as
select
  s.app_id,
  s.gamebase_product_id,
  s.store_code,
  d.period_start as day,
  coalesce(r.active_paid, 0) as active_paid,
  coalesce(r.active_trial, 0) as active_trial,
  coalesce(r.active_other, 0) as active_other,
  case when r.day = d.period_start then r.new_count else 0 end as new_count,
  case when r.day = d.period_start then r.continued_count else 0 end as continued_count,
  case when r.day = d.period_start then r.converted_count else 0 end as converted_count,
  case when r.day = d.period_start then r.renewed_count else 0 end as renewed_count,
  case when r.day = d.period_start then r.resubscribed_count else 0 end as resubscribed_count,
  -- An expiry after the newest event of the feed does not count yet.
  case when r.day = d.period_start then r.expired_count else 0 end - coalesce(u.expiry_count, 0) as expired_count,
  case when r.day = d.period_start then r.overlapped_count else 0 end as overlapped_count,
  d.is_complete,
  -- Hours, because a day of an interval follows the clock of the session's zone.
  coalesce(d.ends_at <= d.receipt_newest_at - interval '384 hours', false) as is_expiry_final,
  coalesce(st.name, s.store_code, 'unknown') as store_name,
  coalesce(n.product_name, s.gamebase_product_id, 'unknown') as product_name
from (
  select distinct app_id, gamebase_product_id, store_code
  from rollup.subscription_day
) s
join rollup.money_period d on d.app_id = s.app_id and d.period = 'day'
left join lateral (
  select *
  from rollup.subscription_day t
  where t.app_id = s.app_id
    and coalesce(t.gamebase_product_id, '') = coalesce(s.gamebase_product_id, '')
    and coalesce(t.store_code, '') = coalesce(s.store_code, '')
    and t.day <= d.period_start
  order by t.day desc
  limit 1
) r on true
left join (
  select p.app_id, p.gamebase_product_id, p.store_code,
    (p.ends_at at time zone (select rollup.reporting_zone()))::date as day, count(*) as expiry_count
  from rollup.app_horizon n
  join rollup.subscription_period p on p.app_id = n.app_id and p.ends_at > coalesce(n.receipt_newest_at, '-infinity')
  where p.is_expiry and p.period_kind is not null
  group by 1, 2, 3, 4
) u
  on u.app_id = s.app_id
  and coalesce(u.gamebase_product_id, '') = coalesce(s.gamebase_product_id, '')
  and coalesce(u.store_code, '') = coalesce(s.store_code, '')
  and u.day = d.period_start
left join game.store st on st.store_code = s.store_code
left join rollup.product_name n on n.app_id = s.app_id and n.gamebase_product_id = s.gamebase_product_id;

comment on view report.subscription_by_day is
  'One row per application, product and store with any subscription, and day from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Counts periods of report.subscription_period. A renewal under another product ends nothing in the old one: the old period stops being active without an expiry. Google''s new order number after a change of plan begins a new chain, so the old one expires.';
comment on column report.subscription_by_day.active_paid is 'Paid periods that are active at the end of the day.';
comment on column report.subscription_by_day.active_trial is 'Trials that are active at the end of the day.';
comment on column report.subscription_by_day.active_other is 'Promotional and unpriced periods that are active at the end of the day.';
comment on column report.subscription_by_day.new_count is 'New periods that start on the day.';
comment on column report.subscription_by_day.continued_count is 'First known periods of chains with earlier payments that start on the day.';
comment on column report.subscription_by_day.converted_count is 'Renewals that start on the day and are the first paid period after a trial; renewed_count contains them.';
comment on column report.subscription_by_day.renewed_count is 'Renewals that start on the day.';
comment on column report.subscription_by_day.resubscribed_count is 'Resubscriptions that start on the day.';
comment on column report.subscription_by_day.expired_count is
  'Periods that end on the day, at or before the newest event of the receipt feed, without a renewal within 16 days as far as is known.';
comment on column report.subscription_by_day.overlapped_count is 'Overlapped periods that were bought on the day; no other count contains them.';
comment on column report.subscription_by_day.is_expiry_final is 'True when the receipts have gone 16 days past the day, so that no later renewal undoes an expiry.';
