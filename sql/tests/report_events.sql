-- Events by day: codes with names, pushes, the status of the service, kick-outs and revocations.
\ir parts/reports.sql
select plan(9);

insert into new_event (event_id, user_id, category, event_group, code, push_id, push_action_type, idp_type, occurred_at)
  values
    ('1', 'u1', 'observerLaunching', 'observer', 303, null, null, null, '2025-07-01 10:00Z'),
    ('2', 'u1', 'observerLaunching', 'observer', 303, null, null, null, '2025-07-01 11:00Z'),
    ('3', 'u2', 'observerLaunching', 'observer', 303, null, null, null, '2025-07-01 23:59:59.999Z'),
    ('4', null, 'observerLaunching', 'observer', 200, null, null, null, '2025-07-02 00:00Z'),
    ('5', 'u1', 'observerLaunching', 'observer', 777, null, null, null, '2025-07-02 00:00Z'),
    ('6', 'u1', 'observerHeartbeat', 'observer', 999, null, null, null, '2025-07-01 10:00Z'),
    ('7', 'u1', 'observerNetwork', 'observer', 1, null, null, null, '2025-07-01 10:00Z'),
    ('8', 'u1', 'loggedOut', 'logged_out', null, null, null, null, '2025-07-01 10:00Z'),
    ('9', 'u1', 'idPRevoked', 'idp_revoked', 600, null, null, 'appleid', '2025-07-01 10:00Z'),
    ('10', 'u1', 'idPRevoked', 'idp_revoked', 600, null, null, 'appleid', '2025-07-01 12:00Z'),
    ('11', 'u2', 'idPRevoked', 'idp_revoked', 603, null, null, null, '2025-07-01 12:00Z'),
    ('r1', 'u1', 'pushReceivedMessage', 'push', null, 'p', null, null, '2025-07-01 10:00Z'),
    ('r2', 'u1', 'pushReceivedMessage', 'push', null, 'p', null, null, '2025-07-01 11:00Z'),
    ('r3', 'u2', 'pushReceivedMessage', 'push', null, 'p', null, null, '2025-07-01 12:00Z'),
    ('r4', 'u3', 'pushReceivedMessage', 'push', null, 'p', null, null, '2025-07-01 12:00Z'),
    ('r5', null, 'pushReceivedMessage', 'push', null, 'p', null, null, '2025-07-01 12:00Z'),
    ('c1', 'u2', 'pushClickMessage', 'push', null, 'p', null, null, '2025-07-01 13:00Z'),
    ('c2', 'u2', 'pushClickMessage', 'push', null, 'p', null, null, '2025-07-01 14:00Z'),
    ('c3', 'u3', 'pushClickMessage', 'push', null, 'p', null, null, '2025-07-02 10:00Z'),
    ('a1', 'u1', 'pushClickAction', 'push', null, 'p', 'REPLY', null, '2025-07-01 14:00Z'),
    ('a2', 'u1', 'pushClickAction', 'push', null, 'p', 'SNOOZE', null, '2025-07-01 14:00Z'),
    ('a3', 'u1', 'pushClickAction', 'push', null, 'p', null, null, '2025-07-01 14:00Z'),
    ('a4', 'u1', 'pushClickAction', 'push', null, null, 'OPEN_APP', null, '2025-07-01 14:00Z');
select pg_temp.load_lines();
select is_empty('select * from report.event_by_day', 'events loaded since the refresh are in no view');
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select day, category, event_group, code, replace(code_name, ' ', ''), event_count, user_count
       from report.event_by_day where event_group <> 'push' $$, $$
  2025-07-01 observerLaunching observer    303 INSPECTING_SERVICE 3 2
  2025-07-02 observerLaunching observer    200 IN_SERVICE 1 0   # no known user
  2025-07-02 observerLaunching observer    777 - 1 1            # an unknown code
  2025-07-01 observerHeartbeat observer    999 SOCKET_UNKNOWN_ERROR/UNKNOWN_ERROR 1 1
  2025-07-01 observerNetwork   observer    1   ReachableViaWifi/TYPE_WIFI 1 1
  2025-07-01 loggedOut         logged_out  -   - 1 1
  2025-07-01 idPRevoked        idp_revoked 600 WITHDRAW 2 1
  2025-07-01 idPRevoked        idp_revoked 603 - 1 1 $$, 'events are counted by day, category and code');
