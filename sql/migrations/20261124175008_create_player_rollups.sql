-- The first statement of a refresh locks this table, before the transaction has a snapshot. So the snapshot of each
-- refresh contains the work of the refresh before it.
create table rollup.refresh_lock (
  is_never boolean not null check (not is_never)
);
comment on table rollup.refresh_lock is
  'One row per lock, but the table stays empty: a refresh locks the table itself, in exclusive mode, so that only one runs at a time.';
comment on column rollup.refresh_lock.is_never is 'Unused: the table stays empty.';

create table rollup.refresh_state (
  stream text collate "C" primary key references ingest.stream,
  source_file_id bigint not null default 0,
  load_id bigint references ingest.load,
  refreshed_at timestamptz
);
comment on table rollup.refresh_state is
  'One row per stream, with the newest file that the reports contain. Files of a stream with larger numbers were loaded since.';
comment on column rollup.refresh_state.stream is 'The stream.';
comment on column rollup.refresh_state.source_file_id is 'The reports contain all files of the stream up to this number; 0 for none.';
comment on column rollup.refresh_state.load_id is 'The newest run whose files the reports contain; NULL for none.';
comment on column rollup.refresh_state.refreshed_at is 'Start of the transaction that last refreshed the reports; NULL before the first refresh.';
insert into rollup.refresh_state (stream) select stream from ingest.stream order by stream;

-- Insert-only until the next refresh, so loads never wait for each other here. No key, because a row can change twice.
create table rollup.touched_row (
  stream text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C",
  event_at timestamptz not null,
  is_dated boolean not null,
  source_file_id bigint not null,
  line_number bigint not null,
  payment_seq text collate "C"
);
alter table rollup.touched_row replica identity full;
alter table rollup.touched_row alter column user_id set statistics 0;
comment on table rollup.touched_row is
  'One row per fact row that was changed or deleted since the last refresh, as it was before and as it is after. Written by: the functions that change facts, by rollup.note_statement.';
comment on column rollup.touched_row.stream is 'The stream of the row; observation for a user whose kept observations an undo or an erasure removes.';
comment on column rollup.touched_row.app_id is 'The application of the row.';
comment on column rollup.touched_row.user_id is 'The user of the row; NULL for streams in no figure of a player.';
comment on column rollup.touched_row.event_at is 'Time of the row: purchased_at, leveled_up_at or observed_at.';
comment on column rollup.touched_row.is_dated is 'False for a snapshot without a time of its own (load_start).';
comment on column rollup.touched_row.source_file_id is 'The file of the row.';
comment on column rollup.touched_row.line_number is 'The line of the row in that file.';
comment on column rollup.touched_row.payment_seq is 'The payment; NULL for streams other than receipt.';

create table rollup.touched_file (
  source_file_id bigint not null references ingest.source_file
);
alter table rollup.touched_file replica identity full;
comment on table rollup.touched_file is
  'One row per replay since the last refresh that added rows to a file that the reports contain already.';
comment on column rollup.touched_file.source_file_id is 'The file.';

create table rollup.dropped_month (
  stream text collate "C" not null references ingest.stream,
  month date not null check (extract(day from month) = 1),
  source_file_id bigint not null,
  starts_at timestamptz not null generated always as (month::timestamp at time zone 'UTC') stored,
  ends_at timestamptz not null generated always as ((month::timestamp + interval '1 month') at time zone 'UTC') stored,
  primary key (stream, month)
);
comment on table rollup.dropped_month is
  'One row per stream and month (UTC) whose rows retention dropped. Figures of its days are incomplete.';
comment on column rollup.dropped_month.stream is 'The stream.';
comment on column rollup.dropped_month.month is 'First day of the month, in UTC.';
comment on column rollup.dropped_month.starts_at is 'First instant of the month.';
comment on column rollup.dropped_month.ends_at is 'First instant after the month.';
comment on column rollup.dropped_month.source_file_id is 'Rows of files up to this number were dropped; later files may have brought rows of the month again.';

-- A refresh finds the rows of a file by these indexes: files are loaded one after another, so their rows lie together.
create index receipt_source_file on game.receipt using brin (source_file_id) with (pages_per_range = 32);
create index level_up_source_file on game.level_up using brin (source_file_id) with (pages_per_range = 32);
create index game_user_snapshot_source_file on game.game_user_snapshot
  using brin (source_file_id) with (pages_per_range = 32);

