create or replace view report.mrr_by_day as
select
  t.app_id,
  t.currency,
  t.day,
  round(t.amount_twelfths / 12)::numeric(38, 0) as amount_minor,
  (round(t.amount_twelfths / 12) * t.minor_unit_value)::numeric(38, 4) as amount,
  t.unknown_length_count,
  t.is_complete
from (
  select
    k.app_id,
    k.currency,
    d.period_start as day,
    coalesce(sum(r.twelfths_change) over days, 0) as amount_twelfths,
    coalesce(sum(r.unknown_length_change) over days, 0)::bigint as unknown_length_count,
    d.is_complete,
    k.minor_unit_value
  from rollup.paid_currency k
  join rollup.money_period d on d.app_id = k.app_id and d.period = 'day'
  left join rollup.mrr_day r on r.app_id = k.app_id and r.currency = k.currency and r.day = d.period_start
  window days as (partition by k.app_id, k.currency order by d.period_start)
) t;

comment on view report.mrr_by_day is
  'One row per application, currency in which it was ever paid, and day from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Monthly recurring revenue: the paid subscription periods that are active at the end of the day, each price taken to a month by the length of its period.';
comment on column report.mrr_by_day.amount_minor is
  'Sum of the monthly prices in the minor unit, exact and rounded once. Factors by length in days: 1 × 30, 3 × 10, 7 × 4, 14 × 2, 28 to 31 × 1, 59 to 62 / 2, 89 to 93 / 3, 180 to 186 / 6, 360 to 370 / 12.';
comment on column report.mrr_by_day.unknown_length_count is 'Active paid periods of another length, which the amounts do not include.';
