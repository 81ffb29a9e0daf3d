create table ingest.stream (
  stream text collate "C" primary key,
  target_table text collate "C" not null,
  key_columns text[] not null,
  compared_columns text[] not null,
  followers jsonb not null default '{}',
  empty_is_absent_columns text[] not null default '{}',
  secret_columns text[] not null default '{}',
  partition_column text,
  -- A change of a fact, a refresh and the drop of a month note rows by the columns of time.
  time_column text collate "C",
  time_source_column text collate "C",
  has_player boolean not null default true,
  -- A line of items names the user who asked for the list, for erasures, but an item belongs to no user.
  has_user boolean not null default true,
  embedded_stream text collate "C" references ingest.stream,
  judged_from date
);
comment on table ingest.stream is
  'One row per stream, with its table, its natural key and the columns that a merge compares. Written by: the migration that creates the stream.';
comment on column ingest.stream.stream is 'Name of the stream: one kind of record.';
comment on column ingest.stream.target_table is 'Table of the stream in schema game.';
comment on column ingest.stream.key_columns is 'Columns of the natural key, in the order of a natural_key array.';
comment on column ingest.stream.compared_columns is 'Columns that a merge compares: equal values make a duplicate, a different value makes a conflict, and a later line can fill a NULL.';
comment on column ingest.stream.followers is 'JSON object that maps a compared column to its follower columns. A line that fills the compared column also sets its followers.';
comment on column ingest.stream.empty_is_absent_columns is 'Compared columns in which an empty text counts as absent, like NULL.';
comment on column ingest.stream.secret_columns is
  'Compared columns that hold secrets. A conflict never records their values.';
comment on column ingest.stream.partition_column is 'The column whose month (UTC) partitions the table; NULL for a table without partitions.';
comment on column ingest.stream.time_column is
  'The column whose time puts a row into the days of the reports; NULL for a stream that no report reads.';
comment on column ingest.stream.time_source_column is
  'The column with the origin of that time: with load_start a row has no time of its own. NULL when every row has one.';
comment on column ingest.stream.has_player is
  'False when no figure of a player counts the rows: a refresh then ignores their user.';
comment on column ingest.stream.has_user is
  'False when the rows of the stream have no user_id: they belong to no user, and an erasure leaves them.';
comment on column ingest.stream.embedded_stream is
  'The stream whose records lie within lines of this one, such as the receipts in event messages; NULL when none do. A file of this stream then brings rows of both.';
comment on column ingest.stream.judged_from is
  'First day that is judged by its figures; NULL: all. Set where version 0.9 has loaded the days before.';

-- Each row has a digest of its values. A load recognizes a stored row by key and digest, even when the line's bytes
-- differ, and does not compare the values.
create table ingest.row_digest_key (
  points bytea not null check (octet_length(points) = 16)
);
create unique index row_digest_key_once on ingest.row_digest_key ((true));
alter table ingest.row_digest_key replica identity full;
comment on table ingest.row_digest_key is
  'One row per database: the key of its row digests. It is secret, so that an attacker cannot prepare two rows with the same digest. After a change of the key, the digests of older rows match no new digest, and a load compares those rows value by value.';
comment on column ingest.row_digest_key.points is 'Two 64-bit random numbers; the digest uses 61 bits of each.';
insert into ingest.row_digest_key (points)
  select substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);

create table ingest.load (
  load_id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz,
  finished_at timestamptz,
  exit_code integer,
  loader_version text not null,
  database_user text not null default current_user,
  target text collate "C",
  first_day date,
  last_day date,
  constraint load_times_finite check (isfinite(started_at) and isfinite(seen_at) and isfinite(finished_at)),
  constraint load_days_finite check (isfinite(first_day) and isfinite(last_day))
);
comment on table ingest.load is
  'One row per run of the loader. The run commits it at its start, in a separate transaction.';
comment on column ingest.load.load_id is 'Number of the run.';
comment on column ingest.load.started_at is 'Start of the run, by the server''s clock.';
comment on column ingest.load.seen_at is
  'Last heartbeat of the run, by the server''s clock. The run sends one after 10 s and then every 15 s; NULL for a run shorter than 10 s.';
comment on column ingest.load.finished_at is 'End of the run; NULL while it runs and for a killed run.';
comment on column ingest.load.exit_code is 'Exit code of the run; NULL while finished_at is NULL.';
comment on column ingest.load.loader_version is 'Version of the program.';
comment on column ingest.load.database_user is 'The role of the run''s connection.';
comment on column ingest.load.target is 'Target of the configuration file; NULL: none.';
comment on column ingest.load.first_day is 'First day of the files that the command run expected; NULL for other commands.';
comment on column ingest.load.last_day is 'Last day of these files; NULL like first_day.';

