-- The buttons of an app's push messages, as the app's hive_push_actions.json defines them.
create table ingest.reference_file (
  reference_file_id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind in ('push-actions')),
  app_id text collate "C" not null,
  path text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  byte_count bigint not null check (byte_count >= 0),
  loaded_at timestamptz not null default now(),
  loader_version text not null,
  database_user text not null default current_user
);
create index reference_file_newest on ingest.reference_file (kind, app_id, reference_file_id);
comment on table ingest.reference_file is
  'One row per loaded file of reference data. The newest row of a kind and application is the file whose content is stored. Written by: gamebase-ingest reference load push-actions.';
comment on column ingest.reference_file.reference_file_id is 'Number of the file; a later file has a larger one.';
comment on column ingest.reference_file.kind is 'The data of the file: push-actions.';
comment on column ingest.reference_file.app_id is
  'The application of the data; empty when neither --app-id nor the database''s setting named one.';
comment on column ingest.reference_file.path is 'The path as given.';
comment on column ingest.reference_file.sha256 is
  'SHA-256 of the decoded bytes. A file with the digest of the newest one changes nothing.';
comment on column ingest.reference_file.byte_count is 'Number of decoded bytes.';
comment on column ingest.reference_file.loaded_at is 'Time of the load, by the server''s clock.';
comment on column ingest.reference_file.loader_version is 'Version of the program.';
comment on column ingest.reference_file.database_user is 'The role of the load''s connection.';

create table game.push_action (
  app_id text collate "C",
  action text collate "C",
  primary key (app_id, action)
);
comment on table game.push_action is
  'One row per application and action, a button of push messages. Source: the application''s hive_push_actions.json (Hive SDK document "Advanced Notification Features"). Written by: gamebase-ingest reference load push-actions.';
comment on column game.push_action.app_id is
  'The application; empty when neither --app-id nor the database''s setting named one.';
comment on column game.push_action.action is 'Identifier of the action.';

create table game.push_action_title (
  app_id text collate "C",
  action text collate "C",
  language text collate "C",
  title text not null check (title <> ''),
  primary key (app_id, action, language),
  foreign key (app_id, action) references game.push_action
);
comment on table game.push_action_title is
  'One row per application, action and language with a title of the button. Source and writer: see game.push_action.';
comment on column game.push_action_title.app_id is 'The application; see game.push_action.';
comment on column game.push_action_title.action is 'Identifier of the action; see game.push_action.';
comment on column game.push_action_title.language is
  'Code of the language, as written in the file; see game.display_language. Every action has the language en.';
comment on column game.push_action_title.title is 'Title of the button, as written in the file.';

create table game.push_category_action (
  app_id text collate "C",
  category text collate "C",
  position integer check (position between 1 and 3),
  action text collate "C" not null,
  primary key (app_id, category, position),
  foreign key (app_id, action) references game.push_action
);
comment on table game.push_category_action is
  'One row per application, category and button: the set of buttons that a push message shows. Source and writer: see game.push_action.';
comment on column game.push_category_action.app_id is 'The application; see game.push_action.';
comment on column game.push_category_action.category is 'Identifier of the category.';
comment on column game.push_category_action.position is 'Place of the button, from 1 to 3.';
comment on column game.push_category_action.action is 'Identifier of the action; see game.push_action.';