-- Working tables of a refresh. Only the refresh that holds rollup.refresh_lock uses them, and it empties them first.
create unlogged table staging.touched_file (
  source_file_id bigint primary key
);
comment on table staging.touched_file is
  'One row per file whose rows a refresh reads: new files and replayed ones. Empty between refreshes.';
comment on column staging.touched_file.source_file_id is 'The file.';

create unlogged table staging.touched_row (
  stream text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C",
  event_at timestamptz not null,
  is_dated boolean not null,
  source_file_id bigint not null,
  line_number bigint not null,
  payment_seq text collate "C"
);
alter table staging.touched_row replica identity full;
alter table staging.touched_row alter column user_id set statistics 0;
comment on table staging.touched_row is
  'One row per row of a touched file, and per note of rollup.touched_row. A refresh fills it; empty between refreshes. A full refresh leaves it empty, because it reads all facts.';
comment on column staging.touched_row.stream is 'The stream of the row.';
comment on column staging.touched_row.app_id is 'The application of the row.';
comment on column staging.touched_row.user_id is 'The user of the row; NULL for streams in no figure of a player.';
comment on column staging.touched_row.event_at is 'Time of the row.';
comment on column staging.touched_row.is_dated is 'False for a snapshot without a time of its own (load_start).';
comment on column staging.touched_row.source_file_id is 'The file of the row.';
comment on column staging.touched_row.line_number is 'The line of the row in that file.';
comment on column staging.touched_row.payment_seq is 'The payment; NULL for streams other than receipt.';

create unlogged table staging.touched_day (
  app_id text collate "C" not null,
  day date not null,
  primary key (app_id, day)
);
comment on table staging.touched_day is
  'One row per application and day of the reporting zone whose figures a refresh recomputes. Empty between refreshes.';
comment on column staging.touched_day.app_id is 'The application.';
comment on column staging.touched_day.day is 'The day.';

create table rollup.calendar_period (
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  last_day date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (period, period_start)
);
comment on table rollup.calendar_period is
  'One row per day, week (from Monday) and month of the reporting zone, from the first event to 400 days after the newest. Written by: rollup.collect_touched.';
comment on column rollup.calendar_period.period is 'day, week or month.';
comment on column rollup.calendar_period.period_start is 'First day of the period.';
comment on column rollup.calendar_period.last_day is 'Last day of the period.';
comment on column rollup.calendar_period.starts_at is 'First instant of the period.';
comment on column rollup.calendar_period.ends_at is 'First instant after the period.';

-- Retention drops rows, but not what they tell of first and last observations. With one row per file, an undo of the
-- file takes back just what the file told.
create table ingest.kept_observation (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  stream text collate "C" not null references ingest.stream,
  source_file_id bigint not null,
  first_observed_at timestamptz not null,
  last_observed_at timestamptz not null,
  primary key (app_id, user_id, stream, source_file_id)
);
create index kept_observation_file on ingest.kept_observation (source_file_id);
alter table ingest.kept_observation alter column user_id set statistics 0;
comment on table ingest.kept_observation is
  'One row per application, user, stream and file whose rows of the user retention dropped: the first and the last of them. Written by: ingest.drop_month.';
comment on column ingest.kept_observation.app_id is 'The application.';
comment on column ingest.kept_observation.user_id is 'The user.';
comment on column ingest.kept_observation.stream is 'The stream of the rows: level_up or game_user.';
comment on column ingest.kept_observation.source_file_id is 'The file that brought the rows.';
comment on column ingest.kept_observation.first_observed_at is 'Time of the first dropped row that has a time of its own.';
comment on column ingest.kept_observation.last_observed_at is 'Time of the last one.';

-- A player whose figures cannot be computed keeps nobody else's from being refreshed.
create table rollup.set_aside_player (
  player_number bigint generated always as identity primary key,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  since timestamptz not null default now(),
  attempt_count bigint not null default 1,
  error text collate "C" not null,
  -- A search for the rows of a player can read a whole table, and report.health is read every few minutes.
  streams text[] collate "C" not null default '{}',
  unique (app_id, user_id)
);
alter table rollup.set_aside_player alter column user_id set statistics 0;
comment on table rollup.set_aside_player is
  'One row per player who is in no figure, because the figures of the player cannot be computed. Written by: a refresh, which tries each of them again.';
