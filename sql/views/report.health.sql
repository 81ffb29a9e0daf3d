create or replace view report.health as
with open_failure as (
  select stream, count(*) as failure_count
  from report.open_failure
  group by stream
), pending as (
  -- Without an application: the files without an accepted line.
  select f.stream, a.app_id, count(*) as file_count, min(f.loaded_at) as first_loaded_at
  from ingest.source_file f
  join rollup.refresh_state r on r.stream = f.stream and r.source_file_id < f.source_file_id
  left join ingest.file_app a on a.source_file_id = f.source_file_id
  where f.undone_at is null
  group by f.stream, a.app_id
), limit_of_stream as (
  select
    s.stream,
    (select m.value::integer
      from report.setting m
      where m.name = 'max-age.' || s.stream or m.name = 'max-age' and s.stream not in ('event', 'item')
      order by length(m.name) desc
      limit 1) as max_hours_behind,
    (select m.value::integer
      from report.setting m
      where m.name in ('min-daily-lines.' || s.stream, 'min-daily-lines')
      order by length(m.name) desc
      limit 1) as min_daily_lines
  from ingest.stream s
), empty_file as (
  select stream, coalesce(app_id, '') as app_id, max(loaded_at) as newest_loaded_at
  from ingest.source_file
  where line_count = blank_count and undone_at is null
  group by stream, coalesce(app_id, '')
), feed as (
  select
    f.app_id,
    f.stream,
    f.newest_event_at,
    f.newest_loaded_at,
    f.hours_behind_now,
    f.hours_behind_app,
    max(f.newest_event_at) over (partition by f.app_id) as app_newest_event_at,
    greatest(coalesce(f.newest_event_at, f.newest_loaded_at), e.newest_loaded_at) as news_at,
    l.max_hours_behind,
    l.min_daily_lines
  from report.freshness f
  join limit_of_stream l on l.stream = f.stream
  left join empty_file e on e.stream = f.stream and e.app_id = f.app_id
), missing as (
  select f.app_id, f.stream, count(*) as day_count
  from feed f
  join rollup.horizon h on h.stream = f.stream and h.app_id = f.app_id
  cross join lateral (
    select g.median_line_count
    from report.calendar_gap g
    where g.stream = h.stream and g.app_id = h.app_id and g.day >= h.newest_on - 14 and g.day < h.newest_on
      and g.is_missing
    -- Keeps the medians of older days from being computed.
    offset 0
  ) g
  where g.median_line_count >= f.min_daily_lines
  group by f.app_id, f.stream
), counted as (
  select
    f.app_id,
    f.stream,
    f.newest_event_at,
    f.hours_behind_now,
    f.hours_behind_app,
    f.max_hours_behind,
    f.newest_loaded_at,
    coalesce(m.day_count, 0) as missing_day_count,
    coalesce(o.failure_count, 0) as open_failure_count,
    coalesce(p.file_count, 0) as pending_file_count,
    (select count(*) from rollup.set_aside_player s where s.app_id = f.app_id and f.stream = any (s.streams))
      as set_aside_count,
    -- In hours, because a session's time zone can have a day of 23 hours.
    coalesce(now() - f.news_at > f.max_hours_behind * interval '1 hour', false) as is_late,
    coalesce(f.newest_event_at < f.app_newest_event_at - interval '192 hours', false) as is_stopped,
    f.news_at,
    p.first_loaded_at as pending_since
  from feed f
  left join missing m on m.app_id = f.app_id and m.stream = f.stream
  left join open_failure o on o.stream = f.stream
  left join pending p on p.stream = f.stream and p.app_id = f.app_id
  union all
  select
    null, k.stream, null, null, null, null, null, 0, coalesce(o.failure_count, 0), coalesce(p.file_count, 0), 0,
    false, false, null, p.first_loaded_at
  from (
    select stream from open_failure
    union
    select stream from pending where app_id is null
  ) k
  left join open_failure o on o.stream is not distinct from k.stream
  left join pending p on p.stream = k.stream and p.app_id is null
), judged as (
  select
    c.*,
    round(extract(epoch from now() - c.news_at)::numeric(20, 6) / 3600, 2)::numeric(14, 2) as news_hours,
    round(extract(epoch from now() - c.pending_since)::numeric(20, 6) / 3600, 2)::numeric(14, 2) as pending_hours,
    case
      when now() - c.pending_since > interval '1 hour' then 'not_refreshed'
      when c.open_failure_count > 0 then 'failed'
      when c.missing_day_count > 0 then 'incomplete'
      when c.is_stopped then 'stopped'
      when c.is_late then 'late'
      else 'ok' end as verdict
  from counted c
)
select
  j.app_id,
  j.stream,
  j.verdict,
  case j.verdict
    when 'not_refreshed' then 'Loaded files are missing in the reports: ' || j.pending_file_count
      || ', the oldest of them loaded ' || j.pending_hours || ' hours ago.'
    when 'failed' then 'Files of the stream failed and were neither loaded nor dismissed since: '
      || j.open_failure_count || '.'
    when 'incomplete' then 'Days without a line among the 14 days before the newest event: ' || j.missing_day_count
      || '.'
    when 'stopped' then 'The newest event is ' || j.hours_behind_app
      || ' hours behind the newest event of the application; 192 are allowed.'
    else case
      when j.news_at is null then 'No file of the stream failed; loaded files that are missing in the reports: '
        || j.pending_file_count || '.'
      else 'The newest event' || case when j.news_at is distinct from j.newest_event_at then ' or load' else '' end
        || ' is ' || j.news_hours || ' hours old'
        || coalesce('; ' || j.max_hours_behind || ' are allowed', '') || '.' end
    end as reason,
  j.newest_event_at,
  j.hours_behind_now::numeric(12, 2) as hours_behind_now,
  j.max_hours_behind,
  j.newest_loaded_at,
  j.missing_day_count,
  j.open_failure_count,
  j.pending_file_count,
  j.set_aside_count,
  j.news_hours as hours_without_news
