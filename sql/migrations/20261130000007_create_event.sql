create table game.event (
  occurred_at timestamptz not null check (isfinite(occurred_at)),
  app_id text collate "C" not null,
  event_id text collate "C" not null,
  user_id text collate "C",
  category text collate "C" not null,
  category_raw text collate "C",
  event_group text collate "C" not null check (event_group in
    ('purchase', 'push', 'server_push', 'observer', 'idp_revoked', 'logged_out', 'other')),
  code bigint,
  message text,
  idp_type text collate "C",
  auth_mapping_list json,
  push_id text collate "C",
  push_title text,
  push_body text,
  push_is_foreground boolean,
  push_action_type text collate "C",
  push_user_text text,
  payment_seq text collate "C",
  data json,
  text_repaired boolean not null,
  extra json,
  source_file_id bigint not null,
  line_number bigint not null,
  row_digest uuid,
  -- Time comes first. New rows then go to the end of the index, where an insert is cheap, and a query for a range of
  -- time needs no other index.
  primary key (occurred_at, app_id, event_id),
  constraint event_occurred_at_in_range check (occurred_at >= '2000-01-01 00:00Z' and occurred_at <= '2100-01-02 00:00Z'),
  constraint event_user_id_named check (user_id <> '' and user_id <> '0'),
  constraint event_event_id_named check (event_id <> ''),
  constraint event_category_named check (category <> ''),
  constraint event_line_number_counted check (line_number >= 1),
  constraint event_identifiers_bounded check (
    greatest(octet_length(app_id), octet_length(event_id), octet_length(user_id), octet_length(category),
      octet_length(push_id), octet_length(payment_seq)) <= 512)
) partition by range (occurred_at);
-- A refresh finds the rows of a file by this index: files are loaded one after another, so their rows lie together.
create index event_source_file on game.event using brin (source_file_id) with (pages_per_range = 32);
-- No plan depends on statistics of these columns. Without them, ANALYZE is faster and copies no player's text or digest
-- into pg_statistic.
alter table game.event
  alter column message set statistics 0,
  alter column auth_mapping_list set statistics 0,
  alter column push_title set statistics 0,
  alter column push_body set statistics 0,
  alter column push_user_text set statistics 0,
  alter column data set statistics 0,
  alter column extra set statistics 0,
  alter column line_number set statistics 0,
  alter column row_digest set statistics 0;
comment on table game.event is
  'One row per event message. Source: Gamebase event messages of the client. Loaded by: gamebase-ingest. Partitioned by month of occurred_at, UTC.';
comment on column game.event.occurred_at is 'Time of the event (eventTime), to the millisecond; part of the natural key.';
comment on column game.event.app_id is 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';
comment on column game.event.event_id is
  'Number of the event (eventId); without one, sha256: and the SHA-256 of category, user and data. Part of the natural key.';
comment on column game.event.user_id is 'The user; NULL when the line has none, as before a login.';
comment on column game.event.category is 'Category of the event, in the spelling of today''s SDKs; an unknown one as written in the line.';
comment on column game.event.category_raw is 'The category as written in the line, when it differs from category.';
comment on column game.event.event_group is 'Group of the category: purchase, push, server_push, observer, idp_revoked, logged_out or other.';
comment on column game.event.code is 'Code of an observer''s message or of a revoked login.';
comment on column game.event.message is 'Message of an observer or of a logout.';
comment on column game.event.idp_type is 'The identity provider of a revoked login.';
comment on column game.event.auth_mapping_list is 'The identity providers that stay mapped to the user of a revoked login, as a JSON array of texts, as written.';
comment on column game.event.push_id is 'Number of the push message.';
comment on column game.event.push_title is 'Title of the push message.';
comment on column game.event.push_body is 'Text of the push message.';
comment on column game.event.push_is_foreground is 'True when the app was in the foreground; NULL when the line has no flag.';
comment on column game.event.push_action_type is 'The action with which the player answered the push message: OPEN_APP, OPEN_URL, REPLY, DISMISS, ...';
comment on column game.event.push_user_text is 'The text that the player typed as an answer to the push message.';
comment on column game.event.payment_seq is 'The payment of the receipt in a purchaseUpdated message; see game.receipt. NULL for other events.';
comment on column game.event.data is
  'Members of the data without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; of an unknown category any JSON value. NULL when nothing is left.';
comment on column game.event.text_repaired is 'True when the loader replaced a NUL or an unpaired surrogate in a free text, in data or in extra by U+FFFD.';
comment on column game.event.extra is 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';
comment on column game.event.source_file_id is 'The file that brought the row; see ingest.source_file.';
comment on column game.event.line_number is 'Line number in that file, from 1.';
comment on column game.event.row_digest is
  'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

insert into ingest.stream
    (stream, target_table, key_columns, compared_columns, followers, partition_column, time_column, has_player,
     embedded_stream)
values ('event', 'event', '{occurred_at, app_id, event_id}',
  '{user_id, category, code, message, idp_type, auth_mapping_list, push_id, push_title, push_body,
    push_is_foreground, push_action_type, push_user_text, payment_seq, data}',
  '{"category": ["category_raw", "event_group"]}', 'occurred_at', 'occurred_at', false, 'receipt');
