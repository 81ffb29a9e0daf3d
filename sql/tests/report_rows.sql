-- Single rows of level-ups, snapshots and events: all columns but those that could hold a secret or a text of a player.
\ir parts/reports.sql
select plan(12);

insert into new_level_up (user_id, user_level, character_id, leveled_up_at, extra) values
  ('u1', 2, 'c', '2025-06-30 23:59:59.999Z', '{"chat": "hidden-text"}'), ('u1', 3, null, '2025-07-01 00:00Z', null);
insert into new_game_user (user_id, user_level, observed_at, observed_at_source, extra) values
  ('u1', 2, '2025-07-01 10:00Z', 'line', '{"chat": "hidden-text"}'), ('u1', 3, '2025-07-02 10:00Z', 'load_start', null);
insert into new_event (event_id, user_id, category, category_raw, event_group, occurred_at, message, auth_mapping_list, push_id,
    push_title, push_body, push_action_type, push_user_text, data, extra) values
  ('1', 'u1', 'pushClickAction', 'hidden-text', 'push', '2025-07-01 10:00Z', 'hidden-text', '["hidden-text"]', 'p', 'hidden-text',
    'hidden-text', 'REPLY', 'hidden-text', '{"a": "hidden-text"}', '{"a": "hidden-text"}');
select pg_temp.load_lines();
-- Before a refresh there is no calendar.
create temporary view day_of_row as
  select 'level_up' as name, user_level::text as row, day from report.level_up
  union all select 'game_user_snapshot', user_level::text, day from report.game_user_snapshot
  union all select 'event', event_id, day from report.event;
select pg_temp.shows('select * from day_of_row', $$
  level_up 2 2025-06-30
  level_up 3 2025-07-01
  game_user_snapshot 2 2025-07-01
  game_user_snapshot 3 -
  event 1 2025-07-01 $$, 'rows show before a refresh, each with its day');
\ir parts/refresh.sql
select pg_temp.shows('select * from day_of_row', $$
  level_up 2 2025-06-30
  level_up 3 2025-07-01
  game_user_snapshot 2 2025-07-01
  game_user_snapshot 3 -
  event 1 2025-07-01 $$, 'and after it, the same');
select pg_temp.set_zone('Asia/Seoul');
\ir parts/refresh_full.sql
select pg_temp.shows('select * from day_of_row', $$
  level_up 2 2025-07-01
  level_up 3 2025-07-01
  game_user_snapshot 2 2025-07-01
  game_user_snapshot 3 -
  event 1 2025-07-01 $$, 'days are of the reporting zone');
-- A row beyond the calendar.
insert into new_level_up (user_id, user_level, leveled_up_at) values ('u1', 9, '2099-12-31 15:00Z');
select pg_temp.load_lines('second');
select pg_temp.shows('select user_level, day from report.level_up where user_level = 9', '9 2100-01-01',
  'a row beyond the calendar has its day, too');

select is_empty(
  $$ select 1 from report.level_up v where v::text like '%hidden-text%'
     union all select 1 from report.game_user_snapshot v where v::text like '%hidden-text%'
     union all select 1 from report.event v where v::text like '%hidden-text%' $$,
  'no view of rows shows a text of a player or a member without a column');
select pg_temp.shows('select app_id, user_id, character_id, text_repaired, line_number from report.level_up where user_level = 2',
  'a u1 c f 1', 'a level-up shows its columns');
select pg_temp.shows('select app_id, user_id, channel_id, observed_at_source from report.game_user_snapshot where user_level = 3',
  'a u1 - load_start', 'a snapshot shows its columns');
select pg_temp.shows('select event_id, user_id, category, event_group, push_id, push_action_type from report.event',
  '1 u1 pushClickAction push p REPLY', 'an event shows its columns');

-- The months of a range of days are found by the calendar.
select ok(not exists (select from pg_temp.plan_of(
  $$ select * from report.level_up where app_id = 'a' and day = '2025-07-03' $$, true) p
  where p ~ 'level_up_2025_06.*actual'), 'a day touches its month only');

select ingest.erase_user('u1', null, sha256('u1'), sha256('key'), 1) \g /dev/null
select is_empty('select 1 from report.level_up', 'an erased user has no level-up');
select is_empty('select 1 from report.game_user_snapshot', 'an erased user has no snapshot');
select is_empty('select 1 from report.event', 'an erased user has no event');

select * from finish();
