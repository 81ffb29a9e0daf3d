create or replace view report.arppu_converted_by_period as
select
  c.period,
  c.period_start,
  c.app_id,
  c.base_currency,
  c.rounded_amount as base_amount,
  coalesce(p.payer_count, 0) as payer_count,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  case when c.unconverted_count = 0
    then round(div(c.base_amount * 200 / c.minor_unit_value + p.payer_count, p.payer_count * 2::numeric)
      * c.minor_unit_value * 0.01, c.minor_unit + 2) end::numeric(60, 6) as arppu,
  case when c.unconverted_count = 0
    then round(div(c.base_amount * 200 / c.minor_unit_value + o.observed_user_count,
      nullif(o.observed_user_count, 0) * 2::numeric) * c.minor_unit_value * 0.01, c.minor_unit + 2)
    end::numeric(60, 6) as base_amount_per_observed_user,
  c.unconverted_count,
  c.is_complete
from rollup.converted_period c
left join rollup.player_period p
  on p.app_id = c.app_id and p.period = c.period and p.period_start = c.period_start and p.payer_count > 0
left join report.observed_by_period o
  on o.app_id = c.app_id and o.period = c.period and o.period_start = c.period_start;

comment on view report.arppu_converted_by_period is
  'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Revenue per user of paid purchases in all currencies, in the base currency. Users do not add up over rows.';
comment on column report.arppu_converted_by_period.base_amount is 'Sum of the paid purchases with a rate, in the base currency, exact and rounded once to its minor unit, half up. 0 without a paid purchase; NULL when none of them has a rate.';
comment on column report.arppu_converted_by_period.arppu is 'base_amount / payer_count, with two digits more than the base currency. NULL without a payer, and when unconverted_count is above 0.';
comment on column report.arppu_converted_by_period.base_amount_per_observed_user is 'base_amount / observed users of the period in the application, with two digits more than the base currency. NULL without an observed user, and when unconverted_count is above 0. is_complete does not cover it.';