comment on column rollup.set_aside_player.player_number is 'Number of the player in the log, which does not name users.';
comment on column rollup.set_aside_player.app_id is 'The application; empty when unknown.';
comment on column rollup.set_aside_player.user_id is 'The user.';
comment on column rollup.set_aside_player.since is 'Time of the first refresh that could not compute the figures.';
comment on column rollup.set_aside_player.attempt_count is 'Refreshes since then that tried.';
comment on column rollup.set_aside_player.error is 'The reason; it has no value of a row.';
comment on column rollup.set_aside_player.streams is
  'The streams with a receipt, level-up or snapshot of the player, and those of the files that brought these rows, in the order of their names. Empty for a player whom an older version set aside, until the next refresh.';

-- Narrow rows: what the fold over a player's rows tells of the player (module PlayerHistory). Keys are application and
-- user, and no number that one table would give out.

create table rollup.player (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  first_observed_at timestamptz,
  first_observed_on date,
  first_observed_in text collate "C",
  last_observed_at timestamptz,
  last_observed_in text collate "C",
  first_paid_at timestamptz,
  first_paid_on date,
  last_paid_at timestamptz,
  paid_count bigint not null,
  receipt_count bigint not null,
  subscription_count bigint not null,
  user_level integer,
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C",
  newest_at timestamptz,
  observed_on date,
  level_up_on date,
  snapshot_on date,
  last_level_up_at timestamptz,
  highest_level integer,
  levels integer[] not null,
  reached_at timestamptz[] not null,
  paid_groups bigint[] not null,
  awaits_original boolean not null,
  primary key (app_id, user_id)
) with (fillfactor = 80);
create index player_last_level_up on rollup.player (app_id, last_level_up_at);
alter table rollup.player
  alter column user_id set statistics 0,
  alter column levels set statistics 0,
  alter column reached_at set statistics 0,
  alter column paid_groups set statistics 0;
comment on table rollup.player is
  'One row per application and user with any stored row or kept observation, with the state from which the fold continues when later rows come. Written by: a refresh.';
comment on column rollup.player.app_id is 'The application.';
comment on column rollup.player.user_id is 'The user.';
comment on column rollup.player.first_observed_at is 'Time of the first observation; NULL for none.';
comment on column rollup.player.first_observed_on is 'Day of the first observation in the reporting zone.';
comment on column rollup.player.first_observed_in is 'Stream of the first observation: receipt, level_up or game_user.';
comment on column rollup.player.last_observed_at is 'Time of the last observation; NULL for none.';
comment on column rollup.player.last_observed_in is 'Stream of the last observation.';
comment on column rollup.player.first_paid_at is 'Time of the first paid purchase; NULL for none.';
comment on column rollup.player.first_paid_on is 'Day of the first paid purchase in the reporting zone.';
comment on column rollup.player.last_paid_at is 'Time of the last paid purchase; NULL for none.';
comment on column rollup.player.paid_count is 'Number of paid purchases.';
comment on column rollup.player.receipt_count is 'Number of receipts, sandbox included.';
comment on column rollup.player.subscription_count is 'Number of receipts that form subscriptions.';
comment on column rollup.player.user_level is 'Current level; of several characters the highest.';
comment on column rollup.player.channel_id is 'Channel of the row that gives the current level.';
comment on column rollup.player.character_id is 'Character of that row.';
comment on column rollup.player.class_id is 'Class of that row.';
comment on column rollup.player.newest_at is 'Time of the newest row that has a time of its own. The fold continues with later rows only.';
comment on column rollup.player.observed_on is 'Newest day with an observation by a stored row.';
comment on column rollup.player.level_up_on is 'Newest day with a level-up.';
comment on column rollup.player.snapshot_on is 'Newest day with a snapshot that has a time of its own.';
comment on column rollup.player.last_level_up_at is 'Time of the last level-up; NULL for none.';
comment on column rollup.player.highest_level is 'Highest level of any level-up; NULL for none.';
comment on column rollup.player.levels is 'The levels of all level-ups, each once, ascending.';
comment on column rollup.player.reached_at is 'The first time of each level, in the order of levels.';
comment on column rollup.player.paid_groups is 'The currencies, levels and attributions of the paid purchases, each as one number (PaidGroup in Swift), ascending.';
comment on column rollup.player.awaits_original is 'True if the first receipt of a subscription names an original payment that no receipt of the player has.';

