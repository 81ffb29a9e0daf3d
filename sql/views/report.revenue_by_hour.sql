create or replace view report.revenue_by_hour as
select
  h.hour,
  h.app_id,
  h.currency,
  h.paid_count,
  h.payer_count,
  h.amount_minor::numeric(38, 0) as amount_minor,
  (h.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount
from (
  -- The expression of the index rollup.purchase_hour.
  select date_bin(interval '1 hour', p.purchased_at, timestamptz '2000-01-01 00:00Z') as hour, p.app_id, p.currency,
      count(*) as paid_count, count(distinct p.user_id) as payer_count, sum(p.amount_minor) as amount_minor
    from rollup.purchase p
    where p.is_paid
    group by p.app_id, date_bin(interval '1 hour', p.purchased_at, timestamptz '2000-01-01 00:00Z'), p.currency
) h
join game.currency c on c.currency = h.currency;

comment on view report.revenue_by_hour is
  'One row per hour, application and currency with a paid purchase. Whole hours of UTC, in any reporting zone. Filter by app_id and hour: the view counts single purchases.';
