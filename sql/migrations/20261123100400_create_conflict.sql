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
-- A hash index, because a key can be longer than a B-tree entry may be.
create index accepted_value_key on ingest.accepted_value using hash (natural_key);
alter table ingest.accepted_value alter column before set statistics 0;
alter table ingest.accepted_value alter column after set statistics 0;
comment on table ingest.accepted_value is
  'One row per acceptance, line and column that received a value. For one key and column, the rows in the order of their numbers are a chain from the loaded value to the stored one. Written by: ingest.accept_conflicts.';
comment on column ingest.accepted_value.accepted_value_id is 'Number of the value, ascending in the order of acceptance.';
comment on column ingest.accepted_value.acceptance_id is 'The acceptance that wrote the value.';
comment on column ingest.accepted_value.stream is 'The stream of the row.';
comment on column ingest.accepted_value.natural_key is 'Key of the changed row, as a JSON array of the key columns'' values.';
comment on column ingest.accepted_value.field is 'The column that received the value: a compared column or a follower of one.';
comment on column ingest.accepted_value.before is
  'The value before the acceptance, as PostgreSQL prints it; NULL for a NULL column. An undo of an earlier value in the chain changes it.';
comment on column ingest.accepted_value.after is
  'The accepted value, in the same form. It can equal before; such a row takes effect when an undo removes an earlier value of the chain.';
comment on column ingest.accepted_value.source_file_id is 'The file of the accepted line. The changed row keeps the number of its own file.';
comment on column ingest.accepted_value.line_number is 'Number of the accepted line, from 1.';
