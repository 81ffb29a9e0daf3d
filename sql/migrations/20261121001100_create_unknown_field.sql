create table ingest.unknown_field (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  field text collate "C",
  line_count bigint not null check (line_count >= 1),
  first_line_number bigint not null check (first_line_number >= 1),
  constraint unknown_field_once unique nulls not distinct (source_file_id, field)
);
comment on table ingest.unknown_field is
  'One row per loaded file and field name that its stream does not know: how a change of the vendor''s schema shows. The values are in the column extra of the rows.';
comment on column ingest.unknown_field.source_file_id is 'The file.';
comment on column ingest.unknown_field.field is
  'The name as the lines spell it; NULL stands for all names beyond the first 1,000, or longer than 256 bytes.';
comment on column ingest.unknown_field.line_count is 'Lines that have it, refused ones too.';
comment on column ingest.unknown_field.first_line_number is 'The first of them, from 1.';
