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