select pg_temp.shows(
  $$ select day, push_id, received_count, received_user_count, clicked_count, clicked_user_count, action_count,
       open_app_count, open_url_count, reply_count, dismiss_count, other_action_count
       from report.push_by_day $$, $$
  2025-07-01 p 5 3 2 1 3 0 0 1 0 2
  2025-07-01 - 0 0 0 0 1 1 0 0 0 0
  2025-07-02 p 0 0 1 1 0 0 0 0 0 0   # a click of the day after $$, 'pushes are counted by day');
select pg_temp.shows('select day, code, code_name, report_count, user_count from report.service_status_by_day', $$
  2025-07-01 303 INSPECTING_SERVICE 3 2
  2025-07-02 200 IN_SERVICE 1 0
  2025-07-02 777 - 1 1 $$, 'the status of the service is counted by day');
select pg_temp.shows('select day, idp_type, code, code_name, event_count, user_count from report.idp_revocation_by_day', $$
  2025-07-01 appleid 600 WITHDRAW 2 1
  2025-07-01 -       603 - 1 1 $$, 'revocations are counted by provider and code');

-- One kick-out of a user can give a received message and a closed popup.
insert into new_event (event_id, user_id, category, event_group, occurred_at)
  values
    ('k1', 'u1', 'serverPushAppKickoutMessageReceived', 'server_push', '2025-07-10 10:00Z'),
    ('k2', 'u1', 'serverPushAppKickout', 'server_push', '2025-07-10 10:01Z'),
    ('k3', 'u1', 'serverPushAppKickout', 'server_push', '2025-07-11 10:00Z'),
    ('k4', 'u2', 'serverPushAppKickout', 'server_push', '2025-07-10 09:00Z'),
    ('k5', null, 'serverPushAppKickout', 'server_push', '2025-07-10 12:00Z'),
    ('k6', null, 'serverPushAppKickoutMessageReceived', 'server_push', '2025-07-10 11:00Z'),
    ('k7', 'u1', 'serverPushTransferKickout', 'server_push', '2025-07-10 12:00Z');
select pg_temp.load_lines('kickouts');
\ir parts/refresh.sql
\set kickouts '$q$ select day, kind, message_count, message_user_count, close_count, close_user_count from report.kickout_by_day $q$'
select pg_temp.shows(:kickouts, $$
  2025-07-10 app      2 1 3 2
  2025-07-10 transfer 1 1 0 0
  2025-07-11 app      0 0 1 1 $$, 'messages and closed popups of kick-outs are counted apart');
insert into new_event (event_id, user_id, category, event_group, occurred_at)
  values ('k8', 'u1', 'serverPushAppKickoutMessageReceived', 'server_push', '2025-07-11 09:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows(:kickouts, $$
  2025-07-10 app      2 1 3 2
  2025-07-10 transfer 1 1 0 0
  2025-07-11 app      1 1 1 1 $$, 'a late message is counted on its day');
select ingest.undo_files('event', array[pg_temp.file('late')]) \g /dev/null
\ir parts/refresh.sql

-- An erasure takes the events of the user along.
select ingest.erase_user('u1', null, sha256('u1'), sha256('key'), null) \g /dev/null
select pg_temp.shows(
  $$ select day, kind, message_count, close_count from report.kickout_by_day
     union all select day, category, event_count, user_count from report.event_by_day where code = 303 $$, $$
  2025-07-10 app 1 2
  2025-07-01 observerLaunching 1 1 $$, 'an erased user is in no count');
-- Days are those of the reporting zone.
select pg_temp.set_zone('Asia/Seoul');
\ir parts/refresh_full.sql
select pg_temp.shows('select day, code, report_count from report.service_status_by_day', $$
  2025-07-02 303 1
  2025-07-02 200 1 $$, 'days are those of the reporting zone');

select * from finish();