from judged j;

comment on view report.health is
  'One row per application and stream with an accepted line, and one with app_id NULL per stream with an open failure or with a pending file that has no accepted line. Says whether the reports can be trusted, at this moment: it goes by the clock of the server and by the ledger, but missing_day_count and set_aside_count are of the last refresh.';
comment on column report.health.app_id is 'The application, empty when unknown; NULL for what belongs to no application.';
comment on column report.health.stream is 'The stream; NULL for failed files whose stream is unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.health.verdict is 'ok, late (no news for more than max_hours_behind), stopped (more than 192 hours behind the application''s newest event of any stream), incomplete (missing_day_count above 0), failed (open_failure_count above 0) or not_refreshed (a pending file was loaded more than an hour ago). Where several hold, the last of this list. News is the newest event, or the load of the newest empty file that was loaded for this application, the later of both; the newest load where a stream has no event. A file loaded without an application counts as one of the empty application.';
comment on column report.health.reason is 'The verdict in one sentence with its figures.';
comment on column report.health.newest_event_at is 'Time of the newest event, as in report.freshness; NULL without an event and with app_id NULL.';
comment on column report.health.hours_behind_now is 'Hours from newest_event_at to now; NULL like newest_event_at.';
comment on column report.health.max_hours_behind is 'Hours without news that the settings allow: max-age.STREAM, else max-age. NULL where a stream is never late: for event and item without a setting of their own, and with app_id NULL.';
comment on column report.health.newest_loaded_at is 'Load time of the newest file with an accepted line of the application in the stream; NULL with app_id NULL.';
comment on column report.health.missing_day_count is 'Days without a line among the 14 days before the day of the newest event, from the day of the first event on, as of the last refresh. A day counts only where the median of its weekday is at least the setting min-daily-lines.STREAM, else min-daily-lines.';
comment on column report.health.open_failure_count is 'Open failures of the stream, of all applications; see report.open_failure. They do not add up over rows.';
comment on column report.health.pending_file_count is 'Files loaded and not in the reports, with an accepted line of the application; with app_id NULL, those without an accepted line. Files do not add up over applications.';
comment on column report.health.set_aside_count is 'Players set aside with a stored row in the stream, or in a file of the stream, as of the last refresh; see report.set_aside_player. Players do not add up over rows.';
comment on column report.health.hours_without_news is 'Hours from the newest news to now, which the verdict late compares with max_hours_behind; NULL with app_id NULL.';
