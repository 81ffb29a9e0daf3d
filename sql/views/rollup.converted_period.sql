create or replace view rollup.converted_period as
select
  c.period,
  c.period_start,
  c.app_id,
  b.currency as base_currency,
  b.minor_unit,
  b.minor_unit_value,
  coalesce(r.paid_count, 0) as paid_count,
  coalesce(r.unconverted_count, 0) as unconverted_count,
  coalesce(r.base_amount, 0) as base_amount,
  c.is_complete,
  case when coalesce(r.unconverted_count < r.paid_count, true)
    then round(coalesce(r.base_amount, 0), b.minor_unit) end::numeric(60, 4) as rounded_amount
from rollup.money_period c
cross join rollup.base_unit b
left join (
  select d.app_id, p.period, p.period_start, sum(d.paid_count)::bigint as paid_count,
    coalesce(sum(d.paid_count) filter (where e.rate is null), 0)::bigint as unconverted_count,
    coalesce(sum(d.amount_minor * u.minor_unit_value * e.rate), 0) as base_amount
  from rollup.currency_period d
  join game.currency u on u.currency = d.currency
  left join rollup.day_rate e on e.currency = d.currency and e.day = d.period_start
  cross join lateral (values ('day', d.period_start), ('week', date_trunc('week', d.period_start::timestamp)::date),
    ('month', date_trunc('month', d.period_start::timestamp)::date)) p (period, period_start)
  where d.period = 'day'
  group by d.app_id, p.period, p.period_start
) r on r.app_id = c.app_id and r.period = c.period and r.period_start = c.period_start;

comment on view rollup.converted_period is
  'One row per period and application of the spine of money: the paid purchases of its days, in the base currency.';
comment on column rollup.converted_period.minor_unit is 'Decimal digits of the base currency.';
comment on column rollup.converted_period.minor_unit_value is 'The minor unit of the base currency in the major one.';
comment on column rollup.converted_period.base_amount is 'Sum of the paid purchases with a rate in the base currency, exact.';
comment on column rollup.converted_period.rounded_amount is 'base_amount rounded once to the minor unit, half up, as views show it: 0 without a paid purchase; NULL when none has a rate.';
