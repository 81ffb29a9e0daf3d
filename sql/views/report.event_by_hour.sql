-- Each hour counts its events by time. The files of the last refresh keep it at the state of the other views, but for a
-- user that a later file fills: the event then has a user, and nothing tells since when.
create or replace view report.event_by_hour as
select
  h.hour,
  h.app_id,
  e.category collate "C" as category,
  e.event_group collate "C" as event_group,
  e.code,
  e.event_count,
  e.user_count
from (
  select a.app_id, s.hour, r.source_file_id as newest_file_id
    from (
      -- Not the horizon: the clock of a client can be fast.
      select app_id, min(first_event_at) as first_event_at, max(newest_event_at) as newest_event_at
        from rollup.stream_day
        where stream = 'event'
        group by app_id
    ) a
    join rollup.refresh_state r on r.stream = 'event'
    cross join lateral generate_series(
      date_bin(interval '1 hour', a.first_event_at, timestamptz '2000-01-01 00:00Z'), a.newest_event_at,
      interval '1 hour') s (hour)
) h
cross join lateral rollup.events_of_hour(h.app_id, h.hour, h.newest_file_id) e;

comment on view report.event_by_hour is
  'One row per hour, application, category, group and code of events. Whole hours of UTC, in any reporting zone. Filter by app_id and hour: the view counts single events. Users do not add up over rows.';
comment on column report.event_by_hour.user_count is 'Known users of the events; an event without a user counts for none. A user that a later file fills counts at once, before the next refresh.';
