create table game.receipt (
  payment_seq text collate "C" primary key,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  gamebase_product_id text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  product_type text collate "C" check (product_type in
    ('UNKNOWN', 'CONSUMABLE', 'AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')),
  product_type_raw text,
  store_code text collate "C",
  currency text collate "C" not null check (octet_length(currency) = 3),
  amount_minor bigint check (amount_minor >= 0),
  price_raw text,
  price_repaired boolean not null,
  price_imprecise boolean not null,
  purchased_at timestamptz not null check (isfinite(purchased_at)),
  expires_at timestamptz check (isfinite(expires_at)),
  payment_id text collate "C",
  original_payment_id text collate "C",
  payload text,
  purchase_token_sha256 bytea check (octet_length(purchase_token_sha256) = 32),
  purchase_token text,
  is_sandbox boolean,
  is_promotion boolean,
  text_repaired boolean not null,
  extra json,
  source_file_id bigint not null,
  line_number bigint not null,
  row_digest uuid,
  -- The promises of the data contract for every row, also for rows that a role inserts by itself. One row dated centuries
  -- ahead would make every report compute all days until then.
  constraint receipt_purchased_at_in_range check (purchased_at >= '2000-01-01 00:00Z' and purchased_at <= '2100-01-02 00:00Z'),
  constraint receipt_expires_at_in_range check (expires_at >= '2000-01-01 00:00Z' and expires_at <= '2100-01-01 00:00Z'),
  constraint receipt_payment_seq_named check (payment_seq <> ''),
  constraint receipt_user_id_named check (user_id <> '' and user_id <> '0'),
  constraint receipt_line_number_counted check (line_number >= 1),
  constraint receipt_identifiers_bounded check (
    greatest(octet_length(payment_seq), octet_length(app_id), octet_length(user_id), octet_length(gamebase_product_id),
      octet_length(market_item_id), octet_length(store_code)) <= 512)
);
-- Receipts arrive roughly in the order of time, so a BRIN index with one summary per 32 pages finds a month or a day.
-- It costs a load almost nothing, where a B-tree costs a fifth of the load.
create index receipt_purchased_at on game.receipt using brin (purchased_at) with (pages_per_range = 32);
-- A refresh finds the rows of a file by this index: files are loaded one after another, so their rows lie together.
create index receipt_source_file on game.receipt using brin (source_file_id) with (pages_per_range = 32);
-- No plan depends on statistics of these columns. Without them, ANALYZE is faster and copies no credential, player's text or
-- digest into pg_statistic.
alter table game.receipt
  alter column price_raw set statistics 0,
  alter column payload set statistics 0,
  alter column purchase_token_sha256 set statistics 0,
  alter column purchase_token set statistics 0,
  alter column extra set statistics 0,
  alter column line_number set statistics 0,
  alter column row_digest set statistics 0;
comment on table game.receipt is
  'One row per payment (paymentSeq). Source: Gamebase purchase receipts. Loaded by: gamebase-ingest. Revenue counts rows that are no sandbox purchase and no promotion, with a price above 0.';
comment on column game.receipt.payment_seq is 'The vendor''s number of the payment; the natural key.';
comment on column game.receipt.app_id is 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one.';
comment on column game.receipt.user_id is 'The user who paid.';
comment on column game.receipt.gamebase_product_id is 'The product''s id in the Gamebase console.';
comment on column game.receipt.market_item_id is 'The product''s id in the store.';
comment on column game.receipt.item_seq is 'The number of the item in the Gamebase console.';
comment on column game.receipt.product_type is 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when the line has none.';
comment on column game.receipt.product_type_raw is 'The product type as written in the line, when it differs from product_type.';
comment on column game.receipt.store_code is 'Code of the store, as written in the line: AS, GG, ONESTORE, ...';
comment on column game.receipt.currency is 'ISO 4217 code, upper case; see game.currency.';
comment on column game.receipt.amount_minor is 'Price in the minor unit of the currency (cents for USD, whole yen for JPY); NULL when the vendor gave no price. Never add amounts of different currencies.';
comment on column game.receipt.price_raw is 'The price as written in the line, when it was repaired or is imprecise.';
comment on column game.receipt.price_repaired is 'True when the loader rounded off the error of a 32-bit float (4.989999771118164 becomes 499 cents).';
comment on column game.receipt.price_imprecise is 'True when the amount is so large that a 32-bit float may not have held it exactly.';
comment on column game.receipt.purchased_at is 'Time of the purchase, to the millisecond.';
comment on column game.receipt.expires_at is 'End of the subscription period; NULL for a purchase that is not a subscription.';
comment on column game.receipt.payment_id is 'The store''s reference of the payment; not unique.';
comment on column game.receipt.original_payment_id is 'The store''s reference of the first payment of the subscription; NULL when not given.';
comment on column game.receipt.payload is 'Free text from the developer of the game.';
comment on column game.receipt.purchase_token_sha256 is 'SHA-256 of the purchase token. The token itself is a credential.';
comment on column game.receipt.purchase_token is
  'The purchase token, a credential. Stored only by a load with --purchase-token store. No view for analysts shows it.';
comment on column game.receipt.is_sandbox is 'True for test purchases; NULL when the line has no flag, as with older SDKs and with production receipts on Android.';
comment on column game.receipt.is_promotion is 'True for promotional purchases; NULL when the line has no flag.';
comment on column game.receipt.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in a free text by U+FFFD.';
comment on column game.receipt.extra is 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';
comment on column game.receipt.source_file_id is 'The file that brought the row; see ingest.source_file.';
comment on column game.receipt.line_number is 'Line number in that file, from 1.';
comment on column game.receipt.row_digest is
  'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

insert into ingest.stream
    (stream, target_table, key_columns, compared_columns, followers, empty_is_absent_columns, secret_columns,
     time_column)
values ('receipt', 'receipt', '{payment_seq}',
  '{app_id, user_id, gamebase_product_id, market_item_id, item_seq, product_type, store_code, currency,
    amount_minor, purchased_at, expires_at, payment_id, original_payment_id, payload,
    purchase_token_sha256, is_sandbox, is_promotion, purchase_token}',
  '{"amount_minor": ["price_raw", "price_repaired", "price_imprecise"], "product_type": ["product_type_raw"]}',
  '{app_id}', '{purchase_token}', 'purchased_at');
