-- Many games deliver a file of zero bytes on a quiet day. Such files share a digest, so the path tells them apart.
alter table ingest.source_file add column empty_path text collate "C" not null default '';
comment on column ingest.source_file.empty_path is
  'Canonical path of a file without a record, which is part of its identity: the real path of its folder, and its name; its path as given if an older version loaded it; empty for a file with a record.';
update ingest.source_file set empty_path = path where line_count = blank_count;
-- The update has queued deferred checks, with which the table cannot be altered.
set constraints all immediate;
alter table ingest.source_file
  add constraint empty_path_of_empty_file check (empty_path = '' or line_count = blank_count);
-- The identity of a file with a record does not include its path, so the same bytes load only once.
drop index ingest.source_file_identity;
create unique index source_file_identity on ingest.source_file
  (sha256, empty_path, stream, app_id, observed_at) nulls not distinct where undone_at is null;
