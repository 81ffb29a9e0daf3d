-- The refresh and the live views count rows by this one definition. The view is not in schema report, because it reads
-- the facts.
create or replace view staging.standing_row as
select
  'receipt'::text collate "C" as stream,
  source_file_id,
  app_id,
  purchased_at as event_at,
  true as is_dated,
  is_sandbox is null as is_sandbox_unknown,
  is_sandbox is not true and amount_minor is null as is_unpriced,
  is_sandbox is not true and coalesce(amount_minor = 0, false) as is_free,
  is_sandbox is not true and price_imprecise as is_imprecise,
  price_repaired or text_repaired as is_repaired,
  coalesce(product_type = 'UNKNOWN', false) as is_product_type_unknown,
  expires_at is not null
    and coalesce(product_type not in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE'), true) as is_expiry_untyped
from game.receipt
union all
select 'level_up', source_file_id, app_id, leveled_up_at, true, false, false, false, false, text_repaired, false,
  false
from game.level_up
union all
select 'game_user', source_file_id, app_id, observed_at, observed_at_source <> 'load_start', false, false, false,
  false, text_repaired, false, false
from game.game_user_snapshot
union all
select 'item', source_file_id, app_id, observed_at, observed_at_source <> 'load_start', false, false, false,
  price_imprecise, price_repaired or text_repaired, coalesce(product_type = 'UNKNOWN', false), false
from game.item_snapshot
union all
select 'event', source_file_id, app_id, occurred_at, true, false, false, false, false, text_repaired, false, false
from game.event;

comment on view staging.standing_row is
  'One row per stored row of any stream, with the properties that the reports on data quality count.';
comment on column staging.standing_row.stream is 'The stream of the row.';
comment on column staging.standing_row.source_file_id is 'The file that brought the row.';
comment on column staging.standing_row.app_id is 'The application; empty when unknown.';
comment on column staging.standing_row.event_at is 'Time of the row: purchased_at, leveled_up_at, observed_at or occurred_at.';
comment on column staging.standing_row.is_dated is 'False for a snapshot without a time of its own (load_start).';
comment on column staging.standing_row.is_sandbox_unknown is 'True for a receipt without a sandbox flag.';
comment on column staging.standing_row.is_unpriced is 'True for a production receipt without a price.';
comment on column staging.standing_row.is_free is 'True for a production receipt with the price 0.';
comment on column staging.standing_row.is_imprecise is 'True for a production receipt or an item with a price that a 32-bit float may not have held exactly.';
comment on column staging.standing_row.is_repaired is 'True for a row with a repaired price or text.';
comment on column staging.standing_row.is_product_type_unknown is 'True for a row with the product type UNKNOWN.';
comment on column staging.standing_row.is_expiry_untyped is 'True for a receipt with an expiry and without a renewable product type.';
