alter table ingest.stream add column embedded_stream text collate "C" references ingest.stream;
comment on column ingest.stream.embedded_stream is
  'The stream whose records lie within lines of this one, such as the receipts in event messages; NULL when none do. A file of this stream then brings rows of both.';
update ingest.stream set embedded_stream = 'receipt' where stream = 'event';

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