create table rollup.player_day (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  day date not null,
  is_observed boolean not null,
  is_new_payer boolean not null,
  firsts smallint not null,
  level_up_count integer not null,
  snapshot_count integer not null,
  paid_count integer not null,
  level_at_end integer,
  first_observed_on date,
  primary key (app_id, user_id, day)
);
alter table rollup.player_day alter column user_id set statistics 0;
comment on table rollup.player_day is
  'One row per player and day with any row that has a time of its own, sandbox receipts included. Written by: a refresh.';
comment on column rollup.player_day.app_id is 'The application.';
comment on column rollup.player_day.user_id is 'The user.';
comment on column rollup.player_day.day is 'Day in the reporting zone.';
comment on column rollup.player_day.is_observed is 'True when the user was observed on the day.';
comment on column rollup.player_day.is_new_payer is 'True on the day of the first paid purchase.';
comment on column rollup.player_day.firsts is 'The weeks and months whose first day of a kind this is, as bits: DayFirsts in Swift.';
comment on column rollup.player_day.level_up_count is 'Level-ups.';
comment on column rollup.player_day.snapshot_count is 'Snapshots with a time of their own.';
comment on column rollup.player_day.paid_count is 'Paid purchases.';
comment on column rollup.player_day.level_at_end is 'Level at the end of the day; NULL while none is known.';
comment on column rollup.player_day.first_observed_on is 'Day of the player''s first observation; NULL on a day without an observation.';

-- Keyed by application, user and payment, but without a unique index: an index on the player alone holds each player
-- once (deduplication), so it takes a tenth of the bytes. The fold writes all rows of a player, and refuses two of one
-- payment (PlayerFault). Columns of one width stand together, so no row is padded.
create table rollup.purchase (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  is_sandbox boolean,
  is_promotion boolean,
  price_imprecise boolean not null,
  is_paid boolean not null,
  is_observation boolean not null,
  is_level_exact boolean,
  purchased_at timestamptz not null,
  amount_minor bigint,
  day date not null,
  firsts integer not null,
  user_level integer,
  first_observed_on date,
  first_paid_on date,
  payment_seq text collate "C" not null,
  currency text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C"
);
alter table rollup.purchase replica identity full;
create index purchase_player on rollup.purchase (app_id, user_id);
create index purchase_day on rollup.purchase (app_id, day);
alter table rollup.purchase
  alter column user_id set statistics 0,
  alter column payment_seq set statistics 0,
  alter column channel_id set statistics 0,
  alter column character_id set statistics 0,
  alter column class_id set statistics 0;
comment on table rollup.purchase is
  'One row per payment (paymentSeq), sandbox included: what the sums over purchases need, and the level at the purchase. Written by: a refresh.';
comment on column rollup.purchase.app_id is 'The application.';
comment on column rollup.purchase.user_id is 'The user.';
comment on column rollup.purchase.is_sandbox is 'True for a test purchase; NULL without a flag.';
comment on column rollup.purchase.is_promotion is 'True for a promotional purchase; NULL without a flag.';
comment on column rollup.purchase.price_imprecise is 'As in game.receipt.';
comment on column rollup.purchase.is_paid is 'True for a production purchase with a price above 0 and without a promotion.';
comment on column rollup.purchase.is_observation is 'True when the purchase is an observation of the user: a production purchase that no store renewed by itself.';
comment on column rollup.purchase.is_level_exact is 'True when one character is known; false when user_level is the highest of several; NULL when no level is known.';
comment on column rollup.purchase.purchased_at is 'Time of the purchase.';
comment on column rollup.purchase.amount_minor is 'Price in the minor unit; NULL without a price.';
comment on column rollup.purchase.day is 'Day of the purchase in the reporting zone.';
comment on column rollup.purchase.firsts is 'The groups in which this is the player''s first purchase, as bits: PurchaseFirsts in Swift.';
comment on column rollup.purchase.user_level is 'Level at the purchase; NULL when none is known.';
comment on column rollup.purchase.first_observed_on is 'Day of the player''s first observation; NULL for a purchase that is not paid.';
comment on column rollup.purchase.first_paid_on is 'Day of the player''s first paid purchase; NULL for a purchase that is not paid.';
comment on column rollup.purchase.payment_seq is 'The payment. Joins to game.receipt.payment_seq.';
comment on column rollup.purchase.currency is 'ISO 4217 code.';
comment on column rollup.purchase.gamebase_product_id is 'The product; NULL when unknown.';
comment on column rollup.purchase.store_code is 'Code of the store; NULL when missing.';
comment on column rollup.purchase.channel_id is 'Channel of the row that gives the level; NULL unless is_level_exact is true.';
comment on column rollup.purchase.character_id is 'Character of that row; NULL unless is_level_exact is true.';
comment on column rollup.purchase.class_id is 'Class of that row; NULL unless is_level_exact is true.';

