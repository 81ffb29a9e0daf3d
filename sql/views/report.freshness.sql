create or replace view report.freshness as
select
  s.stream,
  s.app_id,
  max(s.newest_event_at) as newest_event_at,
  max(f.loaded_at) as newest_loaded_at,
  max(max(s.newest_event_at)) over (partition by s.app_id) - max(s.newest_event_at) as age
from report.standing_file s
left join ingest.source_file f on f.source_file_id = s.source_file_id
group by s.stream, s.app_id;

comment on view report.freshness is
  'One row per stream and application with a stored row, also where no row has a time of its own. Files loaded since the last refresh are included.';
comment on column report.freshness.stream is 'The stream.';
comment on column report.freshness.app_id is 'The application; empty when unknown.';
comment on column report.freshness.newest_event_at is 'Time of the newest event; NULL when no row of the application in the stream has a time of its own.';
comment on column report.freshness.newest_loaded_at is 'Load time of the newest file with standing rows of the application in the stream. A file of duplicates does not count.';
comment on column report.freshness.age is 'Time from newest_event_at to the application''s newest event in any stream; NULL like newest_event_at. Above 8 days, the stream counts as stopped, and other views leave it out of the horizon.';
