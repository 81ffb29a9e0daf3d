create or replace view report.horizon as
select
  app_id,
  stream,
  min(first_event_at) as first_event_at,
  max(newest_event_at) as newest_event_at
from rollup.standing_file
where newest_event_at is not null
group by app_id, stream;

comment on view report.horizon is
  'One row per application and stream with an event: a stored row with a time of its own, sandbox included. Files loaded since the last refresh are included.';
comment on column report.horizon.app_id is 'The application; empty when unknown.';
comment on column report.horizon.stream is 'The stream.';
comment on column report.horizon.first_event_at is 'Time of the first event.';
comment on column report.horizon.newest_event_at is 'Time of the newest event: the horizon of the application in the stream.';
