-- Defaults for loads into this database; options on the command line override them.
create table ingest.setting (
  name text collate "C" primary key check (name in ('app-id')),
  value text collate "C" not null check (value <> ''),
  set_at timestamptz not null default now(),
  set_by text not null default session_user
);
comment on table ingest.setting is
  'One row per setting of this database that differs from its default. Written by: gamebase-ingest settings.';
comment on column ingest.setting.name is 'Name of the setting. app-id is the application of lines without one.';
comment on column ingest.setting.value is 'Value of the setting.';
comment on column ingest.setting.set_at is 'Time at which the value was set.';
comment on column ingest.setting.set_by is 'The session user who set the value.';
