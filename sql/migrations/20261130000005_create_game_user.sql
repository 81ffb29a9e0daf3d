create table game.game_user_snapshot (
  observed_at timestamptz not null check (isfinite(observed_at)),
  user_id text collate "C" not null,
  app_id text collate "C" not null,
  channel_id text collate "C",
  character_id text collate "C",
  user_level integer not null check (user_level >= 0),
  class_id text collate "C",
  observed_at_source text collate "C" not null check (observed_at_source in
    ('line', 'option', 'load_start')),
  text_repaired boolean not null,
  extra json,
  source_file_id bigint not null,
  line_number bigint not null,
  row_digest uuid,
  constraint game_user_snapshot_observed_at_in_range check (observed_at >= '2000-01-01 00:00Z' and observed_at <= '2100-01-02 00:00Z'),
  constraint game_user_snapshot_user_id_named check (user_id <> '' and user_id <> '0'),
  constraint game_user_snapshot_line_number_counted check (line_number >= 1),
  constraint game_user_snapshot_identifiers_bounded check (
    greatest(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512)
) partition by range (observed_at);
create unique index game_user_snapshot_key on game.game_user_snapshot
  (observed_at, user_id, app_id, channel_id, character_id) nulls not distinct;
-- A refresh finds the rows of a file by this index: files are loaded one after another, so their rows lie together.
create index game_user_snapshot_source_file on game.game_user_snapshot
  using brin (source_file_id) with (pages_per_range = 32);
-- The table has no primary key, because a key column can be NULL. Logical replication identifies a row by all its
-- columns.
alter table game.game_user_snapshot replica identity full;
-- No plan depends on statistics of these columns. Without them, ANALYZE is faster and copies no player's text or digest into
-- pg_statistic.
alter table game.game_user_snapshot
  alter column extra set statistics 0,
  alter column line_number set statistics 0,
  alter column row_digest set statistics 0;
comment on table game.game_user_snapshot is
  'One row per observation of a user''s character. Source: Gamebase game-user data. Loaded by: gamebase-ingest. Partitioned by month of observed_at, UTC.';
comment on column game.game_user_snapshot.observed_at is 'Time of the observation, to the millisecond; part of the natural key.';
comment on column game.game_user_snapshot.user_id is 'The user; part of the natural key.';
comment on column game.game_user_snapshot.app_id is 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';
comment on column game.game_user_snapshot.channel_id is 'The channel or server; part of the natural key.';
comment on column game.game_user_snapshot.character_id is 'The character; NULL when the game has none; part of the natural key.';
comment on column game.game_user_snapshot.user_level is 'The level at that time.';
comment on column game.game_user_snapshot.class_id is 'The character''s class at that time.';
comment on column game.game_user_snapshot.observed_at_source is 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';
comment on column game.game_user_snapshot.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in extra by U+FFFD.';
comment on column game.game_user_snapshot.extra is 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';
comment on column game.game_user_snapshot.source_file_id is 'The file that brought the row; see ingest.source_file.';
comment on column game.game_user_snapshot.line_number is 'Line number in that file, from 1.';
comment on column game.game_user_snapshot.row_digest is
  'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

insert into ingest.stream
    (stream, target_table, key_columns, compared_columns, partition_column, time_column, time_source_column)
values ('game_user', 'game_user_snapshot', '{app_id, user_id, channel_id, character_id, observed_at}',
  '{user_level, class_id}', 'observed_at', 'observed_at', 'observed_at_source');
