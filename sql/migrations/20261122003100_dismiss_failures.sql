-- Some failures are never mended: a stray file, a test. An entry here outlives the failure's own, so that it
-- stays known who dismissed what.
create table ingest.failure_dismissal (
  failed_file_id bigint primary key,
  load_id bigint not null,
  stream text collate "C",
  path text not null,
  reason text not null,
  failed_at timestamptz not null,
  dismissed_at timestamptz not null default clock_timestamp(),
  dismissed_by text not null default session_user,
  note text
);
comment on table ingest.failure_dismissal is
  'One row per failure of a file that was dismissed: nothing is to be done about it any more. Kept when the file loads later. Written by: gamebase-ingest failures dismiss.';
comment on column ingest.failure_dismissal.failed_file_id is 'Number of the failure; its entry in ingest.failed_file goes when the file loads or fails anew.';
comment on column ingest.failure_dismissal.load_id is 'The run in which the file failed.';
comment on column ingest.failure_dismissal.stream is 'Kind of record.';
comment on column ingest.failure_dismissal.path is 'The path as that run was given it, or found it in a folder.';
comment on column ingest.failure_dismissal.reason is 'Why the file failed.';
comment on column ingest.failure_dismissal.failed_at is 'When the failure was recorded.';
comment on column ingest.failure_dismissal.dismissed_at is 'When the failure was dismissed.';
comment on column ingest.failure_dismissal.dismissed_by is 'The role that had logged in and dismissed it.';
comment on column ingest.failure_dismissal.note is 'What was said about it; NULL: nothing.';
