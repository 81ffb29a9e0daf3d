create or replace view report.mrr_by_day as
select
  k.app_id,
  k.currency,
  d.period_start as day,
  round(coalesce(r.amount_twelfths, 0) / 12)::numeric(38, 0) as amount_minor,
  (round(coalesce(r.amount_twelfths, 0) / 12) * k.minor_unit_value)::numeric(38, 4) as amount,
  coalesce(r.unknown_length_count, 0) as unknown_length_count,
  d.is_complete
from rollup.paid_currency k
join rollup.money_period d on d.app_id = k.app_id and d.period = 'day'
left join lateral (
  select t.amount_twelfths, t.unknown_length_count
  from rollup.mrr_day t
  where t.app_id = k.app_id and t.currency = k.currency and t.day <= d.period_start
  order by t.day desc
  limit 1
) r on true;

comment on view report.mrr_by_day is
  'One row per application, currency in which it was ever paid, and day from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Monthly recurring revenue: the paid subscription periods that are active at the end of the day, each price taken to a month by the length of its period.';
comment on column report.mrr_by_day.amount_minor is
  'Sum of the monthly prices in the minor unit, exact and rounded once. Factors by length in days: 1 × 30, 3 × 10, 7 × 4, 14 × 2, 28 to 31 × 1, 59 to 62 / 2, 89 to 93 / 3, 180 to 186 / 6, 360 to 370 / 12.';
comment on column report.mrr_by_day.unknown_length_count is 'Active paid periods of another length, which the amounts do not include.';