create table rollup.subscription_period (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  payment_seq text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  currency text collate "C" not null,
  amount_minor bigint,
  purchased_on date not null,
  chain_id text collate "C" not null,
  chain_rule text collate "C" not null check (chain_rule in ('original', 'google', 'payment', 'product')),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  starts_on date not null,
  ends_on date not null,
  length_in_days integer not null,
  period_kind text collate "C" check (period_kind in ('new', 'continued', 'renewal', 'resubscription')),
  is_trial boolean not null,
  is_paid boolean not null,
  is_converted boolean not null,
  is_renewed boolean not null,
  is_expiry boolean not null,
  renewal_number integer,
  cohort_month date,
  cohort_product_id text collate "C",
  cohort_started_as text collate "C" check (cohort_started_as in ('trial', 'paid', 'other')),
  purchased_at timestamptz not null,
  expires_at timestamptz not null,
  payment_id text collate "C",
  original_payment_id text collate "C",
  primary key (app_id, user_id, payment_seq)
);
create index subscription_period_end on rollup.subscription_period (app_id, ends_at);
alter table rollup.subscription_period
  alter column user_id set statistics 0,
  alter column payment_seq set statistics 0,
  alter column chain_id set statistics 0,
  alter column payment_id set statistics 0,
  alter column original_payment_id set statistics 0;
comment on table rollup.subscription_period is
  'One row per subscription receipt: its chain and its period. Written by: a refresh.';
comment on column rollup.subscription_period.app_id is 'The application.';
comment on column rollup.subscription_period.user_id is 'The user.';
comment on column rollup.subscription_period.payment_seq is 'The payment.';
comment on column rollup.subscription_period.gamebase_product_id is 'The product; NULL when unknown.';
comment on column rollup.subscription_period.store_code is 'Code of the store; NULL when missing.';
comment on column rollup.subscription_period.currency is 'ISO 4217 code.';
comment on column rollup.subscription_period.amount_minor is 'Price in the minor unit; NULL without a price.';
comment on column rollup.subscription_period.purchased_on is 'Day of the purchase in the reporting zone.';
comment on column rollup.subscription_period.chain_id is 'The chain: its smallest payment_seq.';
comment on column rollup.subscription_period.chain_rule is 'The rule that joins the payment to its chain.';
comment on column rollup.subscription_period.starts_at is 'Start of the period.';
comment on column rollup.subscription_period.ends_at is 'First instant after the period; equal to starts_at for one without length.';
comment on column rollup.subscription_period.starts_on is 'Day of starts_at in the reporting zone.';
comment on column rollup.subscription_period.ends_on is 'Day of ends_at in the reporting zone.';
comment on column rollup.subscription_period.length_in_days is 'Length to the nearest 24 hours, before a receipt of another product cut it; 0 for a period without length.';
comment on column rollup.subscription_period.period_kind is 'new, continued, renewal or resubscription; NULL for a period without length.';
comment on column rollup.subscription_period.is_trial is 'True for the price 0 without a promotion.';
comment on column rollup.subscription_period.is_paid is 'True for a price above 0 without a promotion.';
comment on column rollup.subscription_period.is_converted is 'True for a renewal that is the first paid period after a trial.';
comment on column rollup.subscription_period.is_renewed is 'True when the next period of the chain is a renewal.';
comment on column rollup.subscription_period.is_expiry is 'True when no renewal followed within 16 days of the end, as far as is known.';
comment on column rollup.subscription_period.renewal_number is 'Number of the period in the unbroken chain, from 1; NULL when the chain belongs to no cohort.';
comment on column rollup.subscription_period.cohort_month is 'First day of the month in which the chain began; NULL when it belongs to no cohort.';
comment on column rollup.subscription_period.cohort_product_id is 'Product of the chain''s first period; NULL when unknown, or without a cohort.';
comment on column rollup.subscription_period.cohort_started_as is 'How the chain began: with a trial, a paid period, or another one; NULL without a cohort.';
comment on column rollup.subscription_period.purchased_at is 'Time of the purchase.';
comment on column rollup.subscription_period.expires_at is 'End of the period by the receipt.';
comment on column rollup.subscription_period.payment_id is 'Number of the payment in the store; NULL when unknown.';
comment on column rollup.subscription_period.original_payment_id is 'Number of the subscription''s first payment in the store; NULL when unknown.';

