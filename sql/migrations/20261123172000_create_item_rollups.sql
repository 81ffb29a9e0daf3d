create table rollup.item_change (
  app_id text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  currency text collate "C",
  valid_from timestamptz not null,
  amount_minor bigint,
  product_type text collate "C",
  item_name text,
  localized_title text,
  is_active boolean,
  constraint item_change_rollup_key unique nulls not distinct
    (app_id, gamebase_product_id, currency, valid_from, market_item_id, store_code, item_seq)
);
-- The items of a product that a receipt names only by its id in the store.
create index item_change_market on rollup.item_change (app_id, market_item_id, currency, valid_from);
alter table rollup.item_change replica identity full;
alter table rollup.item_change
  alter column item_name set statistics 0,
  alter column localized_title set statistics 0;
comment on table rollup.item_change is
  'One row per item and change of its price, type, names or flag, from snapshots with a time of their own. Written by: a refresh.';
comment on column rollup.item_change.app_id is 'The application.';
comment on column rollup.item_change.store_code is 'Code of the store; NULL when unknown.';
comment on column rollup.item_change.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column rollup.item_change.market_item_id is 'The product''s id in the store; NULL when unknown.';
comment on column rollup.item_change.item_seq is 'The number of the item in the Gamebase console; NULL when unknown.';
comment on column rollup.item_change.currency is 'ISO 4217 code of the price; NULL without a price.';
comment on column rollup.item_change.valid_from is 'Time of the first snapshot with these values.';
comment on column rollup.item_change.amount_minor is 'Price in the minor unit; NULL when none was shown.';
comment on column rollup.item_change.product_type is 'Type of the product; NULL when unknown.';
comment on column rollup.item_change.item_name is 'Name in the Gamebase console; NULL when unknown.';
comment on column rollup.item_change.localized_title is 'Name in the language of the client; NULL when unknown.';
comment on column rollup.item_change.is_active is 'True when the console offers the item; NULL when unknown.';

create table rollup.current_item (
  app_id text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  currency text collate "C",
  amount_minor bigint,
  product_type text collate "C",
  item_name text,
  localized_price text,
  localized_title text,
  localized_description text,
  is_active boolean,
  observed_at timestamptz not null,
  observed_at_source text collate "C" not null,
  source_file_id bigint not null,
  line_number bigint not null,
  constraint current_item_rollup_key unique nulls not distinct
    (app_id, gamebase_product_id, currency, market_item_id, store_code, item_seq)
);
alter table rollup.current_item replica identity full;
alter table rollup.current_item
  alter column item_name set statistics 0,
  alter column localized_price set statistics 0,
  alter column localized_title set statistics 0,
  alter column localized_description set statistics 0;
comment on table rollup.current_item is
  'One row per item, with the values of its last snapshot. Written by: a refresh.';
comment on column rollup.current_item.app_id is 'The application.';
comment on column rollup.current_item.store_code is 'Code of the store; NULL when unknown.';
comment on column rollup.current_item.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column rollup.current_item.market_item_id is 'The product''s id in the store; NULL when unknown.';
comment on column rollup.current_item.item_seq is 'The number of the item in the Gamebase console; NULL when unknown.';
comment on column rollup.current_item.currency is 'ISO 4217 code of the price; NULL without a price.';
comment on column rollup.current_item.amount_minor is 'Price in the minor unit; NULL when none was shown.';
comment on column rollup.current_item.product_type is 'Type of the product; NULL when unknown.';
comment on column rollup.current_item.item_name is 'Name in the Gamebase console; NULL when unknown.';
comment on column rollup.current_item.localized_price is 'Price as the store wrote it; NULL when unknown.';
comment on column rollup.current_item.localized_title is 'Name in the language of the client; NULL when unknown.';
comment on column rollup.current_item.localized_description is 'Description in the language of the client; NULL when unknown.';
comment on column rollup.current_item.is_active is 'True when the console offers the item; NULL when unknown.';
comment on column rollup.current_item.observed_at is 'Time of the snapshot.';
comment on column rollup.current_item.observed_at_source is 'line, option or load_start.';
comment on column rollup.current_item.source_file_id is 'The file of the snapshot.';
comment on column rollup.current_item.line_number is 'The line of the snapshot in that file.';

create table rollup.price_check (
  payment_seq text collate "C" primary key,
  app_id text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  market_item_id text collate "C",
  currency text collate "C" not null,
  purchased_at timestamptz not null,
  amount_minor bigint not null,
  item_amount_minor bigint not null,
  observed_at timestamptz not null
);
comment on table rollup.price_check is
  'One row per production receipt with another price than its item had. Written by: a refresh.';
comment on column rollup.price_check.payment_seq is 'The payment; see rollup.purchase.';
comment on column rollup.price_check.app_id is 'The application; empty when unknown.';
comment on column rollup.price_check.store_code is 'Code of the receipt''s store; NULL when unknown.';
comment on column rollup.price_check.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column rollup.price_check.market_item_id is 'The product''s id in the store; NULL when unknown.';
comment on column rollup.price_check.currency is 'ISO 4217 code of both prices.';
comment on column rollup.price_check.purchased_at is 'Time of the purchase.';
comment on column rollup.price_check.amount_minor is 'Price of the receipt in the minor unit.';
comment on column rollup.price_check.item_amount_minor is 'Price of the item in the minor unit.';
comment on column rollup.price_check.observed_at is 'Time of the item''s last snapshot at or before the purchase.';

create unlogged table staging.touched_item_app (
  app_id text collate "C" primary key,
  since timestamptz not null,
  has_change boolean not null,
  has_undated_change boolean not null
);
comment on table staging.touched_item_app is
  'One row per application with a touched item. Empty between refreshes.';
comment on column staging.touched_item_app.app_id is 'The application.';
comment on column staging.touched_item_app.since is 'Time of the earliest touched row; -infinity in a full refresh, infinity when no touched row has a time of its own.';
comment on column staging.touched_item_app.has_change is 'True when a touched row is of a file that the reports contain already.';
comment on column staging.touched_item_app.has_undated_change is 'True when such a row has no time of its own.';

comment on column rollup.file_day.imprecise_count is
  'Production receipts and items with a price that a 32-bit float may not have held exactly.';
comment on column rollup.file.imprecise_count is
  'Production receipts and items with a price that a 32-bit float may not have held exactly.';
