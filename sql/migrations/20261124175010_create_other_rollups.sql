-- A fill or an undo touches single days of an old file. With the day in the key, a refresh counts those days again and
-- not the whole file, which can be years of history.
create table rollup.file_day (
  source_file_id bigint not null,
  stream text collate "C" not null,
  app_id text collate "C" not null,
  day date not null,
  line_count bigint not null,
  load_start_count bigint not null,
  unknown_sandbox_count bigint not null,
  unpriced_count bigint not null,
  free_count bigint not null,
  imprecise_count bigint not null,
  repaired_count bigint not null,
  unknown_product_type_count bigint not null,
  untyped_expiry_count bigint not null,
  first_event_at timestamptz,
  newest_event_at timestamptz,
  primary key (source_file_id, stream, app_id, day)
);
create index file_day_day on rollup.file_day (day, app_id);
comment on table rollup.file_day is
  'One row per file, stream, application and day of its standing rows: the rows that are stored and that the file brought. Written by: a refresh.';
comment on column rollup.file_day.source_file_id is 'The file.';
comment on column rollup.file_day.stream is 'The stream of the rows.';
comment on column rollup.file_day.app_id is 'The application.';
comment on column rollup.file_day.day is 'Day of the rows'' time in the reporting zone; for a row without a time of its own, the start of its load.';
comment on column rollup.file_day.line_count is 'Standing rows.';
comment on column rollup.file_day.load_start_count is 'Rows without a time of their own (load_start). They are no events.';
comment on column rollup.file_day.unknown_sandbox_count is 'Receipts without a sandbox flag. They count as production.';
comment on column rollup.file_day.unpriced_count is 'Production receipts without a price.';
comment on column rollup.file_day.free_count is 'Production receipts with the price 0.';
comment on column rollup.file_day.imprecise_count is 'Production receipts with a price that a 32-bit float may not have held exactly.';
comment on column rollup.file_day.repaired_count is 'Rows with a repaired price or text.';
comment on column rollup.file_day.unknown_product_type_count is 'Rows with the product type UNKNOWN.';
comment on column rollup.file_day.untyped_expiry_count is 'Receipts with an expiry and without a renewable product type.';
comment on column rollup.file_day.first_event_at is 'Time of the first event; NULL without an event.';
comment on column rollup.file_day.newest_event_at is 'Time of the newest event; NULL without an event.';

create table rollup.file (
  source_file_id bigint not null,
  stream text collate "C" not null,
  app_id text collate "C" not null,
  line_count bigint not null,
  load_start_count bigint not null,
  unknown_sandbox_count bigint not null,
  unpriced_count bigint not null,
  free_count bigint not null,
  imprecise_count bigint not null,
  repaired_count bigint not null,
  unknown_product_type_count bigint not null,
  untyped_expiry_count bigint not null,
  first_event_at timestamptz,
  newest_event_at timestamptz,
  primary key (source_file_id, stream, app_id)
);
comment on table rollup.file is
  'One row per file, stream and application: the sums of rollup.file_day. Written by: a refresh.';
comment on column rollup.file.source_file_id is 'The file.';
comment on column rollup.file.stream is 'The stream of the rows.';
comment on column rollup.file.app_id is 'The application.';
comment on column rollup.file.line_count is 'Standing rows.';
comment on column rollup.file.load_start_count is 'Rows without a time of their own (load_start). They are no events.';
comment on column rollup.file.unknown_sandbox_count is 'Receipts without a sandbox flag. They count as production.';
comment on column rollup.file.unpriced_count is 'Production receipts without a price.';
comment on column rollup.file.free_count is 'Production receipts with the price 0.';
comment on column rollup.file.imprecise_count is 'Production receipts with a price that a 32-bit float may not have held exactly.';
comment on column rollup.file.repaired_count is 'Rows with a repaired price or text.';
comment on column rollup.file.unknown_product_type_count is 'Rows with the product type UNKNOWN.';
comment on column rollup.file.untyped_expiry_count is 'Receipts with an expiry and without a renewable product type.';
comment on column rollup.file.first_event_at is 'Time of the first event; NULL without an event.';
comment on column rollup.file.newest_event_at is 'Time of the newest event; NULL without an event.';

-- The lines themselves come and go with ingest.conflict; only the application needs the stored row.
create table rollup.conflict_line (
  source_file_id bigint not null,
  line_number bigint not null,
  stream text collate "C" not null,
  app_id text collate "C",
  primary key (source_file_id, line_number, stream)
);
comment on table rollup.conflict_line is
  'One row per line that contradicts a stored row, and stream of that row. Written by: a refresh.';
