create or replace function rollup.trust_horizons() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  with feed as (
    select a.app_id, s.stream, s.is_receipt, h.newest_event_at,
        least(h.newest_event_at, (
          select min(c.starts_at)
            from ingest.open_day d
            join rollup.calendar_period c on c.period = 'day' and c.period_start = d.day
            where d.app_id = a.app_id and d.stream = s.stream)) as trusted_at,
        max(h.newest_event_at) over (partition by a.app_id) as newest_at
      from (
        select * from rollup.app_horizon a
          where a.app_id in (select d.app_id from ingest.open_day d)
            or (a.receipt_trusted_at, a.trusted_at) is distinct from (a.receipt_newest_at, a.horizon_at)
      ) a
      cross join lateral (values ('level_up', false), ('game_user', false),
        (case a.receipt_feed when 'files' then 'receipt' else 'event' end, true)) s (stream, is_receipt)
      join rollup.horizon h on h.app_id = a.app_id and h.stream = s.stream and h.newest_event_at is not null
  ), trusted as (
    select f.app_id, min(f.trusted_at) filter (where f.is_receipt) as receipt_at,
        -- In hours, because a session's time zone can have a day of 23 hours.
        min(f.trusted_at) filter (where f.newest_event_at >= f.newest_at - interval '192 hours') as all_at
      from feed f
      group by f.app_id
  )
  update rollup.app_horizon a set receipt_trusted_at = t.receipt_at, trusted_at = t.all_at
    from trusted t
    where t.app_id = a.app_id
      and (a.receipt_trusted_at, a.trusted_at) is distinct from (t.receipt_at, t.all_at);
$$;
comment on function rollup.trust_horizons is
  'Ends the trusted horizons of the applications at the beginning of their first open day. Part of a refresh and of ingest.dismiss_failures.';
