-- Files of a hundred rows and more tell which fields a stream has, so that one that the vendor no longer sends is noticed.
create table ingest.known_field (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  field text collate "C",
  line_count bigint not null check (line_count >= 1),
  primary key (source_file_id, field)
);
comment on table ingest.known_field is
  'One row per loaded file of a hundred rows or more, and declared field that its lines have. A field that the last five files had and a new one has not is reported.';
comment on column ingest.known_field.source_file_id is 'The file.';
comment on column ingest.known_field.field is 'The first column of the field, whatever its spelling in the lines; its first spelling when no column stores it.';
comment on column ingest.known_field.line_count is 'Lines with the field that became rows.';
insert into ingest.table_place (table_schema, table_name) values ('ingest', 'known_field');
