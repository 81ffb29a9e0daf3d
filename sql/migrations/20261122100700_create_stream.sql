create table ingest.stream (
  stream text collate "C" primary key,
  target_table text collate "C" not null,
  key_columns text[] not null,
  compared_columns text[] not null,
  followers jsonb not null default '{}',
  empty_is_absent_columns text[] not null default '{}',
  secret_columns text[] not null default '{}',
  partition_column text
);
comment on table ingest.stream is
  'One row per stream: how its rows are told apart and compared. Written by the migration that creates the stream.';
comment on column ingest.stream.stream is 'Kind of record.';
comment on column ingest.stream.target_table is 'Its table in schema game.';
comment on column ingest.stream.key_columns is 'The natural key, in the order in which a natural_key array lists it.';
comment on column ingest.stream.compared_columns is 'Columns that tell a duplicate from a conflict, and that a later line may fill where they are NULL.';
comment on column ingest.stream.followers is 'JSON object: for a compared column, the columns that come from the line that fills it.';
comment on column ingest.stream.empty_is_absent_columns is 'Compared columns in which the empty text stands for "absent".';
comment on column ingest.stream.secret_columns is
  'Compared columns whose values appear in no record of a conflict.';
comment on column ingest.stream.partition_column is 'The column whose month (UTC) partitions the table; NULL: not partitioned.';

-- A digest of what each row says, by which a load recognises the same row in other bytes without
-- comparing it.
create table ingest.row_digest_key (
  points bytea not null check (octet_length(points) = 16)
);
create unique index row_digest_key_once on ingest.row_digest_key ((true));
alter table ingest.row_digest_key replica identity full;
comment on table ingest.row_digest_key is
  'One row per database, so one: what its rows are digested under. Secret, lest somebody prepares two rows with one digest; when it is changed, digests of older rows agree with none and those rows are compared value by value.';
comment on column ingest.row_digest_key.points is 'Two numbers of 64 random bits, of which 61 are used.';
insert into ingest.row_digest_key (points)
  select substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);
