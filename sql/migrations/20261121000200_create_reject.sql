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
  resolved_at timestamptz
);
create index reject_source_file on ingest.reject (source_file_id, line_number);
comment on table ingest.reject is
  'One row per refused line of a loaded file, with everything needed to find, mend and replay it.';
comment on column ingest.reject.reject_id is 'Number of the reject.';
comment on column ingest.reject.source_file_id is 'The file that the line is in.';
comment on column ingest.reject.stream is 'Kind of record.';
comment on column ingest.reject.line_number is 'Line in the file, from 1.';
comment on column ingest.reject.byte_offset is 'Of the line''s first byte in the decoded stream, from 0, a byte-order mark counted.';
comment on column ingest.reject.code is 'Why, from a closed list that never changes meaning; see the documentation''s table of reject codes.';
comment on column ingest.reject.field is 'The field at fault as the line spells it; NULL when the whole line is.';
comment on column ingest.reject.reason is 'Why, in words; never holds the value.';
comment on column ingest.reject.raw is 'The line''s bytes with tokens replaced by their digests, cut at 64 KiB.';
comment on column ingest.reject.raw_byte_count is 'How long the line was; where raw is shorter than 64 KiB it is whole.';
comment on column ingest.reject.resolved_at is 'When a replay loaded the line; NULL: not yet.';

create table ingest.failed_reject (
  failed_file_id bigint not null references ingest.failed_file,
  line_number bigint not null,
  byte_offset bigint not null,
  code text collate "C" not null,
  field text,
  reason text not null,
  raw bytea not null,
  raw_byte_count bigint not null,
  primary key (failed_file_id, line_number)
);
comment on table ingest.failed_reject is
  'One row per refused line of a file that failed, for the first 1,000 of them.';
comment on column ingest.failed_reject.failed_file_id is 'The failure that it belongs to.';
comment on column ingest.failed_reject.line_number is 'Line in the file, from 1.';
comment on column ingest.failed_reject.byte_offset is 'Of the line''s first byte in the decoded stream, from 0.';
comment on column ingest.failed_reject.code is 'Why, from the same closed list as ingest.reject.';
comment on column ingest.failed_reject.field is 'The field at fault as the line spells it; NULL when the whole line is.';
comment on column ingest.failed_reject.reason is 'Why, in words; never holds the value.';
comment on column ingest.failed_reject.raw is 'The line''s bytes with tokens replaced by their digests, cut at 64 KiB.';
comment on column ingest.failed_reject.raw_byte_count is 'How long the line was.';

create table ingest.conflict (
  conflict_id bigint generated always as identity primary key,
  stream text collate "C" not null,
  natural_key jsonb not null,
  field text not null,
  kept text not null,
  refused text not null,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  line_number bigint not null
);
create index conflict_source_file on ingest.conflict (source_file_id, line_number);
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

create table ingest.fill (
  fill_id bigint generated always as identity primary key,
  stream text collate "C" not null,
  natural_key jsonb not null,
  field text not null,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  line_number bigint not null
);
create index fill_source_file on ingest.fill (source_file_id, line_number);
comment on table ingest.fill is
  'One row per column that a later line supplied for a row in which it was NULL; what undo takes back.';
comment on column ingest.fill.fill_id is 'Number of the fill.';
comment on column ingest.fill.stream is 'Kind of record.';
comment on column ingest.fill.natural_key is 'JSON array of the key columns'' values: which row was filled.';
comment on column ingest.fill.field is 'The column that was NULL.';
comment on column ingest.fill.source_file_id is 'The file whose line supplied the value.';
comment on column ingest.fill.line_number is 'The line that supplied it, from 1.';
