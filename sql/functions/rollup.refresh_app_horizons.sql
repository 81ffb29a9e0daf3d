-- The table is small, and is made again each time.
create or replace function rollup.refresh_app_horizons() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  delete from rollup.app_horizon;
  insert into rollup.app_horizon (app_id, receipt_feed, receipt_first_at, receipt_newest_at, money_first_at,
      money_newest_at, first_at, observed_first_at, observed_newest_at, receipt_trusted_at, trusted_at)
    with receipt as (
      select s.app_id, min(s.first_event_at) as first_at, max(s.newest_event_at) as newest_at
        from rollup.stream_day s
        where s.stream = 'receipt'
        group by s.app_id
    ), observed as (
      select p.app_id, min(c.starts_at) as first_at, max(c.starts_at) as newest_at
        from rollup.player_period p
        join rollup.calendar_period c on c.period = 'day' and c.period_start = p.period_start
        where p.period = 'day' and p.observed_user_count > 0
        group by p.app_id
    ), app as (
      select k.app_id, coalesce(nullif((
            select s.value
              from ingest.setting s
              where s.name in ('receipt-feed', 'receipt-feed.' || k.app_id)
              order by length(s.name) desc
              limit 1), 'auto'),
          case when exists (select from rollup.horizon h where h.app_id = k.app_id and h.stream = 'receipt')
            then 'files' else 'events' end) as receipt_feed
        from (
          select app_id from rollup.horizon union select app_id from receipt union select app_id from observed
        ) k
    ), followed as (
      select a.app_id, a.receipt_feed, h.stream not in ('level_up', 'game_user') as is_receipt, h.first_event_at,
          h.newest_event_at, max(h.newest_event_at) over (partition by a.app_id) as newest_at,
          least(h.newest_event_at, (
            select min(c.starts_at)
              from ingest.open_day d
              join rollup.calendar_period c on c.period = 'day' and c.period_start = d.day
              where d.app_id = h.app_id and d.stream = h.stream)) as trusted_at
        from app a
        join rollup.horizon h on h.app_id = a.app_id
          and h.stream in ('level_up', 'game_user', case a.receipt_feed when 'files' then 'receipt' else 'event' end)
        where h.newest_event_at is not null
    )
    select a.app_id, a.receipt_feed,
        min(f.first_event_at) filter (where f.is_receipt),
        max(f.newest_event_at) filter (where f.is_receipt),
        least(min(f.first_event_at) filter (where f.is_receipt), min(r.first_at)),
        greatest(max(f.newest_event_at) filter (where f.is_receipt), max(r.newest_at)),
        min(f.first_event_at),
        least(min(f.first_event_at), min(o.first_at)),
        greatest(max(f.newest_at), max(o.newest_at)),
        min(f.trusted_at) filter (where f.is_receipt),
        -- In hours, because a session's time zone can have a day of 23 hours.
        min(f.trusted_at) filter (where f.newest_event_at >= f.newest_at - interval '192 hours')
      from app a
      left join followed f on f.app_id = a.app_id
      left join receipt r on r.app_id = a.app_id
      left join observed o on o.app_id = a.app_id
      group by a.app_id, a.receipt_feed;
$$;
comment on function rollup.refresh_app_horizons is
  'Takes the horizons of the applications from those of the feeds, with the feed that money views follow, and ends the trusted ones at the beginning of the first open day. Part of a refresh and of ingest.dismiss_failures.';
