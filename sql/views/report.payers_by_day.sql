create or replace view report.payers_by_day as
select
  period_start as day,
  app_id,
  payer_count,
  new_payer_count,
  repeat_payer_count,
  is_complete
from report.payers_by_period
where period = 'day';

comment on view report.payers_by_day is
  'One row per day and application: the days of report.payers_by_period. Users do not add up over rows.';
comment on column report.payers_by_day.day is 'The day, in the reporting zone.';
comment on column report.payers_by_day.app_id is 'The application; empty when unknown.';
comment on column report.payers_by_day.payer_count is 'Users with a paid purchase on that day (PU in the vendor''s console).';
comment on column report.payers_by_day.new_payer_count is 'Payers whose first paid purchase in the application falls on that day (NPU in the vendor''s console).';
comment on column report.payers_by_day.repeat_payer_count is 'Payers who paid before that day. new_payer_count and repeat_payer_count add up to payer_count.';
comment on column report.payers_by_day.is_complete is 'True when the receipts of the application begin before the day and have gone past it and no day before its end is open (see report.open_failure). Late files can still change it.';
