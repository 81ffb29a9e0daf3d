create table report.event_day_rollup (
  day date not null,
  app_id text collate "C" not null,
  category text collate "C" not null,
  event_group text collate "C" not null,
  code bigint,
  event_count bigint not null,
  user_count bigint not null,
  constraint event_day_rollup_key unique nulls not distinct (day, app_id, category, event_group, code)
);
alter table report.event_day_rollup replica identity full;
comment on table report.event_day_rollup is
  'One row per day, application, category, group and code of events. Written by: a refresh.';
comment on column report.event_day_rollup.day is 'Day of the event in the reporting zone.';
comment on column report.event_day_rollup.app_id is 'The application.';
comment on column report.event_day_rollup.category is 'Category of the events.';
comment on column report.event_day_rollup.event_group is 'Group of the category.';
comment on column report.event_day_rollup.code is 'Code of the events; NULL without one.';
comment on column report.event_day_rollup.event_count is 'Events.';
comment on column report.event_day_rollup.user_count is 'Known users of the events.';

create table report.push_day_rollup (
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
alter table report.push_day_rollup replica identity full;
comment on table report.push_day_rollup is
  'One row per day, application and push message. Written by: a refresh.';
comment on column report.push_day_rollup.day is 'Day of the event in the reporting zone.';
comment on column report.push_day_rollup.app_id is 'The application.';
comment on column report.push_day_rollup.push_id is 'The push message; NULL when unknown.';
comment on column report.push_day_rollup.received_count is 'Received messages.';
comment on column report.push_day_rollup.received_user_count is 'Known users who received it.';
comment on column report.push_day_rollup.clicked_count is 'Clicks on the message.';
comment on column report.push_day_rollup.clicked_user_count is 'Known users who clicked.';
comment on column report.push_day_rollup.action_count is 'Pressed buttons.';
comment on column report.push_day_rollup.open_app_count is 'Buttons that opened the app.';
comment on column report.push_day_rollup.open_url_count is 'Buttons that opened a page.';
comment on column report.push_day_rollup.reply_count is 'Replies.';
comment on column report.push_day_rollup.dismiss_count is 'Dismissals.';

create table report.kickout_day_rollup (
  day date not null,
  app_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('app', 'transfer')),
  kickout_count bigint not null,
  user_count bigint not null,
  primary key (day, app_id, kind)
);
comment on table report.kickout_day_rollup is
  'One row per day, application and kind of kick-out. Written by: a refresh.';
comment on column report.kickout_day_rollup.day is 'Day of the event in the reporting zone.';
comment on column report.kickout_day_rollup.app_id is 'The application.';
comment on column report.kickout_day_rollup.kind is 'app or transfer.';
comment on column report.kickout_day_rollup.kickout_count is 'Kick-outs.';
comment on column report.kickout_day_rollup.user_count is 'Known users who were kicked out.';

create table report.idp_revocation_day_rollup (
  day date not null,
  app_id text collate "C" not null,
  idp_type text collate "C",
  code bigint,
  event_count bigint not null,
  user_count bigint not null,
  constraint idp_revocation_day_rollup_key unique nulls not distinct (day, app_id, idp_type, code)
);
alter table report.idp_revocation_day_rollup replica identity full;
comment on table report.idp_revocation_day_rollup is
  'One row per day, application, identity provider and code of revocations. Written by: a refresh.';
comment on column report.idp_revocation_day_rollup.day is 'Day of the event in the reporting zone.';
comment on column report.idp_revocation_day_rollup.app_id is 'The application.';
comment on column report.idp_revocation_day_rollup.idp_type is 'The identity provider; NULL when unknown.';
comment on column report.idp_revocation_day_rollup.code is 'Code of the revocation.';
comment on column report.idp_revocation_day_rollup.event_count is 'Events.';
comment on column report.idp_revocation_day_rollup.user_count is 'Known users of the events.';

create unlogged table staging.touched_event_day (
  app_id text collate "C",
  day date,
  primary key (app_id, day)
);
comment on table staging.touched_event_day is
  'One row per application and day whose events a refresh counts again. Empty between refreshes.';
comment on column staging.touched_event_day.app_id is 'The application.';
comment on column staging.touched_event_day.day is 'The day in the reporting zone.';
