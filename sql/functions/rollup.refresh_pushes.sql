-- The first seven days of a push are read again where one of them was touched, or where they begin at another time.
create or replace function rollup.refresh_pushes() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
-- With a nested loop the time would grow as the pushes times their events.
set enable_nestloop = off
as $$
declare
  -- In hours, because a day of an interval follows the clock of the session's zone: seven days.
  span constant interval := interval '168 hours';
  earliest timestamptz;
  latest timestamptz;
begin
  create temporary table counted_push on commit drop as
    select p.*
      from (
        select r.app_id, r.push_id, min(r.first_received_at) as first_received_at,
            coalesce(min(r.first_received_at), min(r.first_clicked_at)) as starts_at
          from rollup.push_day r
          where r.push_id is not null and r.app_id in (select t.app_id from pg_temp.touched_event_day t)
          group by r.app_id, r.push_id
      ) p
      left join rollup.push o on o.app_id = p.app_id and o.push_id = p.push_id
      where o.push_id is null
        or (o.first_received_at, o.starts_at) is distinct from (p.first_received_at, p.starts_at)
        or exists (
          select from pg_temp.touched_event_day t
            where t.app_id = p.app_id and t.day >= (p.starts_at at time zone 'UTC')::date - 1
              and t.day <= ((p.starts_at + span) at time zone 'UTC')::date + 1);
  select min(p.starts_at), max(p.starts_at) + span into earliest, latest from pg_temp.counted_push p;
  delete from rollup.push p
    where p.app_id in (select t.app_id from pg_temp.touched_event_day t)
      and (exists (select from pg_temp.counted_push c where c.app_id = p.app_id and c.push_id = p.push_id)
        or not exists (select from rollup.push_day r where r.app_id = p.app_id and r.push_id = p.push_id));
  insert into rollup.push (app_id, push_id, first_received_at, starts_at, received_user_count, clicked_user_count)
    -- Not one outer join, which would fetch all events of a distributed table.
    with counted as materialized (
      select p.app_id, p.push_id, count(distinct e.user_id) as received_user_count,
          count(distinct e.user_id) filter (where e.category = 'pushClickMessage') as clicked_user_count
        from pg_temp.counted_push p
        join game.event e
          on e.app_id = p.app_id and e.push_id = p.push_id and e.occurred_at >= p.starts_at
            and e.occurred_at < p.starts_at + span
        where e.category in ('pushReceivedMessage', 'pushClickMessage')
          and e.occurred_at >= earliest and e.occurred_at < latest
        group by p.app_id, p.push_id
    )
    select p.app_id, p.push_id, p.first_received_at, p.starts_at, coalesce(c.received_user_count, 0),
        coalesce(c.clicked_user_count, 0)
      from pg_temp.counted_push p
      left join counted c on c.app_id = p.app_id and c.push_id = p.push_id;
  drop table pg_temp.counted_push;
end
$$;

revoke execute on function rollup.refresh_pushes from public;

comment on function rollup.refresh_pushes is
  'Counts the users of the first seven days of the touched pushes. Part of rollup.refresh_event_days.';
