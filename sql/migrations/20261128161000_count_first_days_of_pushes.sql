-- The users of a push are those of its first seven days, so no row of a user is kept.
drop view if exists report.push_performance;
drop table rollup.push_user;
alter table rollup.push_day drop column first_event_at, add column first_clicked_at timestamptz;
comment on column rollup.push_day.first_clicked_at is 'Time of the first click; NULL for none.';
alter table rollup.push drop column first_event_at, add column starts_at timestamptz;
comment on table rollup.push is 'One row per application and push message with an id: the users of its first seven days.';
comment on column rollup.push.starts_at is
  'Begin of these days: the time of the first received message, or else of the first click; NULL without both.';
comment on column rollup.push.received_user_count is 'Known users of messages and clicks in these days.';
comment on column rollup.push.clicked_user_count is 'Known users of clicks in these days.';

-- Only events that a refresh has counted.
with event as materialized (
  select e.app_id, e.push_id, e.user_id, e.occurred_at, e.category,
      (e.occurred_at at time zone z.zone)::date as day
    from game.event e,
      (select coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC') as zone) z
    where e.category in ('pushReceivedMessage', 'pushClickMessage')
      and e.source_file_id <= (select s.source_file_id from rollup.refresh_state s where s.stream = 'event')
), clicked as (
  update rollup.push_day d set first_clicked_at = c.first_clicked_at
    from (
      select app_id, push_id, day, min(occurred_at) as first_clicked_at
        from event
        where category = 'pushClickMessage'
        group by app_id, push_id, day
    ) c
    where d.app_id = c.app_id and d.push_id is not distinct from c.push_id and d.day = c.day
), push as (
  select app_id, push_id,
      coalesce(min(occurred_at) filter (where category = 'pushReceivedMessage'), min(occurred_at)) as starts_at
    from event
    where push_id is not null
    group by app_id, push_id
)
update rollup.push p
  set starts_at = n.starts_at, received_user_count = n.received_user_count, clicked_user_count = n.clicked_user_count
  from (
    select p.app_id, p.push_id, p.starts_at, count(distinct e.user_id) as received_user_count,
        count(distinct e.user_id) filter (where e.category = 'pushClickMessage') as clicked_user_count
      from push p
      join event e on e.app_id = p.app_id and e.push_id = p.push_id
        and e.occurred_at >= p.starts_at and e.occurred_at < p.starts_at + interval '168 hours'
      group by p.app_id, p.push_id, p.starts_at
  ) n
  where p.app_id = n.app_id and p.push_id = n.push_id;
delete from ingest.table_place where table_schema = 'rollup' and table_name = 'push_user';
