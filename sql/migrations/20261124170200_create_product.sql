-- Products, and their names for charts.
create table rollup.product (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  product_type text collate "C",
  newest_at timestamptz not null,
  newest_payment_seq text collate "C" not null,
  first_sold_on date,
  last_sold_on date,
  constraint product_key unique nulls not distinct (app_id, gamebase_product_id)
) with (fillfactor = 80);
alter table rollup.product replica identity full;
comment on table rollup.product is
  'One row per application and product of a receipt. Written by: rollup.refresh_products.';
comment on column rollup.product.app_id is 'The application.';
comment on column rollup.product.gamebase_product_id is 'The product; NULL when unknown.';
comment on column rollup.product.product_type is 'Type of the newest receipt; NULL when it has none.';
comment on column rollup.product.newest_at is 'Time of the newest receipt.';
comment on column rollup.product.newest_payment_seq is 'The newest receipt: of several at one instant the largest payment_seq.';
comment on column rollup.product.first_sold_on is 'Day of the first paid purchase in the reporting zone; NULL for none.';
comment on column rollup.product.last_sold_on is 'Day of the last paid purchase in the reporting zone; NULL for none.';

create table rollup.product_market_item (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  market_item_id text collate "C" not null,
  constraint product_market_item_key unique nulls not distinct (app_id, gamebase_product_id, market_item_id)
);
alter table rollup.product_market_item replica identity full;
comment on table rollup.product_market_item is
  'One row per application, product and id in a store that a receipt names. Written by: rollup.refresh_products.';
comment on column rollup.product_market_item.app_id is 'The application.';
comment on column rollup.product_market_item.gamebase_product_id is 'The product; NULL when unknown.';
comment on column rollup.product_market_item.market_item_id is 'The product''s id in the store.';

-- The unique key lets a query leave out the join of a name that it does not read.
create table rollup.product_name (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C" not null,
  product_name text not null,
  is_dated boolean not null,
  observed_at timestamptz not null,
  store_code text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  currency text collate "C",
  primary key (app_id, gamebase_product_id)
);
alter table rollup.product_name alter column product_name set statistics 0;
comment on table rollup.product_name is
  'One row per application and product with a name: that of the newest item with one. Written by: rollup.refresh_product_names.';
comment on column rollup.product_name.app_id is 'The application.';
comment on column rollup.product_name.gamebase_product_id is 'The product.';
comment on column rollup.product_name.product_name is 'The name in the Gamebase console, its first 200 characters.';
comment on column rollup.product_name.is_dated is 'False when the time of the item is the start of its load.';
comment on column rollup.product_name.observed_at is 'Time of the item.';
comment on column rollup.product_name.store_code is 'Store of the item; NULL when unknown.';
comment on column rollup.product_name.market_item_id is 'Id of the item in the store; NULL when unknown.';
comment on column rollup.product_name.item_seq is 'Number of the item in the console; NULL when unknown.';
comment on column rollup.product_name.currency is 'Currency of the item; NULL without a price.';

create table ingest.kept_item_name (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C" not null,
  source_file_id bigint not null,
  observed_at timestamptz not null,
  is_dated boolean not null,
  item_name text not null,
  store_code text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  currency text collate "C",
  primary key (app_id, gamebase_product_id, source_file_id, observed_at)
);
create index kept_item_name_file on ingest.kept_item_name (source_file_id);
alter table ingest.kept_item_name alter column item_name set statistics 0;
comment on table ingest.kept_item_name is
  'One row per product, file and dropped month of items: the newest item with a name that retention dropped. Written by: ingest.drop_month.';
comment on column ingest.kept_item_name.app_id is 'The application.';
comment on column ingest.kept_item_name.gamebase_product_id is 'The product.';
comment on column ingest.kept_item_name.source_file_id is 'The file that brought the item.';
comment on column ingest.kept_item_name.observed_at is 'Time of the item.';
comment on column ingest.kept_item_name.is_dated is 'False when this is the start of its load.';
comment on column ingest.kept_item_name.item_name is 'The name, its first 200 characters.';
comment on column ingest.kept_item_name.store_code is 'Store of the item; NULL when unknown.';
comment on column ingest.kept_item_name.market_item_id is 'Id of the item in the store; NULL when unknown.';
comment on column ingest.kept_item_name.item_seq is 'Number of the item in the console; NULL when unknown.';
comment on column ingest.kept_item_name.currency is 'Currency of the item; NULL without a price.';
