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
  row_digest uuid
) partition by range (leveled_up_at);
-- Time comes first: what a night brings goes to the index's end, where it is cheap, and a range of
-- time is found without another index.
create unique index level_up_key on game.level_up
  (leveled_up_at, user_id, user_level, app_id, character_id) nulls not distinct;
-- Without a primary key: a part of the key can be NULL. A publication tells the rows apart by all columns.
alter table game.level_up replica identity full;
-- No query filters by these columns. Without statistics ANALYZE is quicker, and copies no credential, text of a
-- player or digest into pg_statistic.
alter table game.level_up
  alter column extra set statistics 0,
  alter column line_number set statistics 0,
  alter column row_digest set statistics 0;
comment on table game.level_up is
  'One row per level that a user''s character reached. Source: Gamebase level-up traces. Loaded by: gamebase-ingest. Partitioned by month of leveled_up_at, UTC.';
comment on column game.level_up.leveled_up_at is 'When the level was reached, exact to the millisecond; part of the natural key.';
comment on column game.level_up.user_id is 'The user; part of the natural key.';
comment on column game.level_up.user_level is 'The level reached; part of the natural key.';
comment on column game.level_up.app_id is 'The application; empty when neither the line nor --app-id named one; part of the natural key.';
comment on column game.level_up.character_id is 'The character; NULL when the game has none; part of the natural key.';
comment on column game.level_up.channel_id is 'The channel or server.';
comment on column game.level_up.class_id is 'The character''s class.';
comment on column game.level_up.text_repaired is 'True when a NUL or half of a surrogate pair in extra became U+FFFD.';
comment on column game.level_up.extra is 'Members of the line that have no column, as written; NULL when there are none.';
comment on column game.level_up.source_file_id is 'The file that brought the row; see ingest.source_file.';
comment on column game.level_up.line_number is 'The line in that file, from 1.';
comment on column game.level_up.row_digest is
  'Digest of the row''s own values, under ingest.row_digest_key; NULL where a later line filled the row, or an older version loaded it.';

insert into ingest.stream (stream, target_table, key_columns, compared_columns, partition_column)
values ('level_up', 'level_up', '{app_id, user_id, character_id, user_level, leveled_up_at}',
  '{channel_id, class_id}', 'leveled_up_at');
