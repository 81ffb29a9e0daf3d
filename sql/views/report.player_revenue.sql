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
