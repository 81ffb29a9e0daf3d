-- Members of lines without a column that the operator shows to analysts. Only their values are copied, so hiding a field
-- removes them, and no view reads the column extra.
create table ingest.field_exposure (
  field_exposure_id bigint generated always as identity primary key,
  stream text collate "C" not null references ingest.stream,
  field text collate "C" not null check (field <> ''),
  exposed_at timestamptz not null default now(),
  exposed_by text not null default session_user,
  hidden_at timestamptz,
  hidden_by text,
  check ((hidden_at is null) = (hidden_by is null))
);
create unique index field_exposure_open on ingest.field_exposure (stream, field) where hidden_at is null;
comment on table ingest.field_exposure is
  'One row per exposure of a field to analysts: who exposed it, and who hid it again. Rows are never deleted. Written by: gamebase-ingest settings expose-field and hide-field.';
comment on column ingest.field_exposure.field_exposure_id is 'Number of the exposure.';
comment on column ingest.field_exposure.stream is 'The stream of the field.';
comment on column ingest.field_exposure.field is 'Name of the member in the column extra.';
comment on column ingest.field_exposure.exposed_at is 'Time at which the field was exposed.';
comment on column ingest.field_exposure.exposed_by is 'The session user who exposed it.';
comment on column ingest.field_exposure.hidden_at is 'Time at which the field was hidden; NULL while it is exposed.';
comment on column ingest.field_exposure.hidden_by is 'The session user who hid it.';

create table rollup.exposed_field (
  stream text collate "C" not null,
  source_file_id bigint not null,
  line_number bigint not null,
  field text collate "C" not null,
  natural_key jsonb not null,
  value text not null,
  primary key (stream, source_file_id, line_number, field)
);
create index exposed_field_field on rollup.exposed_field (stream, field);
alter table rollup.exposed_field
  alter column natural_key set statistics 0,
  alter column value set statistics 0;
comment on table rollup.exposed_field is
  'One row per stored row and exposed field that the row has. Written by: rollup.refresh_exposed_fields.';
comment on column rollup.exposed_field.stream is 'The stream of the row.';
comment on column rollup.exposed_field.source_file_id is 'The file of the row.';
comment on column rollup.exposed_field.line_number is 'The line of the row in that file.';
comment on column rollup.exposed_field.field is 'Name of the member.';
comment on column rollup.exposed_field.natural_key is 'The natural key of the row, as an array.';
comment on column rollup.exposed_field.value is 'The value as text.';

create table rollup.read_field (
  stream text collate "C" not null,
  field text collate "C" not null,
  primary key (stream, field)
);
comment on table rollup.read_field is
  'One row per field that rollup.exposed_field has of every row of the stream. Written by: rollup.refresh_exposed_fields.';
comment on column rollup.read_field.stream is 'The stream.';
comment on column rollup.read_field.field is 'Name of the member.';
