-- Whether a name is new to its stream is one look-up, however many files the ledger has.
create index unknown_field_name on ingest.unknown_field (field, source_file_id);