create table ingest.source_file (
  source_file_id bigint generated by default as identity primary key,
  load_id bigint not null references ingest.load,
  stream text collate "C" not null,
  path text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  byte_count bigint not null check (byte_count >= 0),
  line_count bigint not null,
  inserted_count bigint not null check (inserted_count >= 0),
  filled_count bigint not null check (filled_count >= 0),
  duplicate_count bigint not null check (duplicate_count >= 0),
  conflict_count bigint not null check (conflict_count >= 0),
  rejected_count bigint not null check (rejected_count >= 0),
  suppressed_count bigint not null default 0 check (suppressed_count >= 0),
  released_count bigint not null default 0 check (released_count >= 0),
  blank_count bigint not null check (blank_count >= 0),
  loaded_at timestamptz not null default now(),
  opened_by xid8,
  undone_at timestamptz,
  app_id text collate "C",
  observed_at timestamptz,
  as_of timestamptz not null,
  time_unit text not null,
  unwrap_field text,
  purchase_token_mode text not null,
  max_line_bytes bigint not null,
  max_nesting integer not null,
  max_identifier_bytes integer not null,
  max_text_bytes bigint not null,
  -- Many games deliver a file of zero bytes on a quiet day. Such files share a digest, so the path tells them apart.
  empty_path text collate "C" not null default '',
  canonical_path text collate "C",
  asked_on date check (isfinite(asked_on)),
  has_met_files boolean not null default true,
  constraint asked_on_of_empty_file check (asked_on is null or line_count = blank_count),
  constraint empty_path_of_empty_file check (empty_path = '' or line_count = blank_count),
  constraint outcomes_add_up check (
    line_count = inserted_count + filled_count + duplicate_count + conflict_count
      + rejected_count + suppressed_count + released_count + blank_count)
);
-- The identity of a file with a record does not include its path, so the same bytes load only once.
create unique index source_file_identity on ingest.source_file
  (sha256, empty_path, stream, app_id, observed_at) nulls not distinct where undone_at is null;
-- The loader looks for a file by its length before it reads the file.
create index source_file_length on ingest.source_file (byte_count, stream) where undone_at is null;
create index source_file_load on ingest.source_file (load_id);
create index source_file_opened_by on ingest.source_file (opened_by);
create index source_file_undone on ingest.source_file (sha256) where undone_at is not null;
create index source_file_asked on ingest.source_file (stream, app_id, asked_on) where asked_on is not null;
-- A hash index, because a path can be longer than a B-tree entry may be.
create index source_file_path on ingest.source_file using hash (canonical_path) where undone_at is null;
comment on table ingest.source_file is
  'One row per loaded file, written in the transaction that loads its rows. The outcome counts add up to line_count.';
comment on column ingest.source_file.source_file_id is 'Number of the file. Every fact row has the number of the file that brought it.';
comment on column ingest.source_file.load_id is 'The run that loaded the file.';
comment on column ingest.source_file.stream is 'The stream of the file; one of ingest.stream.';
comment on column ingest.source_file.path is 'Path of the file, from the command line or from a search of a folder.';
comment on column ingest.source_file.sha256 is 'SHA-256 of the decoded (decompressed) bytes.';
comment on column ingest.source_file.byte_count is 'Length of the decoded bytes.';
comment on column ingest.source_file.line_count is 'Lines read, including blank lines.';
comment on column ingest.source_file.inserted_count is 'Lines that became a new row.';
comment on column ingest.source_file.filled_count is 'Lines with a known key that supplied values for NULL columns.';
comment on column ingest.source_file.duplicate_count is 'Lines with a known key and no new value.';
comment on column ingest.source_file.conflict_count is 'Lines with a known key and a different value in at least one field; see ingest.conflict.';
comment on column ingest.source_file.rejected_count is 'Refused lines that no replay has resolved; see ingest.reject.';
comment on column ingest.source_file.suppressed_count is 'Lines of erased users. No part of such a line is stored.';
comment on column ingest.source_file.released_count is
  'Refused lines that a replay has released and that have no new outcome yet; 0 after the replay''s transaction.';
comment on column ingest.source_file.blank_count is 'Lines that hold only white space.';
comment on column ingest.source_file.loaded_at is 'Start of the transaction that loaded the file.';
comment on column ingest.source_file.opened_by is
  'The transaction that loaded the file or last replayed its refused lines. Only this transaction can add rows with the file''s number.';
