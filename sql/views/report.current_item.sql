create or replace view report.current_item as
select
  i.app_id,
  i.store_code,
  i.gamebase_product_id,
  i.market_item_id,
  i.item_seq,
  i.currency,
  i.amount_minor,
  (i.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  i.product_type,
  i.item_name,
  i.localized_price,
  i.localized_title,
  i.localized_description,
  i.is_active,
  i.observed_at,
  i.observed_at_source,
  i.source_file_id,
  i.line_number,
  coalesce(st.name, i.store_code, 'unknown') as store_name,
  coalesce(n.product_name, i.gamebase_product_id, 'unknown') as product_name
from rollup.current_item i
left join game.currency c on c.currency = i.currency
left join game.store st on st.store_code = i.store_code
left join rollup.product_name n on n.app_id = i.app_id and n.gamebase_product_id = i.gamebase_product_id;

comment on view report.current_item is
  'One row per item of a shop (application, store, the three ids, currency), as last observed. A snapshot with a time of its own always outranks one dated by the start of its load; among those, the newest load counts.';
comment on column report.current_item.currency is 'ISO 4217 code of the price; NULL without a price. Each storefront has a row of its own.';
comment on column report.current_item.amount_minor is 'Price in the minor unit of the currency; NULL when none was shown.';
comment on column report.current_item.localized_price is 'Price as the store wrote it; NULL when missing.';
comment on column report.current_item.localized_description is 'Description in the language of that client; NULL when missing.';