comment on column rollup.conflict_line.source_file_id is 'The file of the line.';
comment on column rollup.conflict_line.line_number is 'The line in that file.';
comment on column rollup.conflict_line.stream is 'The stream of the stored row.';
comment on column rollup.conflict_line.app_id is 'Application of the stored row; NULL when the row is gone.';

create table rollup.stream_day (
  stream text collate "C" not null,
  app_id text collate "C" not null,
  day date not null,
  line_count bigint not null,
  first_event_at timestamptz not null,
  newest_event_at timestamptz not null,
  primary key (stream, app_id, day)
);
comment on table rollup.stream_day is
  'One row per stream, application and day with an event: a stored row with a time of its own, sandbox included. Written by: a refresh.';
comment on column rollup.stream_day.stream is 'The stream.';
comment on column rollup.stream_day.app_id is 'The application.';
comment on column rollup.stream_day.day is 'Day of the events, in the reporting zone.';
comment on column rollup.stream_day.line_count is 'Number of events.';
comment on column rollup.stream_day.first_event_at is 'Time of the first event of the day.';
comment on column rollup.stream_day.newest_event_at is 'Time of the newest event of the day.';

create table rollup.horizon (
  app_id text collate "C" not null,
  stream text collate "C" not null,
  first_event_at timestamptz,
  newest_event_at timestamptz,
  first_on date,
  newest_on date,
  newest_day_line_count bigint,
  primary key (app_id, stream)
);
comment on table rollup.horizon is
  'One row per application and stream with an accepted line in a loaded file, as of the last refresh. Written by: a refresh.';
comment on column rollup.horizon.app_id is 'The application; empty when unknown.';
comment on column rollup.horizon.stream is 'The stream of the files.';
comment on column rollup.horizon.first_event_at is 'Time of the first event in the files; NULL without an event.';
comment on column rollup.horizon.newest_event_at is 'Time of the newest event in the files: the horizon; NULL without an event.';
comment on column rollup.horizon.first_on is 'Day of first_event_at in the reporting zone.';
comment on column rollup.horizon.newest_on is 'Day of newest_event_at in the reporting zone.';
comment on column rollup.horizon.newest_day_line_count is
  'Stored receipts of the day of newest_event_at, up to that time; NULL where rollup.stream_day has the same count.';

create table rollup.app_horizon (
  app_id text collate "C" primary key,
  receipt_feed text collate "C" not null check (receipt_feed in ('files', 'events')),
  receipt_first_at timestamptz,
  receipt_newest_at timestamptz,
  money_first_at timestamptz,
  money_newest_at timestamptz,
  first_at timestamptz,
  horizon_at timestamptz,
  observed_first_at timestamptz,
  observed_newest_at timestamptz
);
comment on table rollup.app_horizon is
  'One row per application with an accepted line, a stored receipt or an observed user, as of the last refresh: how far its events go. The streams here are level_up, game_user and, in the place of receipt, the followed feed. Written by: a refresh.';
comment on column rollup.app_horizon.app_id is 'The application; empty when unknown.';
comment on column rollup.app_horizon.receipt_feed is
  'The files that money views follow: receipt files, or files of events. From the settings receipt-feed and receipt-feed.APP.';
comment on column rollup.app_horizon.receipt_first_at is 'Time of the first event of that feed; NULL without one.';
comment on column rollup.app_horizon.receipt_newest_at is 'Time of the newest event of that feed; NULL without one.';
comment on column rollup.app_horizon.money_first_at is
  'The earlier of receipt_first_at and the first stored receipt: money views begin here.';
comment on column rollup.app_horizon.money_newest_at is
  'The later of receipt_newest_at and the newest stored receipt: money views end here.';
comment on column rollup.app_horizon.first_at is 'Time of the first event in any of the streams; NULL without an event.';
comment on column rollup.app_horizon.horizon_at is
  'The smallest of the streams'' newest event times. A stream more than 8 days behind the newest one counts as stopped and is left out.';
comment on column rollup.app_horizon.observed_first_at is
  'The earlier of first_at and the start of the first day with an observed user: observed_by_period begins here.';
comment on column rollup.app_horizon.observed_newest_at is
  'The later of the newest event and the start of the newest day with an observed user: observed_by_period ends here.';

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

create table rollup.event_day (
  day date not null,
  app_id text collate "C" not null,
  category text collate "C" not null,
  event_group text collate "C" not null,
  code bigint,
  event_count bigint not null,
  user_count bigint not null,
  constraint event_day_rollup_key unique nulls not distinct (day, app_id, category, event_group, code)
);
alter table rollup.event_day replica identity full;
comment on table rollup.event_day is
  'One row per day, application, category, group and code of events. Written by: a refresh.';
