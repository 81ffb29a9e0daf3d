-- The number comes from the sequence that numbers files and replays, so that one order tells which of
-- them came before an acceptance and which after it.
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
  constraint acceptance_is_undone_by_somebody check ((undone_at is null) = (undone_by is null))
);
comment on table ingest.acceptance is
  'One row per acceptance: refused lines whose values were taken as the truth, in one transaction. Written by: ingest.accept_conflicts, ingest.undo_acceptance.';
comment on column ingest.acceptance.acceptance_id is
  'Number of the acceptance, among those of files: files with larger numbers were loaded later.';
comment on column ingest.acceptance.accepted_at is 'When it was made.';
comment on column ingest.acceptance.accepted_by is 'The role that had logged in.';
comment on column ingest.acceptance.streams is 'The streams that it looked at.';
comment on column ingest.acceptance.asked_file is 'The --file that was asked for: the end of a path, or a number; NULL: any.';
comment on column ingest.acceptance.asked_load_id is 'The --load that was asked for; NULL: any.';
comment on column ingest.acceptance.asked_stream is 'The --stream that was asked for; NULL: any.';
comment on column ingest.acceptance.asked_field is 'The --field that was asked for; NULL: any.';
comment on column ingest.acceptance.is_asked_by_key is
  'True when a key was asked for; the key itself is not kept here, for it can name a user.';
comment on column ingest.acceptance.line_count is 'Refused lines that it accepted.';
comment on column ingest.acceptance.row_count is 'Stored rows that these lines contradicted.';
comment on column ingest.acceptance.value_count is 'Changes of a value, followers included; a value that two lines changed counts twice.';
comment on column ingest.acceptance.undone_at is 'When it was taken back; NULL: not.';
comment on column ingest.acceptance.undone_by is 'The role that took it back.';

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
-- ANALYZE copies no value of a player into pg_statistic.
alter table ingest.conflict alter column refused_row set statistics 0;
comment on table ingest.conflict is
  'One row per column in which a line contradicted a stored row; the stored row was kept.';
comment on column ingest.conflict.conflict_id is 'Number of the conflict.';
comment on column ingest.conflict.stream is 'Kind of record.';
comment on column ingest.conflict.natural_key is 'JSON array of the key columns'' values: which row was kept.';
comment on column ingest.conflict.field is 'The column that differs.';
comment on column ingest.conflict.kept is 'The stored value as PostgreSQL prints it; a token as its digest.';
comment on column ingest.conflict.refused is 'The line''s value, likewise.';
comment on column ingest.conflict.source_file_id is 'The file whose line was refused; the kept row names its own.';
comment on column ingest.conflict.line_number is 'The line that was refused, from 1.';
comment on column ingest.conflict.refused_row is
  'JSON object: by column all values that the refused line gave, as PostgreSQL prints them, without secrets. In one of the line''s rows here only; NULL in the others, and in all of a line that an older version refused.';
comment on column ingest.conflict.acceptance_id is
  'The acceptance by which the stored row took the line''s values; NULL: the conflict is open.';

create table ingest.accepted_value (
  accepted_value_id bigint generated always as identity primary key,
  acceptance_id bigint not null references ingest.acceptance,
  stream text collate "C" not null,
  natural_key jsonb not null,
  field text collate "C" not null,
  before text,
  after text,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  line_number bigint not null check (line_number >= 1)
);
create index accepted_value_acceptance on ingest.accepted_value (acceptance_id);
create index accepted_value_source_file on ingest.accepted_value (source_file_id, line_number);
-- A key may be longer than an entry of a B-tree.
create index accepted_value_key on ingest.accepted_value using hash (natural_key);
alter table ingest.accepted_value alter column before set statistics 0;
alter table ingest.accepted_value alter column after set statistics 0;
comment on table ingest.accepted_value is
  'One row per acceptance, line and column that it gave a value: the values of one key and column, in the order of their numbers, lead from what the loads stored to what is stored now. Written by: ingest.accept_conflicts.';
comment on column ingest.accepted_value.accepted_value_id is 'Number of the value; larger ones were accepted later.';
comment on column ingest.accepted_value.acceptance_id is 'The acceptance.';
comment on column ingest.accepted_value.stream is 'Kind of record.';
comment on column ingest.accepted_value.natural_key is 'JSON array of the key columns'' values: which row.';
comment on column ingest.accepted_value.field is 'The column, or a follower of one.';
comment on column ingest.accepted_value.before is
  'What stood there before, as PostgreSQL prints it; NULL where nothing did. An undo of an earlier value changes it.';
comment on column ingest.accepted_value.after is
  'The accepted value, likewise. It can be equal to before: it counts again once an earlier value is taken back.';
comment on column ingest.accepted_value.source_file_id is 'The file of the accepted line; the row keeps its own.';
comment on column ingest.accepted_value.line_number is 'The accepted line, from 1.';
