create or replace view report.player_revenue as
select
  p.app_id,
  p.user_id,
  p.currency,
  p.paid_count,
  p.amount_minor::numeric(38, 0) as amount_minor,
  (p.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount
from (
  select app_id, user_id, currency, count(*) as paid_count, sum(amount_minor) as amount_minor
  from rollup.purchase
  where is_paid
  group by app_id, user_id, currency
) p
join game.currency c on c.currency = p.currency;

comment on view report.player_revenue is
  'One row per application, user and currency in which the user paid.';