comment on column ingest.source_file.undone_at is 'Time of the undo that removed the file''s rows; NULL for a file that is loaded.';
comment on column ingest.source_file.app_id is
  'The option --app-id, else the setting app-id: the application of lines without one; of a file without a record else the option --expect-app. NULL when none was given.';
comment on column ingest.source_file.observed_at is 'Value of --observed-at, the time of lines without one; NULL when the option was not given.';
comment on column ingest.source_file.as_of is 'Start of the run, or the value of --as-of. Times more than a day after it are refused. Game users without a time get it, unless --observed-at was given.';
comment on column ingest.source_file.time_unit is 'Unit of numeric times; ms unless an option declared another one.';
comment on column ingest.source_file.unwrap_field is 'The field that holds the record within a line; NULL when the line itself is the record.';
comment on column ingest.source_file.purchase_token_mode is 'Handling of purchase tokens: hash (only the SHA-256 is stored) or store (the token is stored too).';
comment on column ingest.source_file.max_line_bytes is 'Limit for the length of a line, in bytes.';
comment on column ingest.source_file.max_nesting is 'Limit for the nesting depth of arrays and objects.';
comment on column ingest.source_file.max_identifier_bytes is 'Limit for the length of an identifier, in bytes.';
comment on column ingest.source_file.max_text_bytes is 'Limit for the length of a free text, in bytes.';
comment on column ingest.source_file.empty_path is
  'Canonical path of a file without a record, which is part of its identity: the real path of its folder, and its name; its path as given if an older version loaded it; empty for a file with a record.';
comment on column ingest.source_file.canonical_path is
  'The path by which a file is recognized: the real path of its folder, and its name; - for standard input; NULL if an older version loaded the file.';
comment on column ingest.source_file.asked_on is
  'The day for which a run took a file without a record; NULL for other files.';
comment on column ingest.source_file.has_met_files is
  'True when ingest.met_file has all files that this one met; false for a file that an older version loaded, which may have met any earlier file of its streams.';

create table ingest.failed_file (
  failed_file_id bigint generated always as identity primary key,
  load_id bigint not null references ingest.load,
  stream text collate "C",
  path text not null,
  sha256 bytea check (octet_length(sha256) = 32),
  reason text not null,
  byte_count bigint not null default 0,
  line_count bigint not null default 0,
  rejected_count bigint not null default 0,
  failed_at timestamptz not null default now(),
  -- One file has many paths: relative ones, absolute ones, and those through links.
  canonical_path text collate "C",
  -- Each attempt replaces the entry of the one before it, so how often and since when a file fails is carried along.
  first_failed_at timestamptz not null default now(),
  attempt_count bigint not null default 1 check (attempt_count >= 1),
  error_code integer,
  kind text collate "C" not null default 'failed' check (kind in ('failed', 'missing')),
  app_id text collate "C",
  constraint failed_file_times_finite check (isfinite(failed_at) and isfinite(first_failed_at)),
  constraint failed_file_counts_bounded check (
    attempt_count <= 1000000000 and least(byte_count, line_count, rejected_count) >= 0)
);
create index failed_file_path on ingest.failed_file (path);
comment on table ingest.failed_file is
  'One row per file that failed and has not been loaded since. Schema game has no rows of it.';
comment on column ingest.failed_file.failed_file_id is 'Number of the failure.';
comment on column ingest.failed_file.load_id is 'The run in which the file failed.';
comment on column ingest.failed_file.stream is 'The stream of the file; NULL when unknown.';
comment on column ingest.failed_file.path is 'Path of the file, from the command line or from a search of a folder.';
comment on column ingest.failed_file.sha256 is 'SHA-256 of the decoded bytes; NULL when the loader did not read all of them.';
comment on column ingest.failed_file.reason is 'The error and the next step.';
comment on column ingest.failed_file.byte_count is 'Decoded bytes read before the failure.';
comment on column ingest.failed_file.line_count is 'Lines read before the failure.';
comment on column ingest.failed_file.rejected_count is 'Lines refused before the failure; the first 1,000 are in ingest.failed_reject.';
comment on column ingest.failed_file.failed_at is 'Time at which the failure was recorded.';
comment on column ingest.failed_file.canonical_path is
  'The path by which the file is recognized: the real path of its folder, and its name; - for standard input; NULL if an older version recorded the failure.';
comment on column ingest.failed_file.first_failed_at is 'Time of the first attempt that failed, of those since the file was last loaded.';
comment on column ingest.failed_file.attempt_count is 'Attempts since then that failed, with the first.';
comment on column ingest.failed_file.error_code is 'Exit code of the error; NULL if an older version recorded the failure.';
comment on column ingest.failed_file.kind is 'failed: a file; missing: a path that found no file.';
comment on column ingest.failed_file.app_id is
  'The application that the run expected: --app-id, else --expect-app, else the setting app-id; NULL: unknown.';

