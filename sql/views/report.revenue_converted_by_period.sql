create or replace view report.revenue_converted_by_period as
select
  c.period,
  c.period_start,
  h.app_id,
  b.currency as base_currency,
  r.paid_count,
  r.unconverted_count,
  case when r.unconverted_count = 0 then round(round(r.amount, b.minor_unit) / b.minor_unit_value) end
    as amount_minor,
  case when r.unconverted_count = 0 then round(r.amount, b.minor_unit) end as amount,
  b.currency is not null and r.unconverted_count = 0 as is_converted,
  coalesce(c.starts_at >= h.receipt_first_at and c.ends_at <= h.receipt_newest_at, false) as is_complete
from rollup.app_horizon h
join rollup.calendar_period c on c.ends_at > h.money_first_at and c.starts_at <= h.money_newest_at
left join game.currency b on b.currency = (select rollup.base_currency())
cross join lateral (
  select
    coalesce(sum(d.paid_count), 0)::bigint as paid_count,
    coalesce(sum(d.paid_count) filter (where e.rate is null), 0)::bigint as unconverted_count,
    coalesce(sum(d.amount_minor * u.minor_unit_value * e.rate), 0) as amount
  from (
    select day, currency, sum(paid_count) as paid_count, sum(amount_minor) as amount_minor
    from rollup.revenue_day
    where app_id = h.app_id
      and day >= c.period_start
      and day < case c.period when 'day' then c.period_start + 1 when 'week' then c.period_start + 7
        else (c.period_start + interval '1 month')::date end
      and paid_count > 0
    group by day, currency
  ) d
  join game.currency u on u.currency = d.currency
  -- Rates refer to the base currency, so without one they say nothing.
  left join lateral (
    select 1::numeric as rate
    where d.currency = b.currency
    union all
    (select x.rate
    from game.exchange_rate x
    where b.currency <> d.currency
      and x.currency = d.currency
      and x.valid_on <= d.day
      and x.valid_on >= d.day - 7
    order by x.valid_on desc
    limit 1)
  ) e on true
) r;

comment on view report.revenue_converted_by_period is
  'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Revenue of paid purchases in all currencies, converted to the base currency. While no base currency is set, base_currency and the amounts are NULL, and no purchase is converted.';
comment on column report.revenue_converted_by_period.period is 'day, week (from Monday) or month, in the reporting zone.';
comment on column report.revenue_converted_by_period.period_start is 'First day of the period.';
comment on column report.revenue_converted_by_period.app_id is 'The application; empty when unknown.';
comment on column report.revenue_converted_by_period.base_currency is 'ISO 4217 code of the setting base-currency; NULL while it is not set.';
comment on column report.revenue_converted_by_period.paid_count is 'Number of paid purchases, in all currencies.';
comment on column report.revenue_converted_by_period.unconverted_count is 'Paid purchases in a currency without a rate on the day of the purchase or in the 7 days before it.';
comment on column report.revenue_converted_by_period.amount_minor is 'Sum of the paid purchases in the minor unit of the base currency; NULL when unconverted_count is above 0. Each uses the rate of its day, or the last one before it. The sum is exact and rounded once, half up.';
comment on column report.revenue_converted_by_period.amount is 'amount_minor in the major unit of the base currency.';
comment on column report.revenue_converted_by_period.is_converted is 'True when a base currency is set and every paid purchase of the period has a rate.';
comment on column report.revenue_converted_by_period.is_complete is 'True when the receipts of the application go from before the period''s start to after its end.';
