create or replace view rollup.app_horizon as
with horizon as (
  select
    app_id,
    stream,
    min(first_event_at) as first_event_at,
    max(newest_event_at) as newest_event_at
  from rollup.stream_day
  where stream in ('receipt', 'level_up', 'game_user')
  group by app_id, stream
), newest as (
  select app_id, max(newest_event_at) as newest_event_at
  from horizon
  group by app_id
)
select
  h.app_id,
  min(h.first_event_at) filter (where h.stream = 'receipt') as receipt_first_at,
  max(h.newest_event_at) filter (where h.stream = 'receipt') as receipt_newest_at,
  min(h.first_event_at) as first_at,
  -- In hours, because a session's time zone can have a day of 23 hours.
  min(h.newest_event_at) filter (where h.newest_event_at >= n.newest_event_at - interval '192 hours')
    as horizon_at,
  max(h.newest_event_at) as newest_at
from horizon h
join newest n on n.app_id = h.app_id
group by h.app_id;

comment on view rollup.app_horizon is
  'One row per application with an event in the streams receipt, level_up or game_user, as of the last refresh. The other views take from it which periods are complete.';
comment on column rollup.app_horizon.app_id is 'The application; empty when unknown.';
comment on column rollup.app_horizon.receipt_first_at is 'Time of the first purchase; NULL without receipts.';
comment on column rollup.app_horizon.receipt_newest_at is 'Time of the newest purchase; NULL without receipts.';
comment on column rollup.app_horizon.first_at is 'Time of the first event in any of the streams.';
comment on column rollup.app_horizon.horizon_at is 'The smallest of the streams'' newest event times. A stream more than 8 days behind the newest one counts as stopped and is left out.';
comment on column rollup.app_horizon.newest_at is 'Time of the newest event in any of the streams.';
