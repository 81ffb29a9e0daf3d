create or replace view report.revenue_by_level as
select
  r.app_id,
  r.currency,
  r.user_level,
  r.level_attribution,
  r.payer_count,
  r.paid_count,
  r.amount_minor::numeric(38, 0) as amount_minor,
  (r.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount
from rollup.level_revenue r
join game.currency c on c.currency = r.currency;

comment on view report.revenue_by_level is
  'One row per application, currency, level at the purchase and attribution with a paid purchase. Never add amounts of different currencies. Users do not add up over rows.';
comment on column report.revenue_by_level.user_level is 'Level of the user at the purchase; NULL when no level was known then.';
