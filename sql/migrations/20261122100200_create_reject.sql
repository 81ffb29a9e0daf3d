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
  resolved_order bigint
);
create index reject_source_file on ingest.reject (source_file_id, line_number);
-- ANALYZE copies no text of a player into pg_statistic.
alter table ingest.reject alter column user_id set statistics 0;
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
comment on column ingest.reject.user_id is 'The user of the line; NULL where it could not be read.';
comment on column ingest.reject.app_id is
  'The application of the line, or else of its file; NULL where it could not be read.';
comment on column ingest.reject.resolved_at is 'When a replay loaded the line; NULL: not yet.';
comment on column ingest.reject.resolved_order is
  'When a replay loaded the line, as a number among those of files: files with larger numbers were loaded later.';

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
  primary key (failed_file_id, line_number)
);
alter table ingest.failed_reject alter column user_id set statistics 0;
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
comment on column ingest.failed_reject.user_id is 'The user of the line; NULL where it could not be read.';
comment on column ingest.failed_reject.app_id is
  'The application of the line, or else of its file; NULL where it could not be read.';

create table ingest.unknown_field (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  field text collate "C",
  line_count bigint not null check (line_count >= 1),
  first_line_number bigint not null check (first_line_number >= 1),
  constraint unknown_field_once unique nulls not distinct (source_file_id, field)
);
-- Without a primary key: field can be NULL. A publication tells the rows apart by all columns.
alter table ingest.unknown_field replica identity full;
comment on table ingest.unknown_field is
  'One row per loaded file and field name that its stream does not know: how a change of the vendor''s schema shows. The values are in the column extra of the rows.';
comment on column ingest.unknown_field.source_file_id is 'The file.';
comment on column ingest.unknown_field.field is
  'The name as the lines spell it; NULL stands for all names beyond the first 1,000, or longer than 256 bytes.';
comment on column ingest.unknown_field.line_count is 'Lines that have it, refused ones too.';
comment on column ingest.unknown_field.first_line_number is 'The first of them, from 1.';
