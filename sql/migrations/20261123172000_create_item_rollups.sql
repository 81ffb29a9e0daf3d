create table report.item_change_rollup (
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
create index item_change_market on report.item_change_rollup (app_id, market_item_id, currency, valid_from);
alter table report.item_change_rollup replica identity full;
alter table report.item_change_rollup
  alter column item_name set statistics 0,
  alter column localized_title set statistics 0;
comment on table report.item_change_rollup is
  'One row per item and change of its price, type, names or flag, from snapshots with a time of their own. Written by: a refresh.';
comment on column report.item_change_rollup.app_id is 'The application.';
comment on column report.item_change_rollup.store_code is 'Code of the store; NULL when unknown.';
comment on column report.item_change_rollup.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column report.item_change_rollup.market_item_id is 'The product''s id in the store; NULL when unknown.';
comment on column report.item_change_rollup.item_seq is 'The number of the item in the Gamebase console; NULL when unknown.';
comment on column report.item_change_rollup.currency is 'ISO 4217 code of the price; NULL without a price.';
comment on column report.item_change_rollup.valid_from is 'Time of the first snapshot with these values.';
comment on column report.item_change_rollup.amount_minor is 'Price in the minor unit; NULL when none was shown.';
comment on column report.item_change_rollup.product_type is 'Type of the product; NULL when unknown.';
comment on column report.item_change_rollup.item_name is 'Name in the Gamebase console; NULL when unknown.';
comment on column report.item_change_rollup.localized_title is 'Name in the language of the client; NULL when unknown.';
comment on column report.item_change_rollup.is_active is 'True when the console offers the item; NULL when unknown.';

create table report.current_item_rollup (
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
alter table report.current_item_rollup replica identity full;
alter table report.current_item_rollup
  alter column item_name set statistics 0,
  alter column localized_price set statistics 0,
  alter column localized_title set statistics 0,
  alter column localized_description set statistics 0;
comment on table report.current_item_rollup is
  'One row per item, with the values of its last snapshot. Written by: a refresh.';
comment on column report.current_item_rollup.app_id is 'The application.';
comment on column report.current_item_rollup.store_code is 'Code of the store; NULL when unknown.';
comment on column report.current_item_rollup.gamebase_product_id is 'The product''s id in the Gamebase console; NULL when unknown.';
comment on column report.current_item_rollup.market_item_id is 'The product''s id in the store; NULL when unknown.';
comment on column report.current_item_rollup.item_seq is 'The number of the item in the Gamebase console; NULL when unknown.';
comment on column report.current_item_rollup.currency is 'ISO 4217 code of the price; NULL without a price.';
comment on column report.current_item_rollup.amount_minor is 'Price in the minor unit; NULL when none was shown.';
comment on column report.current_item_rollup.product_type is 'Type of the product; NULL when unknown.';
comment on column report.current_item_rollup.item_name is 'Name in the Gamebase console; NULL when unknown.';
comment on column report.current_item_rollup.localized_price is 'Price as the store wrote it; NULL when unknown.';
comment on column report.current_item_rollup.localized_title is 'Name in the language of the client; NULL when unknown.';
comment on column report.current_item_rollup.localized_description is 'Description in the language of the client; NULL when unknown.';
comment on column report.current_item_rollup.is_active is 'True when the console offers the item; NULL when unknown.';
comment on column report.current_item_rollup.observed_at is 'Time of the snapshot.';
comment on column report.current_item_rollup.observed_at_source is 'line, option or load_start.';
comment on column report.current_item_rollup.source_file_id is 'The file of the snapshot.';
comment on column report.current_item_rollup.line_number is 'The line of the snapshot in that file.';

create table report.price_check_rollup (
  payment_seq text collate "C" primary key,
  item_amount_minor bigint not null,
  observed_at timestamptz not null
);
comment on table report.price_check_rollup is
  'One row per production receipt with another price than its item had. Written by: a refresh.';
comment on column report.price_check_rollup.payment_seq is 'The payment; see report.purchase_rollup.';
comment on column report.price_check_rollup.item_amount_minor is 'Price of the item in the minor unit.';
comment on column report.price_check_rollup.observed_at is 'Time of the item''s last snapshot at or before the purchase.';

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

comment on column report.file_day_rollup.imprecise_count is
  'Production receipts and items with a price that a 32-bit float may not have held exactly.';
comment on column report.file_rollup.imprecise_count is
  'Production receipts and items with a price that a 32-bit float may not have held exactly.';
