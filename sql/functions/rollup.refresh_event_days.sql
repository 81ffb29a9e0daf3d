-- Each step of the loop counts days of one month. The bounds in UTC let the months and an index find the rows; the day in
-- the reporting zone decides. The first seven days of a push are counted again where one of them was touched.
--
-- A further figure of events is a table in the list, and an insert in the loop.
create or replace function rollup.refresh_event_days(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
-- With a nested loop the time would grow as the days or pushes times their events.
set enable_nestloop = off
as $$
declare
  touched_apps constant text[] := array(select distinct t.app_id from pg_temp.touched_day t where t.stream = 'event');
  -- In hours, because a day of an interval follows the clock of the session's zone: seven days.
  span constant interval := interval '168 hours';
  counted text;
  days record;
  earliest timestamptz;
  latest timestamptz;
begin
  foreach counted in array array['event_day', 'push_day', 'idp_revocation_day', 'kickout_day'] loop
    execute format(
      'delete from rollup.%I r
         where $1 or r.day = any (array(select t.day from pg_temp.touched_day t where t.stream = ''event''))
           and exists (
             select from pg_temp.touched_day t where t.stream = ''event'' and t.app_id = r.app_id and t.day = r.day)',
      counted) using p_is_full;
  end loop;
  for days in
    select min(t.day) as first_day, max(t.day) as last_day
      from pg_temp.touched_day t
      where t.stream = 'event'
      group by date_trunc('month', t.day::timestamp)
  loop
    execute format(
      'create temporary view event_of_day as
         select t.day, e.*
           from game.event e
           join pg_temp.touched_day t
             on t.stream = ''event'' and t.app_id = e.app_id and t.day = (e.occurred_at at time zone %L)::date
           where e.occurred_at >= %L and e.occurred_at < %L and t.day between %L and %L',
      rollup.reporting_zone(), (days.first_day - 1)::timestamp at time zone 'UTC',
      (days.last_day + 2)::timestamp at time zone 'UTC', days.first_day, days.last_day);
    insert into rollup.event_day
      select e.day, e.app_id, e.category, e.event_group, e.code, count(*), count(distinct e.user_id)
        from pg_temp.event_of_day e
        group by e.day, e.app_id, e.category, e.event_group, e.code;
    insert into rollup.push_day
      select e.day, e.app_id, e.push_id,
          count(*) filter (where e.category = 'pushReceivedMessage'),
          count(distinct e.user_id) filter (where e.category = 'pushReceivedMessage'),
          count(*) filter (where e.category = 'pushClickMessage'),
          count(distinct e.user_id) filter (where e.category = 'pushClickMessage'),
          count(*) filter (where e.category = 'pushClickAction'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'OPEN_APP'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'OPEN_URL'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'REPLY'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'DISMISS'),
          min(e.occurred_at) filter (where e.category = 'pushReceivedMessage'),
          min(e.occurred_at) filter (where e.category = 'pushClickMessage')
        from pg_temp.event_of_day e
        where e.category in ('pushReceivedMessage', 'pushClickMessage', 'pushClickAction')
        group by e.day, e.app_id, e.push_id;
    insert into rollup.idp_revocation_day
      select e.day, e.app_id, e.idp_type, e.code, count(*), count(distinct e.user_id)
        from pg_temp.event_of_day e
        where e.category = 'idPRevoked'
        group by e.day, e.app_id, e.idp_type, e.code;
    insert into rollup.kickout_day
      select e.day, e.app_id, case e.category when 'serverPushTransferKickout' then 'transfer' else 'app' end as kind,
          count(*) filter (where e.category <> 'serverPushAppKickout'),
          count(distinct e.user_id) filter (where e.category <> 'serverPushAppKickout'),
          count(*) filter (where e.category = 'serverPushAppKickout'),
          count(distinct e.user_id) filter (where e.category = 'serverPushAppKickout')
        from pg_temp.event_of_day e
        where e.category in
          ('serverPushAppKickoutMessageReceived', 'serverPushTransferKickout', 'serverPushAppKickout')
        group by e.day, e.app_id, kind;
    drop view pg_temp.event_of_day;
  end loop;

  create temporary table counted_push on commit drop as
    select p.*
      from (
        select r.app_id, r.push_id, min(r.first_received_at) as first_received_at,
            coalesce(min(r.first_received_at), min(r.first_clicked_at)) as starts_at
          from rollup.push_day r
          where r.push_id is not null and r.app_id = any (touched_apps)
          group by r.app_id, r.push_id
      ) p
      left join rollup.push o on o.app_id = p.app_id and o.push_id = p.push_id
      where p.starts_at is null or exists (
        select from pg_temp.touched_day t
          where t.stream = 'event' and t.app_id = p.app_id
            and t.day >= (least(p.starts_at, o.starts_at) at time zone 'UTC')::date - 1
            and t.day <= ((greatest(p.starts_at, o.starts_at) + span) at time zone 'UTC')::date + 1);
  select min(p.starts_at), max(p.starts_at) + span into earliest, latest from pg_temp.counted_push p;
  delete from rollup.push p
    where p_is_full or p.app_id = any (touched_apps)
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
comment on function rollup.refresh_event_days is
  'Counts the events of the touched days again, and the users of the first seven days of the touched pushes. Part of rollup.finish_refresh.';
