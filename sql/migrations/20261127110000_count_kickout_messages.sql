-- One kick-out can bring a message and a closed popup. Which of them belong together is a guess, so both are counted and
-- none is left out.
drop view if exists report.kickout_by_day;
alter table rollup.kickout_day rename column kickout_count to message_count;
alter table rollup.kickout_day rename column user_count to message_user_count;
alter table rollup.kickout_day
  add column close_count bigint not null default 0,
  add column close_user_count bigint not null default 0;
comment on column rollup.kickout_day.message_count is 'Messages of a kick-out that clients received.';
comment on column rollup.kickout_day.message_user_count is 'Known users of these messages.';
comment on column rollup.kickout_day.close_count is 'Closed popups of kick-outs from the console.';
comment on column rollup.kickout_day.close_user_count is 'Known users of these popups.';

delete from rollup.kickout_day;
insert into rollup.kickout_day (day, app_id, kind, message_count, message_user_count, close_count, close_user_count)
  select (e.occurred_at at time zone z.zone)::date, e.app_id,
      case e.category when 'serverPushTransferKickout' then 'transfer' else 'app' end,
      count(*) filter (where e.category <> 'serverPushAppKickout'),
      count(distinct e.user_id) filter (where e.category <> 'serverPushAppKickout'),
      count(*) filter (where e.category = 'serverPushAppKickout'),
      count(distinct e.user_id) filter (where e.category = 'serverPushAppKickout')
    from game.event e,
      (select coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC') as zone) z
    where e.category in ('serverPushAppKickoutMessageReceived', 'serverPushTransferKickout', 'serverPushAppKickout')
      -- Rows that no refresh has counted yet are counted by the next one.
      and exists (select from rollup.event_day d where d.app_id = e.app_id and d.day = (e.occurred_at at time zone z.zone)::date
        and d.category = e.category)
    group by 1, 2, 3;