comment on column rollup.event_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.event_day.app_id is 'The application.';
comment on column rollup.event_day.category is 'Category of the events.';
comment on column rollup.event_day.event_group is 'Group of the category.';
comment on column rollup.event_day.code is 'Code of the events; NULL without one.';
comment on column rollup.event_day.event_count is 'Events.';
comment on column rollup.event_day.user_count is 'Known users of the events.';

create table rollup.push_day (
  day date not null,
  app_id text collate "C" not null,
  push_id text collate "C",
  received_count bigint not null,
  received_user_count bigint not null,
  clicked_count bigint not null,
  clicked_user_count bigint not null,
  action_count bigint not null,
  open_app_count bigint not null,
  open_url_count bigint not null,
  reply_count bigint not null,
  dismiss_count bigint not null,
  first_event_at timestamptz not null,
  first_received_at timestamptz,
  constraint push_day_rollup_key unique nulls not distinct (day, app_id, push_id)
);
alter table rollup.push_day replica identity full;
create index push_day_push on rollup.push_day (app_id, push_id);
comment on table rollup.push_day is
  'One row per day, application and push message. Written by: a refresh.';
comment on column rollup.push_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.push_day.app_id is 'The application.';
comment on column rollup.push_day.push_id is 'The push message; NULL when unknown.';
comment on column rollup.push_day.received_count is 'Received messages.';
comment on column rollup.push_day.received_user_count is 'Known users who received it.';
comment on column rollup.push_day.clicked_count is 'Clicks on the message.';
comment on column rollup.push_day.clicked_user_count is 'Known users who clicked.';
comment on column rollup.push_day.action_count is 'Pressed buttons.';
comment on column rollup.push_day.open_app_count is 'Buttons that opened the app.';
comment on column rollup.push_day.open_url_count is 'Buttons that opened a page.';
comment on column rollup.push_day.reply_count is 'Replies.';
comment on column rollup.push_day.dismiss_count is 'Dismissals.';
comment on column rollup.push_day.first_event_at is 'Time of the first of these events.';
comment on column rollup.push_day.first_received_at is 'Time of the first received message; NULL without one.';

create table rollup.kickout_day (
  day date not null,
  app_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('app', 'transfer')),
  kickout_count bigint not null,
  user_count bigint not null,
  primary key (day, app_id, kind)
);
comment on table rollup.kickout_day is
  'One row per day, application and kind of kick-out. Written by: a refresh.';
comment on column rollup.kickout_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.kickout_day.app_id is 'The application.';
comment on column rollup.kickout_day.kind is 'app or transfer.';
comment on column rollup.kickout_day.kickout_count is 'Kick-outs.';
comment on column rollup.kickout_day.user_count is 'Known users who were kicked out.';

create table rollup.idp_revocation_day (
  day date not null,
  app_id text collate "C" not null,
  idp_type text collate "C",
  code bigint,
  event_count bigint not null,
  user_count bigint not null,
  constraint idp_revocation_day_rollup_key unique nulls not distinct (day, app_id, idp_type, code)
);
alter table rollup.idp_revocation_day replica identity full;
comment on table rollup.idp_revocation_day is
  'One row per day, application, identity provider and code of revocations. Written by: a refresh.';
comment on column rollup.idp_revocation_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.idp_revocation_day.app_id is 'The application.';
comment on column rollup.idp_revocation_day.idp_type is 'The identity provider; NULL when unknown.';
comment on column rollup.idp_revocation_day.code is 'Code of the revocation.';
comment on column rollup.idp_revocation_day.event_count is 'Events.';
comment on column rollup.idp_revocation_day.user_count is 'Known users of the events.';

create unlogged table staging.touched_event_day (
  app_id text collate "C",
  day date,
  primary key (app_id, day)
);
comment on table staging.touched_event_day is
  'One row per application and day whose events a refresh counts again. Empty between refreshes.';
comment on column staging.touched_event_day.app_id is 'The application.';
comment on column staging.touched_event_day.day is 'The day in the reporting zone.';

-- The users of a push do not add up over its days, and events have no index by push or user. With one narrow row per
-- day, a refresh counts the users of the touched days again and asks for their other days by key.
create table rollup.push_user (
  app_id text collate "C" not null,
  push_id text collate "C" not null,
  user_id text collate "C" not null,
  day date not null,
  has_clicked boolean not null,
  primary key (app_id, push_id, user_id, day)
);
create index push_user_day on rollup.push_user (day, app_id);
alter table rollup.push_user alter column user_id set statistics 0;
comment on table rollup.push_user is
  'One row per application, push message, known user and day on which the user received or clicked the message. Written by: a refresh.';
