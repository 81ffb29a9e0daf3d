create or replace view report.revenue_converted_by_day as
select
  c.period_start as day,
  h.app_id,
  b.currency as base_currency,
  r.paid_count,
  r.unconverted_count,
  case when r.unconverted_count = 0 then round(round(r.amount, b.minor_unit) / b.minor_unit_value) end
    as amount_minor,
  case when r.unconverted_count = 0 then round(r.amount, b.minor_unit) end as amount
from report.app_horizon h
join report.calendar_period c
  on c.period = 'day' and c.ends_at > h.receipt_first_at and c.starts_at <= h.receipt_newest_at
left join game.currency b on b.currency = (select report.base_currency())
cross join lateral (
  select
    coalesce(sum(d.paid_count), 0)::bigint as paid_count,
    coalesce(sum(d.paid_count) filter (where e.rate is null), 0)::bigint as unconverted_count,
    coalesce(sum(d.amount_minor * u.minor_unit_value * e.rate), 0) as amount
  from (
    select currency, sum(paid_count) as paid_count, sum(amount_minor) as amount_minor
    from rollup.revenue_day
    where app_id = h.app_id and day = c.period_start and paid_count > 0
    group by currency
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
      and x.valid_on <= c.period_start
      and x.valid_on >= c.period_start - 7
    order by x.valid_on desc
    limit 1)
  ) e on true
) r;

comment on view report.revenue_converted_by_day is
  'One row per day and application, from the first receipt to the newest, also for days without a purchase. Revenue of paid purchases in all currencies, converted to the base currency. While no base currency is set, base_currency and the amounts are NULL, and no purchase is converted.';
comment on column report.revenue_converted_by_day.day is 'Day of the purchases in the reporting zone.';
comment on column report.revenue_converted_by_day.app_id is 'The application; empty when unknown.';
comment on column report.revenue_converted_by_day.base_currency is 'ISO 4217 code of the setting base-currency; NULL while it is not set.';
comment on column report.revenue_converted_by_day.paid_count is 'Number of paid purchases, in all currencies.';
comment on column report.revenue_converted_by_day.unconverted_count is 'Paid purchases in a currency without a rate on the day or in the 7 days before it.';
comment on column report.revenue_converted_by_day.amount_minor is 'Sum of the paid purchases in the minor unit of the base currency; NULL when unconverted_count is above 0. Each uses the rate of the day, or the last one before it. The sum is exact and rounded once, half up.';
comment on column report.revenue_converted_by_day.amount is 'amount_minor in the major unit of the base currency.';
