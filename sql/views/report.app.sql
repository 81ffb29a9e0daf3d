create or replace view report.app as
select
  a.app_id,
  h.first_event_at,
  h.newest_event_at,
  coalesce(p.player_count, 0) as player_count,
  a.receipt_feed
from (
  select app_id, min(first_event_at) as first_event_at, max(newest_event_at) as newest_event_at
  from rollup.horizon
  group by app_id
) h
join rollup.app_horizon a on a.app_id = h.app_id
left join (
  select app_id, count(*) as player_count
  from rollup.player
  group by app_id
) p on p.app_id = h.app_id;

comment on view report.app is
  'One row per application with an accepted line in a loaded file, as of the last refresh.';
comment on column report.app.first_event_at is 'Time of the first event in any of the five streams; NULL when no accepted line has a time of its own.';
comment on column report.app.newest_event_at is 'Time of the newest event in any of the five streams; NULL like first_event_at.';
comment on column report.app.player_count is 'Players of the application: the rows of report.player. Players do not add up over applications.';
comment on column report.app.receipt_feed is 'The files that money views follow: files for receipt files, events for files of events. See the setting receipt-feed.';