comment on column rollup.push_user.app_id is 'The application.';
comment on column rollup.push_user.push_id is 'The push message.';
comment on column rollup.push_user.user_id is 'The user.';
comment on column rollup.push_user.day is 'Day of the events in the reporting zone.';
comment on column rollup.push_user.has_clicked is 'True when the user clicked the message on this day.';

create table rollup.push (
  app_id text collate "C" not null,
  push_id text collate "C" not null,
  first_event_at timestamptz not null,
  first_received_at timestamptz,
  received_user_count bigint not null,
  clicked_user_count bigint not null,
  primary key (app_id, push_id)
);
comment on table rollup.push is
  'One row per application and push message with events: the users of all its days. Written by: a refresh.';
comment on column rollup.push.app_id is 'The application.';
comment on column rollup.push.push_id is 'The push message.';
comment on column rollup.push.first_event_at is 'Time of the first event of the message: received, clicked or answered by a button.';
comment on column rollup.push.first_received_at is 'Time of the first received message; NULL without one.';
comment on column rollup.push.received_user_count is 'Known users who received or clicked the message.';
comment on column rollup.push.clicked_user_count is 'Of these, users who clicked it.';

create unlogged table staging.touched_push (
  app_id text collate "C",
  push_id text collate "C",
  primary key (app_id, push_id)
);
comment on table staging.touched_push is
  'One row per application and push message with events on a day that a refresh counts again. Empty between refreshes.';
comment on column staging.touched_push.app_id is 'The application.';
comment on column staging.touched_push.push_id is 'The push message.';

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

-- Members of lines without a column that the operator shows to analysts. Only their values are copied, so hiding a field
-- removes them, and no view reads the column extra.
create table ingest.field_exposure (
  field_exposure_id bigint generated always as identity primary key,
  stream text collate "C" not null references ingest.stream,
  field text collate "C" not null check (field <> ''),
  exposed_at timestamptz not null default now(),
  exposed_by text not null default session_user,
  hidden_at timestamptz,
  hidden_by text,
  check ((hidden_at is null) = (hidden_by is null))
);
create unique index field_exposure_open on ingest.field_exposure (stream, field) where hidden_at is null;
comment on table ingest.field_exposure is
  'One row per exposure of a field to analysts: who exposed it, and who hid it again. Rows are never deleted. Written by: gamebase-ingest settings expose-field and hide-field.';
comment on column ingest.field_exposure.field_exposure_id is 'Number of the exposure.';
comment on column ingest.field_exposure.stream is 'The stream of the field.';
comment on column ingest.field_exposure.field is 'Name of the member in the column extra.';
comment on column ingest.field_exposure.exposed_at is 'Time at which the field was exposed.';
comment on column ingest.field_exposure.exposed_by is 'The session user who exposed it.';
comment on column ingest.field_exposure.hidden_at is 'Time at which the field was hidden; NULL while it is exposed.';
comment on column ingest.field_exposure.hidden_by is 'The session user who hid it.';

create table rollup.exposed_field (
  stream text collate "C" not null,
  source_file_id bigint not null,
  line_number bigint not null,
  field text collate "C" not null,
  natural_key jsonb not null,
  value text not null,
  primary key (stream, source_file_id, line_number, field)
);
create index exposed_field_field on rollup.exposed_field (stream, field);
alter table rollup.exposed_field
  alter column natural_key set statistics 0,
  alter column value set statistics 0;
comment on table rollup.exposed_field is
  'One row per stored row and exposed field that the row has. Written by: rollup.refresh_exposed_fields.';
comment on column rollup.exposed_field.stream is 'The stream of the row.';
comment on column rollup.exposed_field.source_file_id is 'The file of the row.';
comment on column rollup.exposed_field.line_number is 'The line of the row in that file.';
comment on column rollup.exposed_field.field is 'Name of the member.';
comment on column rollup.exposed_field.natural_key is 'The natural key of the row, as an array.';
comment on column rollup.exposed_field.value is 'The value as text.';

create table rollup.read_field (
  stream text collate "C" not null,
  field text collate "C" not null,
  primary key (stream, field)
);
comment on table rollup.read_field is
  'One row per field that rollup.exposed_field has of every row of the stream. Written by: rollup.refresh_exposed_fields.';
comment on column rollup.read_field.stream is 'The stream.';
comment on column rollup.read_field.field is 'Name of the member.';