-- Some failures need no repair, such as those of a stray file or a test. An entry here outlives the entry of the
-- failure, as an audit trail of dismissals.
create table ingest.failure_dismissal (
  dismissal_id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind in ('failed', 'missing', 'undone', 'implausible', 'incomplete')),
  app_id text collate "C",
  load_id bigint,
  stream text collate "C",
  path text not null,
  reason text not null,
  failed_at timestamptz not null,
  dismissed_at timestamptz not null default clock_timestamp(),
  dismissed_by text not null default session_user,
  note text
);
-- A hash index, because a path can be longer than a B-tree entry may be.
create index failure_dismissal_path on ingest.failure_dismissal using hash (path);
comment on table ingest.failure_dismissal is
  'One row per dismissal of an open failure, which needs no further action. A file that fails again later is open again; a day stays dismissed. Written by: gamebase-ingest failures dismiss.';
comment on column ingest.failure_dismissal.load_id is
  'The run that failed; NULL for a failure of another kind.';
comment on column ingest.failure_dismissal.stream is
  'The stream of the failure; NULL when unknown.';
comment on column ingest.failure_dismissal.path is
  'Path of the failure, as report.open_failure showed it.';
comment on column ingest.failure_dismissal.reason is
  'The error.';
comment on column ingest.failure_dismissal.failed_at is
  'Time of the last attempt, or when the failure was found.';
comment on column ingest.failure_dismissal.dismissed_at is 'Time of the dismissal.';
comment on column ingest.failure_dismissal.dismissed_by is 'The session user who dismissed the failure.';
comment on column ingest.failure_dismissal.note is 'Note of the dismissal; NULL when none was given.';
comment on column ingest.failure_dismissal.dismissal_id is 'Number of the dismissal.';
comment on column ingest.failure_dismissal.kind is 'Kind of the failure, as in report.open_failure.';
comment on column ingest.failure_dismissal.app_id is 'The application of the failure; NULL when it was unknown, or several.';

create table ingest.reject (
  reject_id bigint generated always as identity primary key,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  stream text collate "C" not null,
  line_number bigint not null check (line_number >= 1),
  byte_offset bigint not null check (byte_offset >= 0),
  code text collate "C" not null,
  field text,
  reason text not null,
  raw bytea not null,
  raw_byte_count bigint not null,
  user_id text collate "C",
  app_id text collate "C",
  resolved_at timestamptz,
  resolved_order bigint,
  -- An erasure reads these lines as texts of up to 4 times the bytes.
  constraint reject_raw_bounded check (octet_length(raw) <= 1048576)
);
create index reject_source_file on ingest.reject (source_file_id, line_number);
-- Without statistics, ANALYZE copies no user id into pg_statistic.
alter table ingest.reject alter column user_id set statistics 0;
comment on table ingest.reject is
  'One row per refused line of a loaded file, with all that is needed to find, repair and replay the line.';
comment on column ingest.reject.reject_id is 'Number of the reject.';
comment on column ingest.reject.source_file_id is 'The file of the line.';
comment on column ingest.reject.stream is 'The stream of the file.';
comment on column ingest.reject.line_number is 'Line number in the file, from 1.';
comment on column ingest.reject.byte_offset is 'Offset of the line''s first byte in the decoded bytes, from 0; a byte-order mark counts.';
comment on column ingest.reject.code is 'Reject code, from a closed list of codes that never change their meaning; see the table of reject codes in the documentation.';
comment on column ingest.reject.field is 'The field at fault, as spelled in the line; NULL when the whole line is at fault.';
comment on column ingest.reject.reason is 'Reason in words. It never contains the value.';
comment on column ingest.reject.raw is
  'Bytes of the line, with purchase tokens replaced by their digests, cut at 64 KiB. Empty from the first erasure on for a line whose user cannot be read and for a line of a stream whose rows belong to no user.';
comment on column ingest.reject.raw_byte_count is
  'Length of the line in bytes, also of one that is cut or stored without its bytes.';
comment on column ingest.reject.user_id is
  'The user of the line; empty when the line has none and needs none, NULL when the loader could not read it or a replay suppressed the line.';
comment on column ingest.reject.app_id is
  'The application of the line, else the default of its file; NULL when the loader could not read it.';
