create or replace view report.player_revenue as
select
  r.app_id,
  r.user_id,
  r.currency,
  r.paid_count,
  r.amount_minor::numeric(38, 0) as amount_minor,
  (r.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount
from rollup.player_currency r
join game.currency c on c.currency = r.currency;

comment on view report.player_revenue is
  'One row per application, user and currency in which the user paid.';
comment on column report.player_revenue.app_id is 'The application; empty when unknown.';
comment on column report.player_revenue.user_id is 'The user.';
comment on column report.player_revenue.currency is 'ISO 4217 code.';
comment on column report.player_revenue.paid_count is 'Number of paid purchases.';
comment on column report.player_revenue.amount_minor is 'Sum of the paid purchases, in the minor unit of the currency.';
comment on column report.player_revenue.amount is 'amount_minor in the major unit of the currency, exact.';
