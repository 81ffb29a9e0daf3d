create table rollup.event_day (
  day date not null,
  app_id text collate "C" not null,
  category text collate "C" not null,
  event_group text collate "C" not null,
  code bigint,
  event_count bigint not null,
  user_count bigint not null,
  constraint event_day_rollup_key unique nulls not distinct (day, app_id, category, event_group, code)
);
alter table rollup.event_day replica identity full;
comment on table rollup.event_day is
  'One row per day, application, category, group and code of events. Written by: a refresh.';
comment on column rollup.event_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.event_day.app_id is 'The application.';
comment on column rollup.event_day.category is 'Category of the events.';
comment on column rollup.event_day.event_group is 'Group of the category.';
comment on column rollup.event_day.code is 'Code of the events; NULL without one.';
comment on column rollup.event_day.event_count is 'Events.';
comment on column rollup.event_day.user_count is 'Known users of the events.';

create table rollup.push_day (
  day date not null,
  app_id text collate "C" not null,
  push_id text collate "C",
  received_count bigint not null,
  received_user_count bigint not null,
  clicked_count bigint not null,
  clicked_user_count bigint not null,
  action_count bigint not null,
  open_app_count bigint not null,
  open_url_count bigint not null,
  reply_count bigint not null,
  dismiss_count bigint not null,
  constraint push_day_rollup_key unique nulls not distinct (day, app_id, push_id)
);
alter table rollup.push_day replica identity full;
comment on table rollup.push_day is
  'One row per day, application and push message. Written by: a refresh.';
comment on column rollup.push_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.push_day.app_id is 'The application.';
comment on column rollup.push_day.push_id is 'The push message; NULL when unknown.';
comment on column rollup.push_day.received_count is 'Received messages.';
comment on column rollup.push_day.received_user_count is 'Known users who received it.';
comment on column rollup.push_day.clicked_count is 'Clicks on the message.';
comment on column rollup.push_day.clicked_user_count is 'Known users who clicked.';
comment on column rollup.push_day.action_count is 'Pressed buttons.';
comment on column rollup.push_day.open_app_count is 'Buttons that opened the app.';
comment on column rollup.push_day.open_url_count is 'Buttons that opened a page.';
comment on column rollup.push_day.reply_count is 'Replies.';
comment on column rollup.push_day.dismiss_count is 'Dismissals.';

create table rollup.kickout_day (
  day date not null,
  app_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('app', 'transfer')),
  kickout_count bigint not null,
  user_count bigint not null,
  primary key (day, app_id, kind)
);
comment on table rollup.kickout_day is
  'One row per day, application and kind of kick-out. Written by: a refresh.';
comment on column rollup.kickout_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.kickout_day.app_id is 'The application.';
comment on column rollup.kickout_day.kind is 'app or transfer.';
comment on column rollup.kickout_day.kickout_count is 'Kick-outs.';
comment on column rollup.kickout_day.user_count is 'Known users who were kicked out.';

create table rollup.idp_revocation_day (
  day date not null,
  app_id text collate "C" not null,
  idp_type text collate "C",
  code bigint,
  event_count bigint not null,
  user_count bigint not null,
  constraint idp_revocation_day_rollup_key unique nulls not distinct (day, app_id, idp_type, code)
);
alter table rollup.idp_revocation_day replica identity full;
comment on table rollup.idp_revocation_day is
  'One row per day, application, identity provider and code of revocations. Written by: a refresh.';
comment on column rollup.idp_revocation_day.day is 'Day of the event in the reporting zone.';
comment on column rollup.idp_revocation_day.app_id is 'The application.';
comment on column rollup.idp_revocation_day.idp_type is 'The identity provider; NULL when unknown.';
comment on column rollup.idp_revocation_day.code is 'Code of the revocation.';
comment on column rollup.idp_revocation_day.event_count is 'Events.';
comment on column rollup.idp_revocation_day.user_count is 'Known users of the events.';

create unlogged table staging.touched_event_day (
  app_id text collate "C",
  day date,
  primary key (app_id, day)
);
comment on table staging.touched_event_day is
  'One row per application and day whose events a refresh counts again. Empty between refreshes.';
comment on column staging.touched_event_day.app_id is 'The application.';
comment on column staging.touched_event_day.day is 'The day in the reporting zone.';