comment on column ingest.reject.resolved_at is 'Time at which a replay loaded or suppressed the line; NULL for an open reject.';
comment on column ingest.reject.resolved_order is
  'Position of that replay in the number sequence of files: files with larger numbers were loaded after it.';

create table ingest.failed_reject (
  failed_file_id bigint not null references ingest.failed_file,
  line_number bigint not null,
  byte_offset bigint not null,
  code text collate "C" not null,
  field text,
  reason text not null,
  raw bytea not null,
  raw_byte_count bigint not null,
  user_id text collate "C",
  app_id text collate "C",
  primary key (failed_file_id, line_number),
  constraint failed_reject_raw_bounded check (octet_length(raw) <= 1048576)
);
alter table ingest.failed_reject alter column user_id set statistics 0;
comment on table ingest.failed_reject is
  'One row per refused line of a failed file, for the first 1,000 refused lines of the file.';
comment on column ingest.failed_reject.failed_file_id is 'The failure of the file.';
comment on column ingest.failed_reject.line_number is 'Line number in the file, from 1.';
comment on column ingest.failed_reject.byte_offset is 'Offset of the line''s first byte in the decoded bytes, from 0.';
comment on column ingest.failed_reject.code is 'Reject code, from the same closed list as ingest.reject.code.';
comment on column ingest.failed_reject.field is 'The field at fault, as spelled in the line; NULL when the whole line is at fault.';
comment on column ingest.failed_reject.reason is 'Reason in words. It never contains the value.';
comment on column ingest.failed_reject.raw is
  'Bytes of the line, with purchase tokens replaced by their digests, cut at 4 KiB. Empty as in ingest.reject.raw.';
comment on column ingest.failed_reject.raw_byte_count is 'Length of the line in bytes.';
comment on column ingest.failed_reject.user_id is
  'The user of the line; empty when the line has none and needs none, NULL when the loader could not read it.';
comment on column ingest.failed_reject.app_id is
  'The application of the line, else the default of its file; NULL when the loader could not read it.';

create table ingest.unknown_field (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  field text collate "C",
  line_count bigint not null check (line_count >= 1),
  first_line_number bigint not null check (first_line_number >= 1),
  constraint unknown_field_once unique nulls not distinct (source_file_id, field)
);
-- The table has no primary key, because field can be NULL. Logical replication identifies a row by all its columns.
alter table ingest.unknown_field replica identity full;
-- Whether a name is new to its stream is one look-up, however many files the ledger has.
create index unknown_field_name on ingest.unknown_field (field, source_file_id);
comment on table ingest.unknown_field is
  'One row per loaded file and field name that its stream does not declare. A new name can mean that the vendor changed its schema. The values are in column extra of the fact rows.';
comment on column ingest.unknown_field.source_file_id is 'The file with the field.';
comment on column ingest.unknown_field.field is
  'Field name, as spelled in the lines; NULL stands for all names after the first 1,000 and all names longer than 256 bytes.';
comment on column ingest.unknown_field.line_count is 'Lines with the field, including refused lines.';
comment on column ingest.unknown_field.first_line_number is 'Number of the first line with the field, from 1.';

create type staging.merge_counts as (
  inserted bigint, filled bigint, duplicates bigint, conflicts bigint);
comment on type staging.merge_counts is 'Outcome counts of one merge. They add up to the number of staged rows.';

create table ingest.fill (
  fill_id bigint generated always as identity primary key,
  stream text collate "C" not null,
  natural_key jsonb not null,
  field text not null,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  line_number bigint not null
);
create index fill_source_file on ingest.fill (source_file_id, line_number);
-- The files that gave a changed row its values are found by its key. A hash index, because a key can be longer than a B-tree
-- entry may be.
create index fill_key on ingest.fill using hash (natural_key);
comment on table ingest.fill is
  'One row per NULL column of a stored row that a later line filled. An undo of the later line''s file takes the value back.';
comment on column ingest.fill.fill_id is 'Number of the fill.';
comment on column ingest.fill.stream is 'The stream of the row.';
comment on column ingest.fill.natural_key is 'Key of the filled row, as a JSON array of the key columns'' values.';
comment on column ingest.fill.field is 'The column that was filled.';
comment on column ingest.fill.source_file_id is 'The file of the line that supplied the value.';
comment on column ingest.fill.line_number is 'Number of the line that supplied the value, from 1.';

