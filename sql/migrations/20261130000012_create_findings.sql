-- Files of a hundred rows and more tell which fields a stream has, so that one that the vendor no longer sends is noticed.
create table ingest.known_field (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  field text collate "C",
  line_count bigint not null check (line_count >= 1),
  primary key (source_file_id, field)
);
comment on table ingest.known_field is
  'One row per loaded file of a hundred rows or more, and declared field that its lines have. A field that the last five files had and a new one has not is reported.';
comment on column ingest.known_field.source_file_id is 'The file.';
comment on column ingest.known_field.field is 'The first column of the field, whatever its spelling in the lines; its first spelling when no column stores it.';
comment on column ingest.known_field.line_count is 'Lines with the field that became rows.';

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

-- Days are judged after a load, by what is stored, and kept open like failures until they are right or dismissed.
create table ingest.open_day (
  app_id text collate "C" not null,
  stream text collate "C" not null references ingest.stream,
  day date not null check (isfinite(day)),
  kind text collate "C" not null check (kind in ('implausible', 'incomplete')),
  reason text not null,
  first_found_at timestamptz not null default now(),
  primary key (app_id, stream, day)
);
comment on table ingest.open_day is
  'One row per application, stream and day in the reporting zone whose figures are implausible, or which has no line, and which nobody has dismissed. No period from such a day on is complete. Written by: a refresh, and gamebase-ingest failures dismiss.';
comment on column ingest.open_day.app_id is 'The application.';
comment on column ingest.open_day.stream is 'The stream; for an amount of money the one whose files tell how far the receipts go.';
comment on column ingest.open_day.day is 'The day.';
comment on column ingest.open_day.kind is 'implausible: far fewer or far more lines than usual, or an amount of a currency in another unit; incomplete: no line.';
comment on column ingest.open_day.reason is 'The figures in a sentence.';
comment on column ingest.open_day.first_found_at is 'When a refresh first found the day.';
