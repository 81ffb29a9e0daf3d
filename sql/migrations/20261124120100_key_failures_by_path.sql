-- One file has many paths: relative ones, absolute ones, and those through links. The folder in which an older version
-- ran is not known, so its failures keep the path as it was given, and end with a load under that path.
alter table ingest.failed_file add column canonical_path text collate "C";
comment on column ingest.failed_file.canonical_path is
  'The path by which the file is recognized: the real path of its folder, and its name; - for standard input; NULL if an older version recorded the failure.';
-- A path with a scheme was taken for a missing file. It is refused now, so no load ends such a failure.
insert into ingest.failure_dismissal (failed_file_id, load_id, stream, path, reason, failed_at, note)
  select failed_file_id, load_id, stream, path, reason, failed_at,
      'migration: a path with a scheme is not read'
    from ingest.failed_file where path ~ '^[A-Za-z][A-Za-z0-9+.-]*://'
    on conflict do nothing;