-- Files, replays and acceptances draw their numbers from one sequence, so the numbers give the order of all three.
create table ingest.acceptance (
  acceptance_id bigint primary key default nextval('ingest.source_file_source_file_id_seq'),
  accepted_at timestamptz not null default clock_timestamp(),
  accepted_by text not null default session_user,
  streams text[] not null,
  asked_file text,
  asked_load_id bigint,
  asked_stream text,
  asked_field text,
  is_asked_by_key boolean not null,
  line_count bigint not null default 0 check (line_count >= 0),
  row_count bigint not null default 0 check (row_count >= 0),
  value_count bigint not null default 0 check (value_count >= 0),
  undone_at timestamptz,
  undone_by text,
  constraint acceptance_undone_by_given check ((undone_at is null) = (undone_by is null))
);
comment on table ingest.acceptance is
  'One row per acceptance, a transaction that wrote the values of refused lines to the stored rows. Written by: ingest.accept_conflicts, ingest.undo_acceptance.';
comment on column ingest.acceptance.acceptance_id is
  'Number of the acceptance, from the number sequence of files: files with larger numbers were loaded after it.';
comment on column ingest.acceptance.accepted_at is 'Time of the acceptance.';
comment on column ingest.acceptance.accepted_by is 'The session user who made the acceptance.';
comment on column ingest.acceptance.streams is 'The streams that the acceptance searched for conflicts.';
comment on column ingest.acceptance.asked_file is 'Value of --file, the end of a path or a file number; NULL when the option was not given.';
comment on column ingest.acceptance.asked_load_id is 'Value of --load; NULL when the option was not given.';
comment on column ingest.acceptance.asked_stream is 'Value of --stream; NULL when the option was not given.';
comment on column ingest.acceptance.asked_field is 'Value of --field; NULL when the option was not given.';
comment on column ingest.acceptance.is_asked_by_key is
  'True when --key was given. The key itself is not stored, because it can contain a user id.';
comment on column ingest.acceptance.line_count is 'Accepted lines.';
comment on column ingest.acceptance.row_count is 'Stored rows that the accepted lines contradicted.';
comment on column ingest.acceptance.value_count is 'Changed values, including those of follower columns; a value that two lines changed counts twice.';
comment on column ingest.acceptance.undone_at is 'Time of the undo; NULL for an acceptance that stands.';
comment on column ingest.acceptance.undone_by is 'The session user who undid the acceptance; NULL while undone_at is NULL.';

create table ingest.conflict (
  conflict_id bigint generated always as identity primary key,
  stream text collate "C" not null,
  natural_key jsonb not null,
  field text not null,
  kept text not null,
  refused text not null,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  line_number bigint not null,
  refused_row jsonb,
  acceptance_id bigint references ingest.acceptance
);
create index conflict_source_file on ingest.conflict (source_file_id, line_number);
create index conflict_acceptance on ingest.conflict (acceptance_id) where acceptance_id is not null;
create index conflict_key on ingest.conflict using hash (natural_key) where refused_row is not null;
-- Without statistics, ANALYZE copies no player's values into pg_statistic.
alter table ingest.conflict alter column refused_row set statistics 0;
comment on table ingest.conflict is
  'One row per line and column with a value that contradicts the stored row. A load keeps the stored value.';
comment on column ingest.conflict.conflict_id is 'Number of the conflict.';
comment on column ingest.conflict.stream is 'The stream of the row.';
comment on column ingest.conflict.natural_key is 'Key of the stored row, as a JSON array of the key columns'' values.';
comment on column ingest.conflict.field is 'The column with the contradicting value.';
comment on column ingest.conflict.kept is 'The stored value at the time of the load, as PostgreSQL prints it. For a purchase token, its digest.';
comment on column ingest.conflict.refused is 'The value of the line, in the same form as kept.';
comment on column ingest.conflict.source_file_id is 'The file of the refused line. The stored row has the number of its own file.';
comment on column ingest.conflict.line_number is 'Number of the refused line, from 1.';
comment on column ingest.conflict.refused_row is
  'JSON object of all values of the refused line by column, as PostgreSQL prints them, without secrets. Only one conflict of each line has it. It is NULL in the others, and in all conflicts of a line that an older version refused.';
comment on column ingest.conflict.acceptance_id is
  'The acceptance that wrote the line''s values to the stored row; NULL for an open conflict.';

-- Accepted lines lie over the values that the loads stored, in the order of their acceptance. So the loaded values and the
-- accepted lines, which ingest.conflict has, tell the values of a row; a chain of replaced values is not needed.
create table ingest.overlaid_row (
  overlaid_row_id bigint generated always as identity primary key,
  stream text collate "C" not null references ingest.stream,
  natural_key jsonb not null,
  loaded_values jsonb not null
);
-- A hash index, because a key can be longer than a B-tree entry may be.
create index overlaid_row_key on ingest.overlaid_row using hash (natural_key);
-- Without statistics, ANALYZE copies no player's values into pg_statistic.
alter table ingest.overlaid_row alter column loaded_values set statistics 0;
comment on table ingest.overlaid_row is
  'One row per stored row with accepted lines. The stored row has the loaded values, overlaid by those of its accepted lines in the order of their acceptance. Written by: ingest.accept_conflicts.';
