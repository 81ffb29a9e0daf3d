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
  'One row per stream, with its table, its natural key and the columns that a merge compares. Written by: the migration that creates the stream.';
comment on column ingest.stream.stream is 'Name of the stream: one kind of record.';
comment on column ingest.stream.target_table is 'Table of the stream in schema game.';
comment on column ingest.stream.key_columns is 'Columns of the natural key, in the order of a natural_key array.';
comment on column ingest.stream.compared_columns is 'Columns that a merge compares: equal values make a duplicate, a different value makes a conflict, and a later line can fill a NULL.';
comment on column ingest.stream.followers is 'JSON object that maps a compared column to its follower columns. A line that fills the compared column also sets its followers.';
comment on column ingest.stream.empty_is_absent_columns is 'Compared columns in which an empty text counts as absent, like NULL.';
comment on column ingest.stream.secret_columns is
  'Compared columns that hold secrets. A conflict never records their values.';
comment on column ingest.stream.partition_column is 'The column whose month (UTC) partitions the table; NULL for a table without partitions.';

-- Each row has a digest of its values. A load recognizes a stored row by key and digest, even when the line's bytes
-- differ, and does not compare the values.
create table ingest.row_digest_key (
  points bytea not null check (octet_length(points) = 16)
);
create unique index row_digest_key_once on ingest.row_digest_key ((true));
alter table ingest.row_digest_key replica identity full;
comment on table ingest.row_digest_key is
  'One row per database: the key of its row digests. It is secret, so that an attacker cannot prepare two rows with the same digest. After a change of the key, the digests of older rows match no new digest, and a load compares those rows value by value.';
comment on column ingest.row_digest_key.points is 'Two 64-bit random numbers; the digest uses 61 bits of each.';
insert into ingest.row_digest_key (points)
  select substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);
