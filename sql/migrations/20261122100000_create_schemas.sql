create schema game;
comment on schema game is 'Facts and reference tables: one table for each kind of record.';
create schema ingest;
comment on schema ingest is 'The ledger: what was loaded when, from which file, and what was refused.';
create schema report;
comment on schema report is 'What analysts read: views over game and ingest that explain themselves.';
create schema staging;
comment on schema staging is 'Functions that take rows on their way into game: see staging.open.';

create table ingest.schema_migration (
  version text collate "C" primary key,
  checksum bytea not null,
  applied_at timestamptz not null default now()
);
comment on table ingest.schema_migration is
  'One row per migration that was applied to this database. Written by: gamebase-ingest migrate.';
comment on column ingest.schema_migration.version is 'File name of the migration without its extension.';
comment on column ingest.schema_migration.checksum is 'SHA-256 of the file as it was applied; a file never changes once it is merged.';
comment on column ingest.schema_migration.applied_at is 'When the migration was committed.';

create table ingest.definition_set (
  is_current boolean primary key default true check (is_current),
  checksum bytea not null,
  function_names text[] not null,
  built_at timestamptz not null default now()
);
comment on table ingest.definition_set is
  'One row per database: which functions and views it has. Written by: gamebase-ingest migrate.';
comment on column ingest.definition_set.is_current is 'Always true; keeps the table at one row.';
comment on column ingest.definition_set.checksum is 'SHA-256 over the names of all migrations and the files of all functions and views, as they were built.';
comment on column ingest.definition_set.function_names is 'The functions that were built, as schema.name: a later version drops those that it does not have.';
comment on column ingest.definition_set.built_at is 'When the functions and views were last built.';
