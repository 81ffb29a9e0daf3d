create table game.item_snapshot (
  observed_at timestamptz not null check (isfinite(observed_at)),
  app_id text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  currency text collate "C" check (octet_length(currency) = 3),
  amount_minor bigint check (amount_minor >= 0),
  price_raw text,
  price_repaired boolean not null,
  price_imprecise boolean not null,
  product_type text collate "C" check (product_type in
    ('UNKNOWN', 'CONSUMABLE', 'AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')),
  product_type_raw text,
  item_name text,
  localized_price text,
  localized_title text,
  localized_description text,
  is_active boolean,
  observed_at_source text collate "C" not null check (observed_at_source in
    ('line', 'option', 'load_start')),
  text_repaired boolean not null,
  extra json,
  source_file_id bigint not null,
  line_number bigint not null,
  row_digest uuid,
  check (gamebase_product_id is not null or market_item_id is not null or item_seq is not null),
  check (currency is not null or amount_minor is null),
  constraint item_snapshot_observed_at_in_range check (observed_at >= '2000-01-01 00:00Z' and observed_at <= '2100-01-02 00:00Z'),
  constraint item_snapshot_line_number_counted check (line_number >= 1),
  constraint item_snapshot_identifiers_bounded check (
    greatest(octet_length(app_id), octet_length(gamebase_product_id), octet_length(market_item_id),
      octet_length(store_code)) <= 512)
) partition by range (observed_at);
create unique index item_snapshot_key on game.item_snapshot
  (observed_at, app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency) nulls not distinct;
-- A refresh finds the rows of a file by this index: files are loaded one after another, so their rows lie together.
create index item_snapshot_source_file on game.item_snapshot
  using brin (source_file_id) with (pages_per_range = 32);
-- The table has no primary key, because a key column can be NULL. Logical replication identifies a row by all its
-- columns.
alter table game.item_snapshot replica identity full;
-- No plan depends on statistics of these columns. Without them, ANALYZE is faster and copies no free text or digest into
-- pg_statistic.
alter table game.item_snapshot
  alter column price_raw set statistics 0,
  alter column item_name set statistics 0,
  alter column localized_price set statistics 0,
  alter column localized_title set statistics 0,
  alter column localized_description set statistics 0,
  alter column extra set statistics 0,
  alter column line_number set statistics 0,
  alter column row_digest set statistics 0;
comment on table game.item_snapshot is
  'One row per item of a shop and observation by a client. Source: Gamebase lists of purchasable items. Loaded by: gamebase-ingest. Partitioned by month of observed_at, UTC.';
comment on column game.item_snapshot.observed_at is 'Time of the observation, to the millisecond; part of the natural key.';
comment on column game.item_snapshot.app_id is 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';
comment on column game.item_snapshot.store_code is 'Code of the store, as written in the line (see game.store); part of the natural key.';
comment on column game.item_snapshot.gamebase_product_id is 'The product''s id in the Gamebase console; part of the natural key.';
comment on column game.item_snapshot.market_item_id is 'The product''s id in the store; part of the natural key.';
comment on column game.item_snapshot.item_seq is 'The number of the item in the Gamebase console; part of the natural key. Every row has at least one of the three ids.';
comment on column game.item_snapshot.currency is 'ISO 4217 code, upper case (see game.currency); NULL without a price. Part of the natural key, because each storefront shows a price of its own.';
comment on column game.item_snapshot.amount_minor is 'Price in the minor unit of the currency (cents for USD, whole yen for JPY); NULL when the client was shown none.';
comment on column game.item_snapshot.price_raw is 'The price as written in the line, when it was repaired or is imprecise.';
comment on column game.item_snapshot.price_repaired is 'True when the loader rounded off the error of a 32-bit float (4.989999771118164 becomes 499 cents).';
comment on column game.item_snapshot.price_imprecise is 'True when the amount is so large that a 32-bit float may not have held it exactly.';
comment on column game.item_snapshot.product_type is 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when the line has none.';
comment on column game.item_snapshot.product_type_raw is 'The product type as written in the line, when it differs from product_type.';
comment on column game.item_snapshot.item_name is 'Name of the product in the Gamebase console.';
comment on column game.item_snapshot.localized_price is 'Price with the symbol of its currency, as the store wrote it.';
comment on column game.item_snapshot.localized_title is 'Name of the product in the language of the client.';
comment on column game.item_snapshot.localized_description is 'Description of the product in the language of the client.';
comment on column game.item_snapshot.is_active is 'True when the Gamebase console offers the item; NULL when the line has no flag.';
comment on column game.item_snapshot.observed_at_source is 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';
comment on column game.item_snapshot.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in a free text by U+FFFD.';
comment on column game.item_snapshot.extra is
  'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none, and in all rows once a user was erased.';
comment on column game.item_snapshot.source_file_id is 'The file that brought the row; see ingest.source_file.';
comment on column game.item_snapshot.line_number is 'Line number in that file, from 1.';
comment on column game.item_snapshot.row_digest is
  'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

insert into ingest.stream
    (stream, target_table, key_columns, compared_columns, followers, partition_column, has_user,
     time_column, time_source_column, has_player)
values ('item', 'item_snapshot',
  '{observed_at, app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency}',
  '{amount_minor, product_type, item_name, localized_price, localized_title, localized_description, is_active}',
  '{"amount_minor": ["price_raw", "price_repaired", "price_imprecise"], "product_type": ["product_type_raw"]}',
  'observed_at', false, 'observed_at', 'observed_at_source', false);
