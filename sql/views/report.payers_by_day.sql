create or replace view report.payers_by_day as
with payer_day as (
  select distinct
    (purchased_at at time zone report.time_zone())::date as purchased_on, app_id, user_id
  from game.receipt
  where is_sandbox is not true
), first_day as (
  select app_id, user_id, min(purchased_on) as first_on
  from payer_day
  group by app_id, user_id
)
select
  d.purchased_on,
  d.app_id,
  count(*) as payer_count,
  count(*) filter (where d.purchased_on = f.first_on) as new_payer_count,
  count(*) filter (where d.purchased_on > f.first_on) as repeat_payer_count
from payer_day d
join first_day f on f.app_id = d.app_id and f.user_id = d.user_id
group by d.purchased_on, d.app_id;

comment on view report.payers_by_day is
  'One row per day and application. Counts users with at least one purchase; sandbox purchases are excluded.';
comment on column report.payers_by_day.purchased_on is 'Day in report.time_zone().';
comment on column report.payers_by_day.app_id is 'The application; empty when unknown.';
comment on column report.payers_by_day.payer_count is 'Users with a purchase on that day (PU in the vendor''s console).';
comment on column report.payers_by_day.new_payer_count is 'Payers without an earlier purchase in the loaded receipts (NPU in the vendor''s console).';
comment on column report.payers_by_day.repeat_payer_count is 'Payers with a purchase on an earlier day. new_payer_count and repeat_payer_count add up to payer_count.';
