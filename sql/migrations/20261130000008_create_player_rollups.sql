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
  refreshed_at timestamptz,
  has_open_erasure boolean not null default false
);
comment on table rollup.refresh_state is
  'One row per stream, with the newest file that the reports contain. Files of a stream with larger numbers were loaded since.';
comment on column rollup.refresh_state.refreshed_at is 'Start of the transaction that last refreshed the reports; NULL before the first refresh.';
comment on column rollup.refresh_state.has_open_erasure is
  'True when the sums still count an erased user, because a session other than the program''s erased; the next refresh makes all reports anew.';
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
comment on column rollup.touched_row.event_at is 'Time of the row: purchased_at, leveled_up_at or observed_at.';
comment on column rollup.touched_row.is_dated is 'False for a snapshot without a time of its own (load_start).';

create table rollup.touched_file (
  source_file_id bigint not null references ingest.source_file
);
alter table rollup.touched_file replica identity full;
comment on table rollup.touched_file is
  'One row per replay since the last refresh that added rows to a file that the reports contain already.';

create table rollup.calendar_period (
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  last_day date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (period, period_start)
);
comment on table rollup.calendar_period is
  'One row per day, week (from Monday) and month of the reporting zone, from the first event to 400 days after the newest. Written by: a refresh.';
comment on column rollup.calendar_period.last_day is 'Last day of the period.';

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
  first_paid_at timestamptz,
  first_paid_on date,
  last_paid_at timestamptz,
  paid_count bigint not null,
  user_level integer,
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C",
  last_level_up_at timestamptz,
  highest_level integer,
  primary key (app_id, user_id)
) with (fillfactor = 80);
create index player_last_level_up on rollup.player (app_id, last_level_up_at);
alter table rollup.player alter column user_id set statistics 0;
comment on table rollup.player is
  'One row per application and user with any stored row or kept observation. Written by: a refresh.';
comment on column rollup.player.last_level_up_at is 'Time of the last level-up; NULL for none.';
comment on column rollup.player.highest_level is 'Highest level of any level-up; NULL for none.';

create table rollup.player_day (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  day date not null,
  is_observed boolean not null,
  is_new_payer boolean not null,
  level_up_count integer not null,
  paid_count integer not null,
  level_at_end integer,
  primary key (app_id, user_id, day)
);
alter table rollup.player_day alter column user_id set statistics 0;
comment on table rollup.player_day is
  'One row per player and day with any row that has a time of its own, sandbox receipts included. Written by: a refresh.';

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
  is_level_exact boolean,
  purchased_at timestamptz not null,
  amount_minor bigint,
  day date not null,
  user_level integer,
  payment_seq text collate "C" not null,
  currency text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  channel_id text collate "C",
  character_id text collate "C",
  class_id text collate "C",
  is_first_paid boolean not null
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
  'One row per payment (paymentSeq), sandbox included, with the level at the purchase. Written by: a refresh.';
comment on column rollup.purchase.is_level_exact is 'True when one character is known; false when user_level is the highest of several; NULL when no level is known.';

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
  primary key (app_id, user_id, payment_seq)
);
create index subscription_period_end on rollup.subscription_period (app_id, ends_at);
alter table rollup.subscription_period
  alter column user_id set statistics 0,
  alter column payment_seq set statistics 0,
  alter column chain_id set statistics 0;
comment on table rollup.subscription_period is
  'One row per subscription receipt: its chain and its period. Written by: a refresh.';
comment on column rollup.subscription_period.starts_on is 'Day of starts_at in the reporting zone.';
comment on column rollup.subscription_period.ends_on is 'Day of ends_at in the reporting zone.';
comment on column rollup.subscription_period.length_in_days is 'Length to the nearest 24 hours, before a receipt of another product cut it; 0 for a period without length.';
comment on column rollup.subscription_period.is_converted is 'True for a renewal that is the first paid period after a trial.';
comment on column rollup.subscription_period.is_renewed is 'True when the next period of the chain is a renewal.';
comment on column rollup.subscription_period.is_expiry is 'True when no renewal followed within 16 days of the end, as far as is known.';
comment on column rollup.subscription_period.cohort_product_id is 'Product of the chain''s first period; NULL when unknown, or without a cohort.';
comment on column rollup.subscription_period.cohort_started_as is 'How the chain began: with a trial, a paid period, or another one; NULL without a cohort.';

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

-- A refresh computes what the reports have of a player from the rows that they know.
create table rollup.history (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  part integer not null,
  rows bytea not null check (octet_length(rows) <= 1048576),
  primary key (app_id, user_id, part)
);
alter table rollup.history alter column user_id set statistics 0, alter column rows set statistics 0,
  alter column rows set storage external;
comment on table rollup.history is
  'One row per application, user and part of the rows that the reports know of the user: what figures of players depend on, as bytes. Written by: rollup.apply_players.';
comment on column rollup.history.part is 'Number of the part; new rows join the last one.';
comment on column rollup.history.rows is
  'Receipts, level-ups, snapshots and kept observations; HistoryEncoder.swift describes the form. A part begins with the version of the form and has about 1,600 bytes.';
