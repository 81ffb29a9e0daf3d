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
  user_id text collate "C" not null,
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
comment on column rollup.touched_row.user_id is 'The user of the row.';
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
  user_id text collate "C" not null,
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
comment on column staging.touched_row.user_id is 'The user of the row.';
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
