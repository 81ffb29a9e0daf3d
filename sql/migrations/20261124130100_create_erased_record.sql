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
