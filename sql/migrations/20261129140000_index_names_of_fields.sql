-- Whether a name is new to its stream is one look-up, however many files the ledger has.
create index unknown_field_name on ingest.unknown_field (field, source_file_id);
-- The files before one of the same application are compared with it.
create index file_app_of_app on ingest.file_app (app_id, source_file_id);
