create or replace view report.payers_by_period as
select
  c.period,
  c.period_start,
  c.app_id,
  coalesce(r.payer_count, 0) as payer_count,
  coalesce(r.new_payer_count, 0) as new_payer_count,
  coalesce(r.payer_count - r.new_payer_count, 0) as repeat_payer_count,
  c.is_complete
from rollup.money_period c
left join rollup.player_period r
  on r.app_id = c.app_id and r.period = c.period and r.period_start = c.period_start;

comment on view report.payers_by_period is
  'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Users do not add up over rows.';
comment on column report.payers_by_period.payer_count is 'Users with a paid purchase in the period (PU in the vendor''s console).';
comment on column report.payers_by_period.new_payer_count is 'Payers whose first paid purchase in the application falls into the period (NPU in the vendor''s console).';
comment on column report.payers_by_period.repeat_payer_count is 'Payers who paid before the period. new_payer_count and repeat_payer_count add up to payer_count.';
