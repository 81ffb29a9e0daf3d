-- Each step of the loops counts days without a gap between them. The bounds in UTC let the months and an index find the
-- rows; the day in the reporting zone decides.
--
-- A further figure of events is a table that both lists of deletions name, and an insert in the loop.
create or replace function rollup.refresh_event_days(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  zone constant text := rollup.reporting_zone();
  part record;
  nested_loops constant text := current_setting('enable_nestloop');
begin
  delete from pg_temp.touched_event_day;
  if p_is_full then
    delete from rollup.event_day;
    delete from rollup.push_day;
    delete from rollup.push;
    delete from rollup.idp_revocation_day;
    delete from rollup.kickout_day;
    insert into pg_temp.touched_event_day (app_id, day)
      select distinct e.app_id, (e.occurred_at at time zone zone)::date from game.event e;
  else
    insert into pg_temp.touched_event_day (app_id, day)
      select distinct t.app_id, (t.event_at at time zone zone)::date
        from pg_temp.touched_row t
        where t.stream = 'event';
  end if;

  delete from rollup.event_day r using pg_temp.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  delete from rollup.push_day r using pg_temp.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  delete from rollup.idp_revocation_day r
    using pg_temp.touched_event_day t
    where r.app_id = t.app_id and r.day = t.day;
  delete from rollup.kickout_day r using pg_temp.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  analyze pg_temp.touched_event_day;
  -- With a nested loop the time would grow as the days times their events.
  perform set_config('enable_nestloop', 'off', true);
  for part in
    select min(d.day) as first_day, max(d.day) as last_day,
        (min(d.day) - 1)::timestamp at time zone 'UTC' as starts_after,
        (max(d.day) + 2)::timestamp at time zone 'UTC' as ends_before
      from (
        select day, day - row_number() over (order by day)::integer as island
          from (select distinct day from pg_temp.touched_event_day) t
      ) d
      group by d.island
  loop
    insert into rollup.event_day (day, app_id, category, event_group, code, event_count, user_count)
      select t.day, t.app_id, e.category, e.event_group, e.code, count(*), count(distinct e.user_id)
        from game.event e
        join pg_temp.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
        group by t.day, t.app_id, e.category, e.event_group, e.code;
    insert into rollup.push_day (day, app_id, push_id, received_count, received_user_count, clicked_count,
        clicked_user_count, action_count, open_app_count, open_url_count, reply_count, dismiss_count,
        first_received_at, first_clicked_at)
      select t.day, t.app_id, e.push_id,
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
        from game.event e
        join pg_temp.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
          and e.category in ('pushReceivedMessage', 'pushClickMessage', 'pushClickAction')
        group by t.day, t.app_id, e.push_id;
    insert into rollup.idp_revocation_day (day, app_id, idp_type, code, event_count, user_count)
      select t.day, t.app_id, e.idp_type, e.code, count(*), count(distinct e.user_id)
        from game.event e
        join pg_temp.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day and e.category = 'idPRevoked'
        group by t.day, t.app_id, e.idp_type, e.code;
    insert into rollup.kickout_day (day, app_id, kind, message_count, message_user_count, close_count, close_user_count)
      select t.day, t.app_id, case e.category when 'serverPushTransferKickout' then 'transfer' else 'app' end as kind,
          count(*) filter (where e.category <> 'serverPushAppKickout'),
          count(distinct e.user_id) filter (where e.category <> 'serverPushAppKickout'),
          count(*) filter (where e.category = 'serverPushAppKickout'),
          count(distinct e.user_id) filter (where e.category = 'serverPushAppKickout')
        from game.event e
        join pg_temp.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
          and e.category in
            ('serverPushAppKickoutMessageReceived', 'serverPushTransferKickout', 'serverPushAppKickout')
        group by t.day, t.app_id, kind;
  end loop;
  perform set_config('enable_nestloop', nested_loops, true);
  perform rollup.refresh_pushes();
end
$$;
revoke execute on function rollup.refresh_event_days from public;
comment on function rollup.refresh_event_days is
  'Counts the events of the touched days again. Part of rollup.finish_refresh.';