create table rollup.player_character (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  character_id text collate "C",
  event_at timestamptz not null,
  kind text collate "C" not null check (kind in ('level_up', 'snapshot', 'load_start')),
  user_level integer not null,
  channel_id text collate "C",
  class_id text collate "C",
  source_file_id bigint not null,
  line_number bigint not null,
  constraint player_character_key unique nulls not distinct (app_id, user_id, character_id)
) with (fillfactor = 80);
alter table rollup.player_character replica identity full;
alter table rollup.player_character
  alter column user_id set statistics 0,
  alter column character_id set statistics 0;
comment on table rollup.player_character is
  'One row per player and character: the row that gives the level. One with a time of its own outranks a load_start one. Written by: a refresh.';
comment on column rollup.player_character.app_id is 'The application.';
comment on column rollup.player_character.user_id is 'The user.';
comment on column rollup.player_character.character_id is 'The character; NULL is one, too.';
comment on column rollup.player_character.event_at is 'Time of the row.';
comment on column rollup.player_character.kind is 'level_up, snapshot, or load_start for a snapshot without a time of its own.';
comment on column rollup.player_character.user_level is 'The level.';
comment on column rollup.player_character.channel_id is 'The channel; NULL when missing.';
comment on column rollup.player_character.class_id is 'The class; NULL when missing.';
comment on column rollup.player_character.source_file_id is 'The file of the row.';
comment on column rollup.player_character.line_number is 'The line in that file.';

create table rollup.current_game_user (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  channel_id text collate "C",
  character_id text collate "C",
  user_level integer not null,
  class_id text collate "C",
  observed_at timestamptz not null,
  observed_at_source text collate "C" not null,
  source_file_id bigint not null,
  line_number bigint not null,
  constraint current_game_user_key unique nulls not distinct (app_id, user_id, channel_id, character_id)
) with (fillfactor = 80);
alter table rollup.current_game_user replica identity full;
alter table rollup.current_game_user
  alter column user_id set statistics 0,
  alter column character_id set statistics 0;
comment on table rollup.current_game_user is
  'One row per player, channel and character with a snapshot: the newest one. Written by: a refresh.';
comment on column rollup.current_game_user.app_id is 'The application.';
comment on column rollup.current_game_user.user_id is 'The user.';
comment on column rollup.current_game_user.channel_id is 'The channel; NULL when the game has none.';
comment on column rollup.current_game_user.character_id is 'The character; NULL when the game has none.';
comment on column rollup.current_game_user.user_level is 'The level.';
comment on column rollup.current_game_user.class_id is 'The class; NULL when missing.';
comment on column rollup.current_game_user.observed_at is 'Time of the snapshot.';
comment on column rollup.current_game_user.observed_at_source is 'Origin of observed_at: line, option or load_start.';
comment on column rollup.current_game_user.source_file_id is 'The file of the snapshot.';
comment on column rollup.current_game_user.line_number is 'The line in that file.';

-- Without a unique index, like rollup.purchase.
create table rollup.character_change (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  channel_id text collate "C",
  character_id text collate "C",
  valid_from timestamptz not null,
  user_level integer not null,
  class_id text collate "C"
);
create index character_change_player on rollup.character_change (app_id, user_id);
alter table rollup.character_change replica identity full;
alter table rollup.character_change
  alter column user_id set statistics 0,
  alter column character_id set statistics 0;
comment on table rollup.character_change is
  'One row per player, channel, character and change of level or class, from snapshots with a time of their own. Written by: a refresh.';
comment on column rollup.character_change.app_id is 'The application.';
comment on column rollup.character_change.user_id is 'The user.';
comment on column rollup.character_change.channel_id is 'The channel; NULL when the game has none.';
comment on column rollup.character_change.character_id is 'The character; NULL when the game has none.';
comment on column rollup.character_change.valid_from is 'Time of the first snapshot with this level and class.';
comment on column rollup.character_change.user_level is 'The level.';
comment on column rollup.character_change.class_id is 'The class; NULL when missing.';
