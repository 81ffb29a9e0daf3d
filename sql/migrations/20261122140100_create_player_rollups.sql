create table report.player_rollup (
  player_id bigint generated always as identity primary key,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  first_paid_at timestamptz,
  first_paid_on date,
  first_payment_seq text collate "C",
  last_paid_at timestamptz,
  paid_count bigint not null default 0,
  user_level integer,
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C",
  unique (app_id, user_id)
);
create index player_first_paid_on on report.player_rollup (app_id, first_paid_on);

comment on table report.player_rollup is
  'One row per application and user with any stored row or kept observation. Written by: report.refresh.';
comment on column report.player_rollup.player_id is 'Number of the player in the rollups. It can change when the user is removed and comes back.';
comment on column report.player_rollup.app_id is 'The application.';
comment on column report.player_rollup.user_id is 'The user.';
comment on column report.player_rollup.first_paid_at is 'Time of the first paid purchase; NULL for none.';
comment on column report.player_rollup.first_paid_on is 'Day of the first paid purchase; NULL for none.';
comment on column report.player_rollup.first_payment_seq is 'The first paid purchase; NULL for none. Of purchases at one instant, the smallest payment_seq.';
comment on column report.player_rollup.last_paid_at is 'Time of the last paid purchase; NULL for none.';
comment on column report.player_rollup.paid_count is 'Number of paid purchases.';
comment on column report.player_rollup.user_level is 'Current level: the highest of the player''s characters; NULL when unknown.';
comment on column report.player_rollup.channel_id is 'Channel of the character with that level.';
comment on column report.player_rollup.character_id is 'The character with that level.';
comment on column report.player_rollup.class_id is 'Class of that character.';

create table report.first_observation (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  first_observed_at timestamptz not null,
  first_observed_on date not null,
  first_observed_in text collate "C" not null,
  first_source_file_id bigint not null,
  last_observed_at timestamptz not null,
  last_observed_on date not null,
  last_observed_in text collate "C" not null,
  last_source_file_id bigint not null,
  player_id bigint not null,
  primary key (app_id, user_id)
);
create unique index first_observation_player on report.first_observation (player_id);
create index first_observation_cohort on report.first_observation (app_id, first_observed_on);
alter table report.first_observation alter column user_id set statistics 0;
comment on table report.first_observation is
  'One row per application and user that was ever observed: the first and the last observation. Retention of months does not change it. Written by: report.refresh.';
comment on column report.first_observation.app_id is 'The application.';
comment on column report.first_observation.user_id is 'The user.';
comment on column report.first_observation.first_observed_at is 'Time of the first observation.';
comment on column report.first_observation.first_observed_on is 'Day of the first observation.';
comment on column report.first_observation.first_observed_in is 'Stream of the first observation. Of observations at one instant: receipt, then level_up, then game_user.';
comment on column report.first_observation.first_source_file_id is 'File of the first observation.';
comment on column report.first_observation.last_observed_at is 'Time of the last observation.';
comment on column report.first_observation.last_observed_on is 'Day of the last observation.';
comment on column report.first_observation.last_observed_in is 'Stream of the last observation.';
comment on column report.first_observation.last_source_file_id is 'File of the last observation.';
comment on column report.first_observation.player_id is 'The player in report.player_rollup.';

create table report.purchase_rollup (
  payment_seq text collate "C" primary key,
  player_id bigint not null,
  app_id text collate "C" not null,
  purchased_at timestamptz not null,
  purchased_on date not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  currency text collate "C" not null,
  amount_minor bigint,
  is_sandbox boolean,
  is_promotion boolean,
  price_imprecise boolean not null,
  is_paid boolean not null,
  is_first_paid boolean not null default false,
  expires_at timestamptz,
  product_type text collate "C",
  payment_id text collate "C",
  original_payment_id text collate "C",
  market_item_id text collate "C",
  item_seq bigint,
  product_type_raw text,
  price_raw text,
  price_repaired boolean not null,
  text_repaired boolean not null,
  user_level integer,
  level_attribution text collate "C" not null default 'none',
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C",
  source_file_id bigint not null,
  line_number bigint not null
);
create index purchase_player on report.purchase_rollup (player_id, purchased_at);
create index purchase_day on report.purchase_rollup (purchased_on, app_id);
alter table report.purchase_rollup alter column price_raw set statistics 0;
comment on table report.purchase_rollup is
  'One row per payment (paymentSeq), sandbox included, as of the last refresh. Written by: report.refresh.';
