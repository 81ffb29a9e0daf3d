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
comment on column ingest.reject.raw is 'Bytes of the line, with purchase tokens replaced by their digests, cut at 64 KiB.';
comment on column ingest.reject.raw_byte_count is 'Length of the line in bytes. A raw value shorter than 64 KiB is the whole line.';
comment on column ingest.reject.user_id is 'The user of the line; NULL when the loader could not read it.';
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
  primary key (failed_file_id, line_number)
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
comment on column ingest.failed_reject.raw is 'Bytes of the line, with purchase tokens replaced by their digests, cut at 4 KiB.';
comment on column ingest.failed_reject.raw_byte_count is 'Length of the line in bytes.';
comment on column ingest.failed_reject.user_id is 'The user of the line; NULL when the loader could not read it.';
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
comment on table ingest.unknown_field is
  'One row per loaded file and field name that its stream does not declare. A new name can mean that the vendor changed its schema. The values are in column extra of the fact rows.';
comment on column ingest.unknown_field.source_file_id is 'The file with the field.';
comment on column ingest.unknown_field.field is
  'Field name, as spelled in the lines; NULL stands for all names after the first 1,000 and all names longer than 256 bytes.';
comment on column ingest.unknown_field.line_count is 'Lines with the field, including refused lines.';
comment on column ingest.unknown_field.first_line_number is 'Number of the first line with the field, from 1.';
