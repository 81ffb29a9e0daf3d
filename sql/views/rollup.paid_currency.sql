create or replace view rollup.paid_currency as
select p.app_id, c.currency, c.minor_unit, c.minor_unit_value
from (
  select distinct app_id, currency from rollup.currency_period where period = 'month'
) p
join game.currency c on c.currency = p.currency;

comment on view rollup.paid_currency is
  'One row per application and currency in which it was ever paid. Read by: the views of money.';
comment on column rollup.paid_currency.minor_unit is 'Decimal digits of the currency.';
comment on column rollup.paid_currency.minor_unit_value is 'The minor unit of the currency in the major one.';
