-- An undo is refused only because of files whose lines met the rows or the refused lines of the undone one.
create table ingest.met_file (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  stream text collate "C" not null references ingest.stream,
  met_file_id bigint not null references ingest.source_file deferrable initially deferred,
  primary key (source_file_id, stream, met_file_id)
);
create index met_file_met on ingest.met_file (met_file_id);
comment on table ingest.met_file is
  'One row per loaded file, stream and other file whose stored row or refused line a line of it met: as a duplicate, a fill or a conflict. Written by: the look-up of known rows and staging.merge.';
comment on column ingest.met_file.source_file_id is 'The file of the line.';
comment on column ingest.met_file.stream is 'The stream of the met row.';
comment on column ingest.met_file.met_file_id is
  'The file that brought the row, filled a value of it, or holds the refused line. An undo of it takes the file of the line back, too.';
insert into ingest.table_place (table_schema, table_name) values ('ingest', 'met_file');

-- Of files that an older version loaded, the met ones are unknown.
alter table ingest.source_file add column has_met_files boolean not null default false;
alter table ingest.source_file alter column has_met_files set default true;
comment on column ingest.source_file.has_met_files is
  'True when ingest.met_file has all files that this one met; false for a file that an older version loaded, which may have met any earlier file of its streams.';

-- The files that gave a changed row its values are found by its key. Hash indexes, because a key can be longer than a
-- B-tree entry may be.
create index fill_key on ingest.fill using hash (natural_key);
create index conflict_key on ingest.conflict using hash (natural_key) where refused_row is not null;
