-- How far the events of an application go is told by its files and not by its rows: a known line changes no row, and an
-- erasure or retention removes rows, but the file was there.
create table ingest.file_app (
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  app_id text collate "C" not null,
  first_event_at timestamptz,
  newest_event_at timestamptz,
  primary key (source_file_id, app_id),
  constraint events_in_order check (
    num_nulls(first_event_at, newest_event_at) in (0, 2) and first_event_at <= newest_event_at),
  constraint events_of_contract check (
    first_event_at >= '2000-01-01 00:00Z' and newest_event_at <= '2100-01-02 00:00Z')
);
comment on table ingest.file_app is
  'One row per loaded file and application of its accepted lines: new, filled and known ones. Erasures and retention leave it. Records within lines do not count.';
comment on column ingest.file_app.source_file_id is 'The file.';
comment on column ingest.file_app.app_id is 'The application; empty when unknown.';
comment on column ingest.file_app.first_event_at is
  'Time of the first event: an accepted line with a time of its own; NULL without an event.';
comment on column ingest.file_app.newest_event_at is 'Time of the newest event; NULL without an event.';