comment on column report.purchase_rollup.payment_seq is 'The vendor''s number of the payment.';
comment on column report.purchase_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.purchase_rollup.app_id is 'The application.';
comment on column report.purchase_rollup.purchased_at is 'Time of the purchase.';
comment on column report.purchase_rollup.purchased_on is 'Day of the purchase.';
comment on column report.purchase_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.purchase_rollup.store_code is 'The store; NULL when missing.';
comment on column report.purchase_rollup.currency is 'ISO 4217 code.';
comment on column report.purchase_rollup.amount_minor is 'Price in the minor unit of the currency; NULL when unpriced.';
comment on column report.purchase_rollup.is_sandbox is 'True for test purchases; NULL without a flag.';
comment on column report.purchase_rollup.is_promotion is 'True for promotional purchases; NULL without a flag.';
comment on column report.purchase_rollup.price_imprecise is 'True when a 32-bit float may not have held the price exactly.';
comment on column report.purchase_rollup.is_paid is 'True for a production purchase with a price above 0 that is not a promotion.';
comment on column report.purchase_rollup.is_first_paid is 'True for the user''s first paid purchase in the application.';
comment on column report.purchase_rollup.expires_at is 'End of the subscription period; NULL for other purchases.';
comment on column report.purchase_rollup.product_type is 'Type of the product.';
comment on column report.purchase_rollup.payment_id is 'The store''s reference of the payment.';
comment on column report.purchase_rollup.original_payment_id is 'The store''s reference of the subscription''s first payment.';
comment on column report.purchase_rollup.market_item_id is 'The product''s id in the store.';
comment on column report.purchase_rollup.item_seq is 'The number of the item in the Gamebase console.';
comment on column report.purchase_rollup.product_type_raw is 'The product type as written in the line, when it differs from product_type.';
comment on column report.purchase_rollup.price_raw is 'The price as written in the line, when it was repaired or is imprecise.';
comment on column report.purchase_rollup.price_repaired is 'True when the loader rounded off the error of a 32-bit float.';
comment on column report.purchase_rollup.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in a free text by U+FFFD.';
comment on column report.purchase_rollup.user_level is 'Level of the user at the purchase; NULL when unknown.';
comment on column report.purchase_rollup.level_attribution is 'exact (one character known), highest_of_several or none.';
comment on column report.purchase_rollup.channel_id is 'Channel at the purchase; NULL unless level_attribution is exact.';
comment on column report.purchase_rollup.character_id is 'Character at the purchase; NULL unless level_attribution is exact.';
comment on column report.purchase_rollup.class_id is 'Class at the purchase; NULL unless level_attribution is exact.';
comment on column report.purchase_rollup.source_file_id is 'The file that brought the receipt.';
comment on column report.purchase_rollup.line_number is 'The line in that file.';

create table report.level_event_rollup (
  player_id bigint not null,
  event_at timestamptz not null,
  kind text collate "C" not null check (kind in ('level_up', 'snapshot', 'load_start')),
  user_level integer not null,
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C",
  source_file_id bigint not null,
  line_number bigint not null
);
create index level_event_player on report.level_event_rollup (player_id, event_at);
alter table report.level_event_rollup replica identity full;
comment on table report.level_event_rollup is
  'One row per level-up and per snapshot of a game user, in the order of players, as of the last refresh. Written by: report.refresh.';
comment on column report.level_event_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.level_event_rollup.event_at is 'Time of the level-up or of the observation.';
comment on column report.level_event_rollup.kind is 'level_up, snapshot, or load_start for a snapshot without a time of its own.';
comment on column report.level_event_rollup.user_level is 'The level.';
comment on column report.level_event_rollup.channel_id is 'The channel or server.';
comment on column report.level_event_rollup.character_id is 'The character; NULL is one character.';
comment on column report.level_event_rollup.class_id is 'The character''s class.';
comment on column report.level_event_rollup.source_file_id is 'The file that brought the row.';
comment on column report.level_event_rollup.line_number is 'The line in that file.';

