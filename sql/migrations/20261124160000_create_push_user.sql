-- The users of a push do not add up over its days, and events have no index by push or user. With one narrow row per
-- day, a refresh counts the users of the touched days again and asks for their other days by key.
alter table rollup.push_day add column first_event_at timestamptz, add column first_received_at timestamptz;
comment on column rollup.push_day.first_event_at is 'Time of the first of these events.';
comment on column rollup.push_day.first_received_at is 'Time of the first received message; NULL without one.';
create index push_day_push on rollup.push_day (app_id, push_id);

create table rollup.push_user (
  app_id text collate "C" not null,
  push_id text collate "C" not null,
  user_id text collate "C" not null,
  day date not null,
  has_clicked boolean not null,
  primary key (app_id, push_id, user_id, day)
);
create index push_user_day on rollup.push_user (day, app_id);
alter table rollup.push_user alter column user_id set statistics 0;
comment on table rollup.push_user is
  'One row per application, push message, known user and day on which the user received or clicked the message. Written by: a refresh.';
comment on column rollup.push_user.app_id is 'The application.';
comment on column rollup.push_user.push_id is 'The push message.';
comment on column rollup.push_user.user_id is 'The user.';
comment on column rollup.push_user.day is 'Day of the events in the reporting zone.';
comment on column rollup.push_user.has_clicked is 'True when the user clicked the message on this day.';

create table rollup.push (
  app_id text collate "C" not null,
  push_id text collate "C" not null,
  first_event_at timestamptz not null,
  first_received_at timestamptz,
  received_user_count bigint not null,
  clicked_user_count bigint not null,
  primary key (app_id, push_id)
);
comment on table rollup.push is
  'One row per application and push message with events: the users of all its days. Written by: a refresh.';
comment on column rollup.push.app_id is 'The application.';
comment on column rollup.push.push_id is 'The push message.';
comment on column rollup.push.first_event_at is 'Time of the first event of the message: received, clicked or answered by a button.';
comment on column rollup.push.first_received_at is 'Time of the first received message; NULL without one.';
comment on column rollup.push.received_user_count is 'Known users who received or clicked the message.';
comment on column rollup.push.clicked_user_count is 'Of these, users who clicked it.';

create unlogged table staging.touched_push (
  app_id text collate "C",
  push_id text collate "C",
  primary key (app_id, push_id)
);
comment on table staging.touched_push is
  'One row per application and push message with events on a day that a refresh counts again. Empty between refreshes.';
comment on column staging.touched_push.app_id is 'The application.';
comment on column staging.touched_push.push_id is 'The push message.';

-- The state of the last refresh. Days with changes since then are counted again by the next one.
insert into rollup.push_user (app_id, push_id, user_id, day, has_clicked)
  select e.app_id, e.push_id, e.user_id, d.day, bool_or(e.category = 'pushClickMessage')
    from game.event e
    join rollup.refresh_state s on s.stream = 'event' and e.source_file_id <= s.source_file_id
    cross join lateral (
      select (e.occurred_at at time zone
        coalesce((select z.value from ingest.setting z where z.name = 'time-zone'), 'UTC'))::date as day) d
    join rollup.push_day r on r.day = d.day and r.app_id = e.app_id and r.push_id = e.push_id
    where e.category in ('pushReceivedMessage', 'pushClickMessage') and e.user_id is not null
    group by e.app_id, e.push_id, e.user_id, d.day;
update rollup.push_day r
  set first_event_at = e.first_event_at, first_received_at = e.first_received_at
  from (
    select e.app_id, e.push_id, d.day, min(e.occurred_at) as first_event_at,
        min(e.occurred_at) filter (where e.category = 'pushReceivedMessage') as first_received_at
      from game.event e
      join rollup.refresh_state s on s.stream = 'event' and e.source_file_id <= s.source_file_id
      cross join lateral (
        select (e.occurred_at at time zone
          coalesce((select z.value from ingest.setting z where z.name = 'time-zone'), 'UTC'))::date as day) d
      where e.category in ('pushReceivedMessage', 'pushClickMessage', 'pushClickAction')
      group by e.app_id, e.push_id, d.day
  ) e
  where e.app_id = r.app_id and e.push_id is not distinct from r.push_id and e.day = r.day;
-- Of a day whose events were all removed since then, only the day is known.
update rollup.push_day r
  set first_event_at = r.day::timestamp at time zone
    coalesce((select z.value from ingest.setting z where z.name = 'time-zone'), 'UTC')
  where r.first_event_at is null;
alter table rollup.push_day alter column first_event_at set not null;
insert into rollup.push (app_id, push_id, first_event_at, first_received_at, received_user_count, clicked_user_count)
  select d.app_id, d.push_id, d.first_event_at, d.first_received_at, coalesce(u.received_user_count, 0),
      coalesce(u.clicked_user_count, 0)
    from (
      select app_id, push_id, min(first_event_at) as first_event_at, min(first_received_at) as first_received_at
        from rollup.push_day
        where push_id is not null
        group by app_id, push_id
    ) d
    left join (
      select app_id, push_id, count(distinct user_id) as received_user_count,
          count(distinct user_id) filter (where has_clicked) as clicked_user_count
        from rollup.push_user
        group by app_id, push_id
    ) u on u.app_id = d.app_id and u.push_id = d.push_id;
