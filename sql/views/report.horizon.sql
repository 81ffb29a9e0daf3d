create or replace view report.horizon as
select
  a.app_id,
  f.stream,
  min(a.first_event_at) as first_event_at,
  max(a.newest_event_at) as newest_event_at
from ingest.file_app a
join ingest.source_file f on f.source_file_id = a.source_file_id
where f.undone_at is null and a.newest_event_at is not null
group by a.app_id, f.stream;

comment on view report.horizon is
  'One row per application and stream with an event: an accepted line of a loaded file, new or known, with a time of its own up to the start of its run (a later one moves no horizon: the clock of the client is fast), sandbox included. Receipts within events are no events of the stream receipt. Files loaded since the last refresh are included.';
comment on column report.horizon.first_event_at is 'Time of the first event.';
comment on column report.horizon.newest_event_at is 'Time of the newest event: the horizon of the application in the stream.';
