-- Each attempt replaces the entry of the one before it, so how often and since when a file fails is carried along.
alter table ingest.failed_file
  add column first_failed_at timestamptz,
  add column attempt_count bigint not null default 1 check (attempt_count >= 1),
  add column error_code integer;
update ingest.failed_file set first_failed_at = failed_at;
alter table ingest.failed_file
  alter column first_failed_at set default now(),
  alter column first_failed_at set not null;
comment on column ingest.failed_file.first_failed_at is 'Time of the first attempt that failed, of those since the file was last loaded.';
comment on column ingest.failed_file.attempt_count is 'Attempts since then that failed, with the first.';
comment on column ingest.failed_file.error_code is 'Exit code of the error; NULL if an older version recorded the failure.';
