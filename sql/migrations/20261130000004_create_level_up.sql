create table game.level_up (
  leveled_up_at timestamptz not null check (isfinite(leveled_up_at)),
  user_id text collate "C" not null,
  user_level integer not null check (user_level >= 0),
  app_id text collate "C" not null,
  character_id text collate "C",
  channel_id text collate "C",
  class_id text collate "C",
  text_repaired boolean not null,
  extra json,
  source_file_id bigint not null,
  line_number bigint not null,
  row_digest uuid,
  constraint level_up_leveled_up_at_in_range check (leveled_up_at >= '2000-01-01 00:00Z' and leveled_up_at <= '2100-01-02 00:00Z'),
  constraint level_up_user_id_named check (user_id <> '' and user_id <> '0'),
  constraint level_up_line_number_counted check (line_number >= 1),
  constraint level_up_identifiers_bounded check (
    greatest(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512)
) partition by range (leveled_up_at);
-- Time comes first. New rows then go to the end of the index, where an insert is cheap, and a query for a range of
-- time needs no other index.
create unique index level_up_key on game.level_up
  (leveled_up_at, user_id, user_level, app_id, character_id) nulls not distinct;
-- A refresh finds the rows of a file by this index: files are loaded one after another, so their rows lie together.
create index level_up_source_file on game.level_up using brin (source_file_id) with (pages_per_range = 32);
-- The table has no primary key, because a key column can be NULL. Logical replication identifies a row by all its
-- columns.
alter table game.level_up replica identity full;
-- No plan depends on statistics of these columns. Without them, ANALYZE is faster and copies no player's text or digest into
-- pg_statistic.
alter table game.level_up
  alter column extra set statistics 0,
  alter column line_number set statistics 0,
  alter column row_digest set statistics 0;
comment on table game.level_up is
  'One row per level that a user''s character reached. Source: Gamebase level-up traces. Loaded by: gamebase-ingest. Partitioned by month of leveled_up_at, UTC.';
comment on column game.level_up.leveled_up_at is 'Time at which the level was reached, to the millisecond; part of the natural key.';
comment on column game.level_up.user_id is 'The user; part of the natural key.';
comment on column game.level_up.user_level is 'The level reached; part of the natural key.';
comment on column game.level_up.app_id is 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';
comment on column game.level_up.character_id is 'The character; NULL when the game has none; part of the natural key.';
comment on column game.level_up.channel_id is 'The channel or server.';
comment on column game.level_up.class_id is 'The character''s class.';
comment on column game.level_up.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in extra by U+FFFD.';
comment on column game.level_up.extra is 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';
comment on column game.level_up.source_file_id is 'The file that brought the row; see ingest.source_file.';
comment on column game.level_up.line_number is 'Line number in that file, from 1.';
comment on column game.level_up.row_digest is
  'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

insert into ingest.stream (stream, target_table, key_columns, compared_columns, partition_column, time_column)
values ('level_up', 'level_up', '{app_id, user_id, character_id, user_level, leveled_up_at}',
  '{channel_id, class_id}', 'leveled_up_at', 'leveled_up_at');
