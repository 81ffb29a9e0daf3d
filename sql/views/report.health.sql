create or replace view report.health as
with known_app as (
  select case when min(app_id) = max(app_id) then min(app_id) end as only_app_id from rollup.app_horizon
), failure as (
  -- For each application that a failure belongs to; NULL where none is known.
  select f.stream, coalesce(f.app_id, k.only_app_id) as app_id, f.path
  from report.open_failure f
  cross join known_app k
  where f.kind in ('failed', 'missing')
  union
  select f.stream, a.app_id, f.path
  from report.open_failure f
  join ingest.undone_file u on u.stream = f.stream and u.path = f.path and u.dismissed_at is null
  left join ingest.file_app a on a.source_file_id = u.source_file_id
  where f.kind = 'undone'
), failure_of_stream as (
  select stream, count(distinct path) filter (where app_id is null) as unknown_count, count(distinct path) as failure_count
  from failure
  group by stream
), failure_of_app as (
  select stream, app_id, count(*) as failure_count from failure where app_id is not null group by stream, app_id
), pending as (
  -- Without an application: the files without an accepted line.
  select f.stream, a.app_id, count(*) as file_count, min(f.loaded_at) as first_loaded_at
  from ingest.source_file f
  join rollup.refresh_state r on r.stream = f.stream and r.source_file_id < f.source_file_id
  left join ingest.file_app a on a.source_file_id = f.source_file_id
  where f.undone_at is null
  group by f.stream, a.app_id
), open_day as (
  select app_id, stream, count(*) filter (where kind = 'incomplete') as missing_day_count,
    count(*) filter (where kind = 'implausible') as implausible_day_count
  from ingest.open_day
  group by app_id, stream
), open_conflict as (
  select l.app_id, l.stream, count(*) as line_count
  from rollup.conflict_line l
  where exists (
    select from ingest.conflict c
    where c.source_file_id = l.source_file_id and c.line_number = l.line_number and c.stream = l.stream
      and c.acceptance_id is null)
  group by l.app_id, l.stream
), empty_file as (
  select stream, coalesce(app_id, '') as app_id, max(loaded_at) as newest_loaded_at
  from ingest.source_file
  where line_count = blank_count and undone_at is null
  group by stream, coalesce(app_id, '')
), age as (
  select right(name, -length('max-age.')) as subject, value::integer as hours from ingest.setting where name like 'max-age.%'
), feed as (
  select
    coalesce(f.app_id, x.app_id) as app_id,
    coalesce(f.stream, x.stream) as stream,
    f.newest_event_at,
    f.newest_loaded_at,
    f.hours_behind_now,
    f.hours_behind_app,
    max(f.newest_event_at) over (partition by f.app_id) as app_newest_event_at,
    coalesce(x.failure_count, 0) as own_failure_count
  from report.freshness f
  full join failure_of_app x on x.stream = f.stream and x.app_id = f.app_id
), counted as (
  select
    f.*,
    l.max_hours_behind,
    coalesce(d.missing_day_count, 0) as missing_day_count,
    coalesce(d.implausible_day_count, 0) as implausible_day_count,
    f.own_failure_count + coalesce(s.unknown_count, 0) as open_failure_count,
    coalesce(c.line_count, 0) as open_conflict_count,
    coalesce(p.file_count, 0) as pending_file_count,
    p.first_loaded_at as pending_since,
    (select count(*) from rollup.set_aside_player s where s.app_id = f.app_id and f.stream = any (s.streams))
      as set_aside_count,
    coalesce(f.newest_event_at < f.app_newest_event_at - interval '192 hours', false) as is_stopped,
    greatest(coalesce(f.newest_event_at, f.newest_loaded_at), e.newest_loaded_at) as news_at
  from feed f
  left join open_day d on d.app_id = f.app_id and d.stream = f.stream
  left join failure_of_stream s on s.stream = f.stream
  left join open_conflict c on c.app_id = f.app_id and c.stream = f.stream
  left join pending p on p.stream = f.stream and p.app_id = f.app_id
  left join lateral (
    -- An empty file is news where so few lines come that a day can be without one.
    select e.newest_loaded_at
    from empty_file e
    where e.stream = f.stream and e.app_id = f.app_id and not exists (
      select from (
        select g.median_line_count
        from report.calendar_gap g
        where g.stream = f.stream and g.app_id = f.app_id
          -- A value and no join, so that the medians of other days are not computed.
          and g.day = (select h.newest_on from rollup.horizon h where h.stream = f.stream and h.app_id = f.app_id)
        offset 0
      ) g
      where g.median_line_count >= (
        select m.value::integer
        from report.setting m
        where m.name in ('min-daily-lines.' || f.stream, 'min-daily-lines')
        order by length(m.name) desc
        limit 1))
  ) e on true
  cross join lateral (
    select coalesce(
      case when not exists (select from ingest.stream s where s.stream = f.app_id)
        and f.stream not in ('event', 'item') then (select a.hours from age a where a.subject = f.app_id) end,
      (select a.hours from age a where a.subject = f.stream),
      case when f.stream not in ('event', 'item') then (
        select m.value::integer from report.setting m where m.name = 'max-age') end) as max_hours_behind
  ) l
  union all
  select
    null, k.stream, null, null, null, null, null, 0, null, 0, 0, coalesce(s.unknown_count, 0), 0,
    coalesce(p.file_count, 0), p.first_loaded_at, 0, false, null
  from (
    select stream from failure_of_stream where unknown_count > 0
    union
    select stream from pending where app_id is null
  ) k
  left join failure_of_stream s on s.stream is not distinct from k.stream
  left join pending p on p.stream = k.stream and p.app_id is null
), judged as (
  select
    c.*,
    round(extract(epoch from now() - c.news_at)::numeric(20, 6) / 3600, 2)::numeric(14, 2) as news_hours,
    round(extract(epoch from now() - c.pending_since)::numeric(20, 6) / 3600, 2)::numeric(14, 2) as pending_hours,
    -- In hours, because a session's time zone can have a day of 23 hours.
    case
      when now() - c.pending_since > interval '1 hour' then 'not_refreshed' end as worst,
    case
      when c.implausible_day_count > 0 then 'implausible'
      when c.missing_day_count > 0 then 'incomplete'
      when c.is_stopped then 'stopped'
      when now() - c.news_at > c.max_hours_behind * interval '1 hour' then 'late'
      else 'ok' end as best
  from counted c
), named as (
  select
    j.*,
    coalesce(j.worst, case when j.open_failure_count > 0 then 'failed' end, j.best) as verdict,
    coalesce(j.worst, case when j.own_failure_count > 0 then 'failed' end, j.best) as own_verdict
  from judged j
)
select
  n.app_id,
  n.stream,
  n.verdict,
  n.own_verdict,
  case n.verdict
    when 'not_refreshed' then 'Loaded files are missing in the reports: ' || n.pending_file_count
      || ', the oldest of them loaded ' || n.pending_hours || ' hours ago.'
    when 'failed' then 'Files failed, are missing or were undone, and were neither loaded nor dismissed since: '
      || n.open_failure_count || '.'
    when 'implausible' then 'Days whose figures are far from those of other days: ' || n.implausible_day_count || '.'
    when 'incomplete' then 'Days without a line: ' || n.missing_day_count || '.'
    when 'stopped' then 'The newest event is ' || n.hours_behind_app
      || ' hours behind the newest event of the application; 192 are allowed.'
    else case
      when n.news_at is null then 'No file failed; loaded files that are missing in the reports: '
        || n.pending_file_count || '.'
      else 'The newest event' || case when n.news_at is distinct from n.newest_event_at then ' or load' else '' end
        || ' is ' || n.news_hours || ' hours old'
        || coalesce('; ' || n.max_hours_behind || ' are allowed', '') || '.' end
    end as reason,
  n.newest_event_at,
  n.hours_behind_now::numeric(12, 2) as hours_behind_now,
  n.max_hours_behind,
  n.newest_loaded_at,
  n.missing_day_count,
  n.implausible_day_count,
  n.open_failure_count,
  n.open_conflict_count,
  n.pending_file_count,
  n.set_aside_count
