-- The history of characters, and their current state. Rows without a time of their own are no part of a history and
-- never outrank a row with one.
\ir parts/reports.sql
select plan(9);

insert into new_game_user (user_id, channel_id, character_id, user_level, class_id, observed_at, observed_at_source)
  values
    ('u1', 's1', 'c', 2, null, '2025-01-04 00:00Z', 'line'),
    ('u1', 's1', 'c', 2, null, '2025-01-05 00:00Z', 'line'),
    ('u1', 's1', 'c', 9, 'k1', '2025-01-05 12:00Z', 'load_start'),
    ('u1', 's1', 'c', 1, 'k1', '2025-01-06 00:00Z', 'option'),
    ('u1', 's1', 'c', 99, 'k1', '2025-01-10 00:00Z', 'load_start'),
    ('u1', 's2', 'c', 7, 'k1', '2025-01-02 00:00Z', 'line'),
    ('u2', null, null, 1, 'k1', '2025-01-01 00:00Z', 'line'),
    ('u3', 's1', 'c', 5, 'k1', '2025-02-02 00:00Z', 'load_start'),
    ('u4', null, 'a', 5, 'k1', '2025-01-01 00:00Z', 'line'),
    ('u4', null, 'b', 5, 'k1', '2025-01-02 00:00Z', 'line'),
    ('u4', null, 'c', 4, 'k1', '2025-01-03 00:00Z', 'line'),
    ('u5', null, null, 5, 'k1', '2025-01-01 00:00Z', 'line'),
    ('u5', null, 'b', 5, 'k2', '2025-01-01 00:00Z', 'line'),
    ('u6', null, 'a', 5, 'k1', '2025-01-01 00:00Z', 'line'),
    ('u6', null, 'B', 5, 'k2', '2025-01-01 00:00Z', 'line');
select pg_temp.load_lines();
\ir parts/refresh.sql
-- The second file has the older rows, and of u3 a row of an earlier time, but of a later load.
insert into new_game_user (user_id, channel_id, character_id, user_level, class_id, observed_at, observed_at_source)
  values
    ('u1', 's1', 'c', 1, 'k1', '2025-01-01 00:00Z', 'line'),
    ('u1', 's1', 'c', 1, 'k1', '2025-01-02 00:00Z', 'line'),
    ('u1', 's1', 'c', 2, 'k1', '2025-01-03 00:00Z', 'line'),
    ('u3', 's1', 'c', 6, 'k2', '2025-02-01 00:00Z', 'load_start');
select pg_temp.load_lines('older');
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select user_id, channel_id, character_id, valid_from, user_level, class_id, valid_to
       from report.character_history where user_id in ('u1', 'u2', 'u3') $$, $$
  u1 s1 c 2025-01-01T00:00 1 k1 2025-01-03T00:00   # the same on 2025-01-02
  u1 s1 c 2025-01-03T00:00 2 k1 2025-01-04T00:00
  u1 s1 c 2025-01-04T00:00 2 -  2025-01-06T00:00   # no class is a class
  u1 s1 c 2025-01-06T00:00 1 k1 -                  # as in the beginning
  u1 s2 c 2025-01-02T00:00 7 k1 -
  u2 -  - 2025-01-01T00:00 1 k1 - $$, 'a history has a row for each change of level or class, for any order of loads');
select pg_temp.shows(
  $$ select user_id, channel_id, character_id, user_level, class_id, observed_at, observed_at_source, source_file_id,
       line_number
       from report.current_game_user where user_id in ('u1', 'u2', 'u3') $$,
  format($$
  u1 s1 c 1 k1 2025-01-06T00:00 option     %1$s 4
  u1 s2 c 7 k1 2025-01-02T00:00 line       %1$s 6
  u2 -  - 1 k1 2025-01-01T00:00 line       %1$s 7
  u3 s1 c 6 k2 2025-02-01T00:00 load_start %2$s 4   # the newest load $$, pg_temp.file('file'), pg_temp.file('older')),
  'the current state is the newest one with a time of its own, else that of the newest load');
select pg_temp.shows(
  $$ select user_id, user_level, channel_id, character_id, class_id from report.player $$, $$
  u1 1 s1 c k1   # one character in two channels: the latest row
  u2 1 -  - k1
  u3 6 s1 c k2
  u4 5 -  b k1   # of equal levels the latest; c has a lower one
  u5 5 -  b k2   # at one instant the smallest id, NULL last
  u6 5 -  B k2   # B is before a in bytes
  $$, 'the current level of a user is the highest over the characters');
select is_empty(
  $$ select from report.character_history group by app_id, user_id, channel_id, character_id
       having count(*) filter (where valid_to is null) <> 1 $$, 'each history has one open row');
select is_empty(
  $$ select from report.character_history where valid_to <= valid_from $$, 'no row of a history is empty');

-- A time of its own outranks load_start in any order of loads.
insert into new_game_user (user_id, channel_id, character_id, user_level, class_id, observed_at)
  values ('u3', 's1', 'c', 3, 'k1', '2024-12-01 00:00Z');
select pg_temp.load_lines('real');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select g.user_level, g.observed_at, p.user_level as player_level
       from report.current_game_user g join report.player p using (app_id, user_id) where user_id = 'u3' $$,
  $$ 3 2024-12-01T00:00 3 $$, 'an older row with a time of its own replaces one of load_start');
insert into new_game_user (user_id, channel_id, character_id, user_level, class_id, observed_at, observed_at_source)
  values ('u3', 's1', 'c', 8, 'k1', '2025-03-01 00:00Z', 'load_start');
select pg_temp.load_lines('newest');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select user_level, observed_at from report.current_game_user where user_id = 'u3' $$,
  $$ 3 2024-12-01T00:00 $$, 'a later load_start changes nothing');
select ingest.undo_files('game_user', array[pg_temp.file('real')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select g.user_level, g.observed_at, p.user_level as player_level, p.first_observed_at
       from report.current_game_user g join report.player p using (app_id, user_id) where user_id = 'u3' $$,
  $$ 8 2025-03-01T00:00 8 - $$, 'after the undo of the only real time, the newest load counts again');
select is_empty($$ select from report.character_history where user_id = 'u3' $$,
  'and the character has no history');

select * from finish();
