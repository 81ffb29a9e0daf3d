create or replace view report.exposed_field as
select
  e.stream,
  e.natural_key,
  e.field,
  e.value
from rollup.exposed_field e;

comment on view report.exposed_field is
  'One row per stored row (stream and natural key) and field that the row has: members of lines without a column, as far as the operator exposed them with settings expose-field. JSON null has no row. The values are as the lines have them, and may be personal.';
comment on column report.exposed_field.stream is 'The stream of the row.';
comment on column report.exposed_field.natural_key is 'The natural key of the row as a JSON array: receipt [payment_seq]; level_up [app_id, user_id, character_id, user_level, leveled_up_at]; game_user [app_id, user_id, channel_id, character_id, observed_at]; event [occurred_at, app_id, event_id]; item [observed_at, app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency]. Times are of UTC.';
comment on column report.exposed_field.field is 'Name of the member at the top of the line.';
comment on column report.exposed_field.value is 'The value as text: a string without its quotes, everything else as written; of a repeated member the last one.';
