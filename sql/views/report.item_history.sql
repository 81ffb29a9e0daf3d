create or replace view report.item_history as
select
  i.app_id,
  i.store_code,
  i.gamebase_product_id,
  i.market_item_id,
  i.item_seq,
  i.currency,
  i.valid_from,
  i.amount_minor,
  (i.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  i.product_type,
  i.item_name,
  i.localized_title,
  i.is_active,
  lead(i.valid_from) over (
    partition by i.app_id, i.gamebase_product_id, i.currency, i.market_item_id, i.store_code, i.item_seq
    order by i.valid_from) as valid_to,
  coalesce(st.name, i.store_code, 'unknown') as store_name,
  coalesce(n.product_name, i.gamebase_product_id, 'unknown') as product_name
from rollup.item_change i
left join game.currency c on c.currency = i.currency
left join game.store st on st.store_code = i.store_code
left join rollup.product_name n on n.app_id = i.app_id and n.gamebase_product_id = i.gamebase_product_id;

comment on view report.item_history is
  'One row per item of a shop (application, store, the three ids, currency) and change of its price, type, names or flag, from snapshots with a time of their own. The last row of an item is open. A change of the description or of localized_price alone is no row.';
comment on column report.item_history.currency is 'ISO 4217 code of the price; NULL without a price.';
comment on column report.item_history.valid_from is 'Time of the first snapshot with these values.';
comment on column report.item_history.amount_minor is 'Price in the minor unit, from valid_from until before valid_to; NULL when none was shown.';
comment on column report.item_history.valid_to is 'Time of the snapshot with the next change; NULL for the last one known.';