comment on column ingest.overlaid_row.overlaid_row_id is 'Number of the entry.';
comment on column ingest.overlaid_row.stream is 'The stream of the row.';
comment on column ingest.overlaid_row.natural_key is 'Key of the row, as a JSON array of the key columns'' values.';
comment on column ingest.overlaid_row.loaded_values is
  'JSON object of the columns that accepted lines have set, with the values that the loads stored, as PostgreSQL prints them; null for a NULL column.';

create table ingest.embedded_count (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  stream text collate "C" not null references ingest.stream,
  inserted_count bigint not null default 0 check (inserted_count >= 0),
  filled_count bigint not null default 0 check (filled_count >= 0),
  duplicate_count bigint not null default 0 check (duplicate_count >= 0),
  conflict_count bigint not null default 0 check (conflict_count >= 0),
  primary key (source_file_id, stream)
);
comment on table ingest.embedded_count is
  'One row per loaded file with records of another stream within its accepted lines, such as the receipts of purchaseUpdated events. The counts add up to these records; the outcomes of the lines are in ingest.source_file.';
comment on column ingest.embedded_count.source_file_id is 'The file.';
comment on column ingest.embedded_count.stream is 'The stream of the records.';
comment on column ingest.embedded_count.inserted_count is 'Records that became a new row.';
comment on column ingest.embedded_count.filled_count is 'Records with a known key that supplied values for NULL columns.';
comment on column ingest.embedded_count.duplicate_count is 'Records with a known key and no new value.';
comment on column ingest.embedded_count.conflict_count is 'Records with a known key and a different value in at least one field; see ingest.conflict.';

-- The files of an application tell how far its events go, and not its rows: a known line changes no row, and an
-- erasure or retention removes rows, but the file was there.
create table ingest.file_app (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  app_id text collate "C" not null,
  first_event_at timestamptz,
  newest_event_at timestamptz,
  primary key (source_file_id, app_id),
  constraint events_in_order check (
    num_nulls(first_event_at, newest_event_at) in (0, 2) and first_event_at <= newest_event_at),
  constraint events_of_contract check (
    first_event_at >= '2000-01-01 00:00Z' and newest_event_at <= '2100-01-02 00:00Z')
);
-- The files before one of the same application are compared with it.
create index file_app_of_app on ingest.file_app (app_id, source_file_id);
comment on table ingest.file_app is
  'One row per loaded file and application of its accepted lines: new, filled and known ones. Erasures and retention leave it. Records within lines do not count.';
comment on column ingest.file_app.source_file_id is 'The file.';
comment on column ingest.file_app.app_id is 'The application; empty when unknown.';
comment on column ingest.file_app.first_event_at is
  'Time of the first event: an accepted line with a time of its own, not later than as_of of the file; NULL without an event.';
comment on column ingest.file_app.newest_event_at is
  'Time of the newest event; NULL without an event. A later line of a client whose clock is fast is stored, but moves no horizon.';

create table ingest.erasure_key (
  is_current boolean primary key default true check (is_current),
  check_value bytea not null check (octet_length(check_value) = 32),
  created_at timestamptz not null default now()
);
comment on table ingest.erasure_key is
  'One row per database in which a user was erased. It verifies the erasure key without storing the key. Written by: ingest.erase_user.';
comment on column ingest.erasure_key.is_current is 'Always true; keeps the table at one row.';
comment on column ingest.erasure_key.check_value is 'HMAC-SHA-256 of a constant under the erasure key. The key is kept outside the database.';
comment on column ingest.erasure_key.created_at is 'Time of the first erasure.';

create table ingest.erased_user (
  user_hmac bytea not null check (octet_length(user_hmac) = 32),
  app_id text collate "C",
  user_filter bigint,
  erased_at timestamptz not null default now(),
  constraint erased_user_once unique nulls not distinct (user_hmac, app_id)
);
-- The table has no primary key, because app_id can be NULL. Logical replication identifies a row by all its columns.
alter table ingest.erased_user replica identity full;
comment on table ingest.erased_user is
  'One row per erased user, or per erased user and application: a tombstone. Loads after the erasure suppress the user''s lines. Written by: ingest.erase_user.';
