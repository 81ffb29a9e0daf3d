create or replace view report.arppu_by_period as
select
  c.period,
  c.period_start,
  c.app_id,
  k.currency,
  coalesce(r.amount_minor, 0)::numeric(38, 0) as amount_minor,
  (coalesce(r.amount_minor, 0) * k.minor_unit_value)::numeric(38, 4) as amount,
  coalesce(r.payer_count, 0) as payer_count,
  (coalesce(r.new_payer_amount_minor, 0) * k.minor_unit_value)::numeric(38, 4) as new_payer_amount,
  (coalesce(r.amount_minor - r.new_payer_amount_minor, 0) * k.minor_unit_value)::numeric(38, 4) as repeat_payer_amount,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  round(div(r.amount_minor * 200 + r.payer_count, r.payer_count * 2::numeric) * k.minor_unit_value * 0.01,
    k.minor_unit + 2)::numeric(38, 6) as arppu,
  round(div(coalesce(r.amount_minor, 0) * 200 + o.observed_user_count, nullif(o.observed_user_count, 0) * 2::numeric)
    * k.minor_unit_value * 0.01, k.minor_unit + 2)::numeric(38, 6) as amount_per_observed_user,
  c.is_complete,
  coalesce(r.paid_count, 0) as paid_count
from rollup.money_period c
join rollup.paid_currency k on k.app_id = c.app_id
left join rollup.currency_period r
  on r.app_id = c.app_id and r.currency = k.currency and r.period = c.period and r.period_start = c.period_start
left join report.observed_by_period o
  on o.app_id = c.app_id and o.period = c.period and o.period_start = c.period_start;

comment on view report.arppu_by_period is
  'One row per period, application and currency in which the application was ever paid, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Users do not add up over rows.';
comment on column report.arppu_by_period.new_payer_amount is 'Part of amount from users whose first paid purchase in the application, in any currency, falls into the period.';
comment on column report.arppu_by_period.repeat_payer_amount is 'Part of amount from the other users.';
comment on column report.arppu_by_period.arppu is 'amount / payer_count, with two digits more than the minor unit; NULL without a payer.';
comment on column report.arppu_by_period.amount_per_observed_user is 'amount / observed users of the period in the application, with two digits more than the minor unit; NULL without an observed user. is_complete does not cover it.';
