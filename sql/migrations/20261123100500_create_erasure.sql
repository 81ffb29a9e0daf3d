create table ingest.erasure_key (
  is_current boolean primary key default true check (is_current),
  check_value bytea not null check (octet_length(check_value) = 32),
  created_at timestamptz not null default now()
);
comment on table ingest.erasure_key is
  'One row per database in which a user was erased. It verifies the erasure key without storing the key. Written by: ingest.erase_user.';
comment on column ingest.erasure_key.is_current is 'Always true; keeps the table at one row.';
comment on column ingest.erasure_key.check_value is 'HMAC-SHA-256 of a constant under the erasure key. The key is kept outside the database.';
comment on column ingest.erasure_key.created_at is 'Time of the first erasure.';

create table ingest.erased_user (
  user_hmac bytea not null check (octet_length(user_hmac) = 32),
  app_id text collate "C",
  user_filter bigint,
  erased_at timestamptz not null default now(),
  constraint erased_user_once unique nulls not distinct (user_hmac, app_id)
);
-- The table has no primary key, because app_id can be NULL. Logical replication identifies a row by all its columns.
alter table ingest.erased_user replica identity full;
comment on table ingest.erased_user is
  'One row per erased user, or per erased user and application: a tombstone. Loads after the erasure suppress the user''s lines. Written by: ingest.erase_user.';
comment on column ingest.erased_user.user_hmac is 'HMAC-SHA-256 of the user''s id under the erasure key. Without the key it does not reveal the user.';
comment on column ingest.erased_user.app_id is 'The application of the erasure; NULL for an erasure in all applications.';
comment on column ingest.erased_user.user_filter is
  'SipHash-2-4 of the user''s id under a key that is derived from the erasure key. A prefilter: the loader computes the HMAC only for users whose filter value is stored. NULL when an older version erased the user; one NULL makes the loader compute the HMAC for every user.';
comment on column ingest.erased_user.erased_at is 'Time of the user''s first erasure.';

create table ingest.erased_line (
  source_file_id bigint not null references ingest.source_file,
  outcome text collate "C" not null check (outcome in ('inserted', 'filled', 'conflict', 'rejected')),
  line_count bigint not null check (line_count >= 1),
  primary key (source_file_id, outcome)
);
comment on table ingest.erased_line is
  'One row per loaded file and outcome with erased lines. The file''s count of an outcome is the sum of the lines still stored and the lines counted here.';
comment on column ingest.erased_line.source_file_id is 'The file of the lines.';
comment on column ingest.erased_line.outcome is 'Outcome of the lines: inserted, filled, conflict or rejected, for the count of the same name in ingest.source_file.';
comment on column ingest.erased_line.line_count is 'Lines with that outcome whose rows or records an erasure deleted.';
