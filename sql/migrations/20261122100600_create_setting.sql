-- What a database says of the files that are loaded into it, where a command line does not.
create table ingest.setting (
  name text collate "C" primary key check (name in ('app-id')),
  value text collate "C" not null check (value <> ''),
  set_at timestamptz not null default now(),
  set_by text not null default session_user
);
comment on table ingest.setting is
  'One row per setting of this database that is not at its default. Written by: gamebase-ingest settings.';
comment on column ingest.setting.name is 'Name of the setting: app-id is the application of lines that name none.';
comment on column ingest.setting.value is 'Its value.';
comment on column ingest.setting.set_at is 'When the value was set.';
comment on column ingest.setting.set_by is 'The role that set it.';