from named n;

comment on view report.health is
  'One row per application and stream with an accepted line or an open failure of its own, and one with app_id NULL per stream with an open failure of no known application or with a pending file that has no accepted line. Says whether the reports can be trusted, at this moment: it goes by the clock of the server and by the ledger; the counts of days, conflicts and players are of the last refresh.';
comment on column report.health.app_id is 'The application, empty when unknown; NULL for what belongs to no application.';
comment on column report.health.stream is 'The stream; NULL for failed files whose stream is unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.health.verdict is 'ok, late (no news for more than max_hours_behind), stopped (more than 192 hours behind the application''s newest event of any stream), incomplete (missing_day_count above 0), implausible (implausible_day_count above 0), failed (open_failure_count above 0) or not_refreshed (a pending file was loaded more than an hour ago). Where several hold, the last of this list. News is the newest event; or the load of the newest empty file for this application, the later of both, where a usual day has fewer lines than the setting min-daily-lines; or the newest load where a stream has no event. A file loaded without an application counts as one of the empty application.';
comment on column report.health.own_verdict is 'The same, without failures whose application is unknown: the verdict for those who answer for one application.';
comment on column report.health.reason is 'The verdict in one sentence with its figures.';
comment on column report.health.newest_event_at is 'Time of the newest event, as in report.freshness; NULL without an event and with app_id NULL.';
comment on column report.health.max_hours_behind is 'Hours without news that the settings allow: max-age.APPLICATION, else max-age.STREAM, else max-age; for event and item only that of the stream. NULL where a stream is never late, and with app_id NULL.';
comment on column report.health.newest_loaded_at is 'Load time of the newest file with an accepted line of the application in the stream; NULL without one and with app_id NULL.';
comment on column report.health.missing_day_count is 'Open days without a line, as of the last refresh: days among the 14 before that of the newest event, from the first event on, whose weekday''s median is at least the setting min-daily-lines.STREAM, else min-daily-lines. They stay open until a line or a dismissal comes; see report.open_failure.';
comment on column report.health.implausible_day_count is 'Open days with far fewer or far more lines than usual, or with an amount in another unit, as of the last refresh; see report.open_failure.';
comment on column report.health.open_failure_count is 'Open failures of files and paths of the stream that belong to the application or to no known one; see report.open_failure. They do not add up over rows.';
comment on column report.health.open_conflict_count is 'Lines with a conflict that is neither accepted nor undone, as of the last refresh. They change no verdict.';
comment on column report.health.pending_file_count is 'Files loaded and not in the reports, with an accepted line of the application; with app_id NULL, those without an accepted line. Files do not add up over applications.';
comment on column report.health.set_aside_count is 'Players set aside with a stored row in the stream, or in a file of the stream, as of the last refresh; see report.set_aside_player. Players do not add up over rows.';
