-- A file is looked for by its length before it is read.
create index source_file_length on ingest.source_file (byte_count, stream) where undone_at is null;
