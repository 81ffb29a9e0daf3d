-- A paid purchase is no promotion, so the payers of a product are all in one of its two rows.
create or replace view report.product_by_day as
select
  p.day,
  p.app_id,
  p.currency,
  p.gamebase_product_id,
  p.store_code,
  p.purchase_count,
  p.paid_count,
  p.payer_count,
  p.new_payer_count,
  p.amount_minor::numeric(38, 0) as amount_minor,
  (p.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  (p.amount_minor / nullif(p.total_amount_minor, 0))::numeric(7, 6) as share_of_amount,
  coalesce(st.name, p.store_code, 'unknown') as store_name,
  coalesce(n.product_name, p.gamebase_product_id, 'unknown') as product_name
from (
  select
    r.day,
    r.app_id,
    r.currency,
    r.gamebase_product_id,
    r.store_code,
    sum(r.purchase_count)::bigint as purchase_count,
    sum(r.paid_count)::bigint as paid_count,
    sum(r.payer_count)::bigint as payer_count,
    sum(r.new_payer_count)::bigint as new_payer_count,
    sum(r.amount_minor) as amount_minor,
    sum(sum(r.amount_minor)) over (partition by r.day, r.app_id, r.currency) as total_amount_minor
  from rollup.revenue_day r
  group by r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code
) p
join game.currency c on c.currency = p.currency
left join game.store st on st.store_code = p.store_code
left join rollup.product_name n on n.app_id = p.app_id and n.gamebase_product_id = p.gamebase_product_id;

comment on view report.product_by_day is
  'One row per day, application, currency, product and store with a production purchase.';
comment on column report.product_by_day.day is 'Day of the purchases in the reporting zone.';
comment on column report.product_by_day.purchase_count is 'Number of production purchases.';
comment on column report.product_by_day.new_payer_count is 'Payers of this row whose first paid purchase in the application falls on the day. A user who buys two products on that day is new in both, so do not add it over rows.';
comment on column report.product_by_day.share_of_amount is 'Part of the amount of the day, application and currency, from 0 to 1; NULL when that amount is 0.';
