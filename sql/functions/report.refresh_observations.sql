-- The rows before a player's earliest touched row did not change. So where the stored first observation lies before it,
-- it stays, and the last one is the latest from there on, if there is any, or else the stored one if that lies before
-- it, too. Elsewhere all rows are read.
--
-- Retention drops rows and keeps their observations: a stored observation in a dropped month stays a candidate, unless
-- its file was undone or the user forgotten.
create or replace function report.refresh_observations() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := report.reporting_zone();
begin
  with recent as materialized (
    select r.player_id, r.purchased_at as observed_at, 1 as rank, r.source_file_id
      from staging.player_purchase r
      where r.is_observation
    union all
    select t.player_id, e.event_at, case e.kind when 'level_up' then 2 else 3 end, e.source_file_id
      from staging.touched_player t join staging.level_event e on e.player_id = t.player_id
      where e.event_at >= t.since and e.kind <> 'load_start'
  ), started as materialized (
    select t.player_id, t.since,
        t.since > '-infinity' and (o.first_observed_at >= t.since
          or o.last_observed_at >= t.since and not exists (
            select 1 from recent r where r.player_id = t.player_id)) as is_whole
      from staging.touched_player t left join report.first_observation o on o.player_id = t.player_id
  ), observed as (
    select * from recent
    union all
    select s.player_id, r.purchased_at, 1, r.source_file_id
      from started s
      -- OFFSET keeps the planner from reading the rows of all players.
      cross join lateral (select * from report.purchase_rollup r
        where r.player_id = s.player_id and r.purchased_at < s.since offset 0) r
      left join report.subscription_period_rollup p on p.payment_seq = r.payment_seq
      where s.is_whole and r.is_sandbox is not true
        and coalesce(p.period_kind not in ('renewal', 'resubscription', 'continued'), true)
    union all
    select s.player_id, e.event_at, case e.kind when 'level_up' then 2 else 3 end, e.source_file_id
      from started s
      cross join lateral (select * from report.level_event_rollup e
        where e.player_id = s.player_id and e.event_at < s.since and e.kind <> 'load_start' offset 0) e
      where s.is_whole
    union all
    -- The stored observations before the touched rows, and those in dropped months.
    select s.player_id, k.observed_at, k.rank, k.source_file_id
      from started s
      join report.first_observation o on o.player_id = s.player_id,
        lateral (values
          (o.first_observed_at, o.first_observed_in, o.first_source_file_id),
          (o.last_observed_at, o.last_observed_in, o.last_source_file_id)
        ) v (observed_at, stream, source_file_id),
        lateral (select v.observed_at,
          case v.stream when 'receipt' then 1 when 'level_up' then 2 else 3 end as rank, v.source_file_id) k
      where (not s.is_whole and v.observed_at < s.since
          or exists (
            select 1 from report.dropped_month m join ingest.source_file f on f.source_file_id = v.source_file_id
              where m.stream = v.stream and v.observed_at >= m.starts_at and v.observed_at < m.ends_at
                and v.source_file_id <= m.source_file_id and f.undone_at is null))
        and not exists (
          select 1 from staging.touched_row t
            where t.stream = 'forgotten' and t.app_id = o.app_id and t.user_id = o.user_id)
  ), ends as materialized (
    select f.player_id, f.observed_at as first_at, f.rank as first_rank, f.source_file_id as first_file,
        l.observed_at as last_at, l.rank as last_rank, l.source_file_id as last_file
      from (
        select distinct on (player_id) *
          from observed
          order by player_id, observed_at, rank, source_file_id
      ) f
      join (
        select distinct on (player_id) *
          from observed
          order by player_id, observed_at desc, rank, source_file_id
      ) l using (player_id)
  ), gone as (
    delete from report.first_observation o
      using started s
      where o.player_id = s.player_id and not exists (select 1 from ends e where e.player_id = s.player_id)
  )
  insert into report.first_observation as o (player_id, app_id, user_id, first_observed_at, first_observed_on,
      first_observed_in, first_source_file_id, last_observed_at, last_observed_on, last_observed_in,
      last_source_file_id)
    select e.player_id, p.app_id, p.user_id,
        e.first_at, (e.first_at at time zone zone)::date, n.names[e.first_rank], e.first_file,
        e.last_at, (e.last_at at time zone zone)::date, n.names[e.last_rank], e.last_file
      from ends e
      join report.player_rollup p using (player_id),
        (values (array['receipt', 'level_up', 'game_user'])) n (names)
    on conflict (app_id, user_id) do update
      set player_id = excluded.player_id, first_observed_at = excluded.first_observed_at,
        first_observed_on = excluded.first_observed_on, first_observed_in = excluded.first_observed_in,
        first_source_file_id = excluded.first_source_file_id, last_observed_at = excluded.last_observed_at,
        last_observed_on = excluded.last_observed_on, last_observed_in = excluded.last_observed_in,
        last_source_file_id = excluded.last_source_file_id
      where (o.player_id, o.first_observed_at, o.first_observed_on, o.first_observed_in, o.first_source_file_id,
          o.last_observed_at, o.last_observed_on, o.last_observed_in, o.last_source_file_id)
        is distinct from (excluded.player_id, excluded.first_observed_at, excluded.first_observed_on,
          excluded.first_observed_in, excluded.first_source_file_id, excluded.last_observed_at,
          excluded.last_observed_on, excluded.last_observed_in, excluded.last_source_file_id);

  -- The days that gain or lose a new user.
  insert into staging.touched_day (app_id, day)
    select t.app_id, d.day
      from staging.touched_player t left join report.first_observation o on o.player_id = t.player_id,
        lateral (values (t.first_observed_on), (o.first_observed_on)) d (day)
      where t.first_observed_on is distinct from o.first_observed_on and d.day is not null
    on conflict do nothing;
end
$$;
revoke execute on function report.refresh_observations from public;
comment on function report.refresh_observations is
  'Finds the first and the last observation of the touched players. Part of report.refresh.';
