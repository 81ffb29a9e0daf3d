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
  observed_newest_at timestamptz,
  receipt_trusted_at timestamptz,
  trusted_at timestamptz
);
comment on table rollup.app_horizon is
  'One row per application with an accepted line, a stored receipt or an observed user, as of the last refresh: how far its events go. The streams here are level_up, game_user and, in the place of receipt, the followed feed. Written by: a refresh.';
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
comment on column rollup.app_horizon.receipt_trusted_at is
  'receipt_newest_at, but not beyond the beginning of the first open day of the followed feed: money views are complete up to here.';
comment on column rollup.app_horizon.trusted_at is
  'horizon_at, but no stream counts beyond the beginning of its first open day: views over all streams are complete up to here.';

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
alter table rollup.item_change replica identity full;
alter table rollup.item_change
  alter column item_name set statistics 0,
  alter column localized_title set statistics 0;
comment on table rollup.item_change is
  'One row per item and change of its price, type, names or flag, from snapshots with a time of their own. Written by: a refresh.';

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
  first_received_at timestamptz,
  first_clicked_at timestamptz,
  constraint push_day_rollup_key unique nulls not distinct (day, app_id, push_id)
);
alter table rollup.push_day replica identity full;
create index push_day_push on rollup.push_day (app_id, push_id);
comment on table rollup.push_day is
  'One row per day, application and push message. Written by: a refresh.';
comment on column rollup.push_day.first_clicked_at is 'Time of the first click; NULL for none.';

create table rollup.kickout_day (
  day date not null,
  app_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('app', 'transfer')),
  message_count bigint not null,
  message_user_count bigint not null,
  close_count bigint not null default 0,
  close_user_count bigint not null default 0,
  primary key (day, app_id, kind)
);
comment on table rollup.kickout_day is
  'One row per day, application and kind of kick-out. Written by: a refresh.';

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

create table rollup.push (
  app_id text collate "C" not null,
  push_id text collate "C" not null,
  first_received_at timestamptz,
  received_user_count bigint not null,
  clicked_user_count bigint not null,
  starts_at timestamptz,
  primary key (app_id, push_id)
);
comment on table rollup.push is
  'One row per application and push message with an id: the users of its first seven days.';

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
comment on column rollup.product_name.is_dated is 'False when the time of the item is the start of its load.';
