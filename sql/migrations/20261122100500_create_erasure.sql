create table ingest.erasure_key (
  is_current boolean primary key default true check (is_current),
  check_value bytea not null check (octet_length(check_value) = 32),
  created_at timestamptz not null default now()
);
comment on table ingest.erasure_key is
  'One row per database in which a user was erased: tells whether somebody has the right key, without holding it. Written by: ingest.erase_user.';
comment on column ingest.erasure_key.is_current is 'Always true; keeps the table at one row.';
comment on column ingest.erasure_key.check_value is 'HMAC-SHA-256 of a constant under the key, which itself is kept outside the database.';
comment on column ingest.erasure_key.created_at is 'When the first user was erased.';

create table ingest.erased_user (
  user_hmac bytea not null check (octet_length(user_hmac) = 32),
  app_id text collate "C",
  user_filter bigint,
  erased_at timestamptz not null default now(),
  constraint erased_user_once unique nulls not distinct (user_hmac, app_id)
);
-- Without a primary key: app_id can be NULL. A publication tells the rows apart by all columns.
alter table ingest.erased_user replica identity full;
comment on table ingest.erased_user is
  'One row per user, or user of one application, that was erased: their lines are suppressed from then on. Written by: ingest.erase_user.';
comment on column ingest.erased_user.user_hmac is 'HMAC-SHA-256 of the user''s id under the key: nobody can tell the user from it without that.';
comment on column ingest.erased_user.app_id is 'The application that the user was erased in; NULL: in all.';
comment on column ingest.erased_user.user_filter is
  'SipHash-2-4 of the user''s id under a key that is made from the key: decides nothing, saves asking. NULL: erased by an older version; then everybody is asked for by user_hmac.';
comment on column ingest.erased_user.erased_at is 'When the user was first erased.';

create table ingest.erased_line (
  source_file_id bigint not null references ingest.source_file,
  outcome text collate "C" not null check (outcome in ('inserted', 'filled', 'conflict', 'rejected')),
  line_count bigint not null check (line_count >= 1),
  primary key (source_file_id, outcome)
);
comment on table ingest.erased_line is
  'One row per loaded file and outcome of which lines were erased. A file''s count of an outcome is what its tables hold and what is counted here.';
comment on column ingest.erased_line.source_file_id is 'The file.';
comment on column ingest.erased_line.outcome is 'inserted, filled, conflict or rejected, as the file''s counts have it.';
comment on column ingest.erased_line.line_count is 'Lines of that outcome whose rows or records were erased.';
