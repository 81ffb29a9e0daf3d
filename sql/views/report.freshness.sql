create or replace view report.freshness as
select
  s.stream,
  s.app_id,
  s.newest_event_at,
  s.newest_loaded_at,
  round(extract(epoch from now() - s.newest_event_at)::numeric(20, 6) / 3600, 2)::numeric(14, 2) as hours_behind_now,
  round(extract(epoch from now() - s.newest_loaded_at)::numeric(20, 6) / 3600, 2)::numeric(14, 2) as hours_since_load,
  round(extract(epoch from max(s.newest_event_at) over (partition by s.app_id) - s.newest_event_at)::numeric(20, 6)
    / 3600, 2)::numeric(14, 2) as hours_behind_app
from (
  select f.stream, a.app_id, max(a.newest_event_at) as newest_event_at, max(f.loaded_at) as newest_loaded_at
  from ingest.file_app a
  join ingest.source_file f on f.source_file_id = a.source_file_id
  where f.undone_at is null
  group by f.stream, a.app_id
) s;

comment on view report.freshness is
  'One row per stream and application with an accepted line in a loaded file, also where no line has a time of its own. Files loaded since the last refresh are included. The hours up to now go by the clock of the server.';
comment on column report.freshness.newest_event_at is 'Time of the newest event up to the start of its run; NULL when no accepted line of the application in the stream has such a time of its own.';
comment on column report.freshness.newest_loaded_at is 'Load time of the newest file with an accepted line of the application in the stream; lines known before are accepted, too.';
comment on column report.freshness.hours_since_load is 'Hours from newest_loaded_at to now.';
comment on column report.freshness.hours_behind_app is 'Hours from newest_event_at to the application''s newest event in any stream; NULL like newest_event_at. Above 192, the stream counts as stopped, and other views leave it out of the horizon.';