comment on column ingest.erased_user.user_hmac is 'HMAC-SHA-256 of the user''s id under the erasure key. Without the key it does not reveal the user.';
comment on column ingest.erased_user.app_id is 'The application of the erasure; NULL for an erasure in all applications.';
comment on column ingest.erased_user.user_filter is
  'SipHash-2-4 of the user''s id under a key that is derived from the erasure key. A prefilter: the loader computes the HMAC only for users whose filter value is stored. NULL when an older version erased the user; one NULL makes the loader compute the HMAC for every user.';
comment on column ingest.erased_user.erased_at is 'Time of the user''s first erasure.';

create table ingest.erased_line (
  source_file_id bigint not null references ingest.source_file,
  outcome text collate "C" not null check (outcome in ('inserted', 'filled', 'conflict', 'rejected')),
  line_count bigint not null check (line_count >= 1),
  primary key (source_file_id, outcome)
);
comment on table ingest.erased_line is
  'One row per loaded file and outcome with erased lines. The file''s count of an outcome is the sum of the lines still stored and the lines counted here.';
comment on column ingest.erased_line.source_file_id is 'The file of the lines.';
comment on column ingest.erased_line.outcome is 'Outcome of the lines: inserted, filled, conflict or rejected, for the count of the same name in ingest.source_file.';
comment on column ingest.erased_line.line_count is 'Lines with that outcome whose rows or records an erasure deleted.';

create table ingest.erased_record (
  source_file_id bigint not null references ingest.source_file,
  stream text collate "C" not null references ingest.stream,
  outcome text collate "C" not null check (outcome in ('inserted', 'filled', 'conflict')),
  record_count bigint not null check (record_count >= 1),
  primary key (source_file_id, stream, outcome)
);
comment on table ingest.erased_record is
  'One row per loaded file, stream and outcome with erased records of another stream within its lines, such as the receipts of purchaseUpdated events. The file''s count of an outcome in ingest.embedded_count is the sum of the records still stored and the records counted here. Written by: ingest.erase_user.';
comment on column ingest.erased_record.source_file_id is 'The file of the lines.';
comment on column ingest.erased_record.stream is 'The stream of the records.';
comment on column ingest.erased_record.outcome is 'Outcome of the records: inserted, filled or conflict, for the count of the same name in ingest.embedded_count.';
comment on column ingest.erased_record.record_count is 'Records with that outcome whose rows or conflicts an erasure deleted.';

-- Defaults for loads into this database; options on the command line override them.
create table ingest.setting (
  name text collate "C" primary key,
  value text collate "C" not null check (value <> ''),
  set_at timestamptz not null default now(),
  set_by text not null default session_user,
  -- Some settings have a value for all, and one of its own for an application or a stream, such as receipt-feed.APP.
  constraint setting_name_check check (
    name in ('app-id', 'apps', 'time-zone', 'base-currency', 'receipt-feed', 'max-age', 'min-daily-lines', 'min-usual-lines')
      or name ~ '^(receipt-feed|max-age|min-daily-lines|min-usual-lines)\..'),
  -- PostgreSQL also reads offsets and abbreviations as time zones. +9 and Etc/GMT+9 mean 9 hours west of Greenwich.
  constraint setting_time_zone_check check (name <> 'time-zone' or value = 'UTC'
    or value ~ '^[A-Za-z].*/.' and value !~ '^(Etc|posix|right)/'),
  constraint setting_base_currency_check check (name <> 'base-currency' or value ~ '^[A-Z]{3}$'),
  constraint setting_receipt_feed_check check (
    name !~ '^receipt-feed' or value in ('auto', 'files', 'events')),
  constraint setting_number_check check (
    name !~ '^(max-age|min-daily-lines|min-usual-lines)' or value ~ '^[1-9][0-9]{0,6}$')
);
comment on table ingest.setting is
  'One row per setting of this database that differs from its default. Written by: gamebase-ingest settings.';
comment on column ingest.setting.name is
  'Name of the setting. app-id is the application of lines without one, apps the applications that lines may belong to, separated by commas (default: any), time-zone the zone of the days in the reports (default: UTC), base-currency the currency of converted revenue, receipt-feed the files that money views follow, receipt-feed.APP the same for one application, max-age the hours after which a stream is late, also for one application or stream, min-daily-lines the lines of a day below which a missing day counts for nothing, min-usual-lines the lines of a usual day below which days are not judged by their figures, both also for one stream.';
comment on column ingest.setting.value is 'Value of the setting.';
comment on column ingest.setting.set_at is 'Time at which the value was set.';
comment on column ingest.setting.set_by is 'The session user who set the value.';

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

-- Kept when the rollups are made again.
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