create table report.player_day_rollup (
  player_id bigint not null,
  day date not null,
  app_id text collate "C" not null,
  is_observed boolean not null,
  level_up_count integer not null,
  snapshot_count integer not null,
  paid_count integer not null,
  is_new_payer boolean not null,
  level_at_end integer,
  primary key (player_id, day)
);
create index player_day_day on report.player_day_rollup (day, app_id);
comment on table report.player_day_rollup is
  'One row per player and day with any row that has a time of its own. Written by: report.refresh.';
comment on column report.player_day_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.player_day_rollup.day is 'The day, in the reporting zone.';
comment on column report.player_day_rollup.app_id is 'The application.';
comment on column report.player_day_rollup.is_observed is 'True when the user was observed on the day.';
comment on column report.player_day_rollup.level_up_count is 'Number of level-ups.';
comment on column report.player_day_rollup.snapshot_count is 'Number of snapshots with a time of their own.';
comment on column report.player_day_rollup.paid_count is 'Number of paid purchases.';
comment on column report.player_day_rollup.is_new_payer is 'True when the user''s first paid purchase falls on the day.';
comment on column report.player_day_rollup.level_at_end is 'Level of the user at the end of the day; NULL when unknown.';

create table report.player_character_rollup (
  player_id bigint not null,
  character_id text collate "C",
  event_at timestamptz not null,
  kind text collate "C" not null,
  user_level integer not null,
  channel_id text collate "C",
  class_id text collate "C",
  source_file_id bigint not null,
  line_number bigint not null,
  constraint player_character_once unique nulls not distinct (player_id, character_id)
);
alter table report.player_character_rollup replica identity full;
comment on table report.player_character_rollup is
  'One row per player and character: the latest level. A row with a time of its own outranks a load_start one. Written by: report.refresh.';
comment on column report.player_character_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.player_character_rollup.character_id is 'The character; NULL is one character.';
comment on column report.player_character_rollup.event_at is 'Time of that level-up or snapshot.';
comment on column report.player_character_rollup.kind is 'level_up, snapshot, or load_start for a snapshot without a time of its own.';
comment on column report.player_character_rollup.user_level is 'The level.';
comment on column report.player_character_rollup.channel_id is 'The channel or server.';
comment on column report.player_character_rollup.class_id is 'The class.';
comment on column report.player_character_rollup.source_file_id is 'The file that brought the row.';
comment on column report.player_character_rollup.line_number is 'The line in that file.';

create table report.calendar_period (
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  last_day date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (period, period_start)
);
comment on table report.calendar_period is
  'One row per day, week (from Monday) and month of the reporting zone, from the first event to 400 days after the newest. Written by: report.refresh.';
comment on column report.calendar_period.period is 'day, week or month.';
comment on column report.calendar_period.period_start is 'First day of the period.';
comment on column report.calendar_period.last_day is 'Last day of the period.';
comment on column report.calendar_period.starts_at is 'First instant of the period.';
comment on column report.calendar_period.ends_at is 'First instant after the period.';

create unlogged table staging.level_event (like report.level_event_rollup including comments);
alter table staging.level_event replica identity full;
comment on table staging.level_event is
  'One row per level event of a touched player from read_since on, and the latest one of each character before it. Empty between refreshes.';

create unlogged table staging.player_day (
  player_id bigint not null,
  day date not null,
  app_id text collate "C" not null,
  is_observed boolean not null,
  level_up_count integer not null,
  snapshot_count integer not null,
  paid_count integer not null,
  ends_at timestamptz not null
);
alter table staging.player_day replica identity full;
comment on table staging.player_day is
  'One row per player and day that a refresh computes, before the level at its end is known. Empty between refreshes.';
comment on column staging.player_day.player_id is 'The player; see report.player_rollup.';
comment on column staging.player_day.day is 'The day.';
comment on column staging.player_day.app_id is 'The application.';
comment on column staging.player_day.is_observed is 'As in report.player_day_rollup.';
comment on column staging.player_day.level_up_count is 'As in report.player_day_rollup.';
comment on column staging.player_day.snapshot_count is 'As in report.player_day_rollup.';
comment on column staging.player_day.paid_count is 'As in report.player_day_rollup.';
comment on column staging.player_day.ends_at is 'First instant after the day.';

create unlogged table staging.purchase (like report.purchase_rollup including comments including defaults);
alter table staging.purchase replica identity full;
alter table staging.purchase alter column price_raw set statistics 0;
comment on table staging.purchase is
  'One row per receipt that a refresh adds to report.purchase_rollup, before its level is known. Empty between refreshes.';
