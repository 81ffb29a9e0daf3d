create schema game;
comment on schema game is 'Fact tables, one for each stream, which analysts cannot read, and reference tables, which they can.';
create schema ingest;
comment on schema ingest is 'The ledger: runs, loaded files, refused lines, conflicts and erasures.';
create schema report;
comment on schema report is 'Views for analysts, and nothing else. Each view''s comment begins with what one row is. Days are of the reporting zone, money is gross, and most views show the state of the last refresh; see report.setting.';
create schema rollup;
comment on schema rollup is 'Tables behind the views of report: what a refresh computes from the facts.';
create schema staging;
comment on schema staging is 'Functions that stage and merge rows on their way into game; see staging.open.';

create table ingest.schema_migration (
  version text collate "C" primary key,
  checksum bytea not null,
  applied_at timestamptz not null default now()
);
comment on table ingest.schema_migration is
  'One row per migration that is applied to this database. Written by: gamebase-ingest migrate.';
comment on column ingest.schema_migration.version is 'File name of the migration without its extension.';
comment on column ingest.schema_migration.checksum is 'SHA-256 of the applied file. A merged migration never changes.';
comment on column ingest.schema_migration.applied_at is 'Time at which the migration was applied.';

create table ingest.definition_set (
  is_current boolean primary key default true check (is_current),
  checksum bytea not null,
  function_names text[] not null,
  built_at timestamptz not null default now()
);
comment on table ingest.definition_set is
  'One row per database, for the set of functions and views that it has. Written by: gamebase-ingest migrate.';
comment on column ingest.definition_set.is_current is 'Always true; keeps the table at one row.';
comment on column ingest.definition_set.checksum is 'SHA-256 over the names of all migrations and the contents of all function and view files at the last build.';
comment on column ingest.definition_set.function_names is 'The functions built, as schema.name. A later version drops those that it no longer contains.';
comment on column ingest.definition_set.built_at is 'Time at which the functions and views were last built.';
