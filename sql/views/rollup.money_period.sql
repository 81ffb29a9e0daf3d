create or replace view rollup.money_period as
select
  h.app_id,
  c.period,
  c.period_start,
  c.last_day,
  c.starts_at,
  c.ends_at,
  h.receipt_newest_at,
  coalesce(c.starts_at >= h.receipt_first_at and c.ends_at <= h.receipt_trusted_at, false) as is_complete
from rollup.app_horizon h
join rollup.calendar_period c on c.ends_at > h.money_first_at and c.starts_at <= h.money_newest_at
-- The calendar goes on for decades.
where c.starts_at <= (select max(money_newest_at) from rollup.app_horizon);

comment on view rollup.money_period is
  'One row per application and day, week and month from its first to its newest receipt. Read by: the views of money.';
comment on column rollup.money_period.last_day is 'Last day of the period.';
comment on column rollup.money_period.receipt_newest_at is 'Time of the newest event of the feed that money views follow.';
