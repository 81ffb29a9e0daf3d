-- A snapshot dated by its load comes together with rows some days late.
\ir parts/reports.sql
select plan(2);

-- As with many players, the player's rows are looked up.
create or replace function rollup.scan_factor() returns integer language sql immutable as 'select 0';

insert into new_level_up (user_id, user_level, leveled_up_at) values ('u', 5, '2025-07-20 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
insert into new_level_up (user_id, user_level, leveled_up_at) values ('u', 4, '2025-07-10 00:00Z');
insert into new_game_user (user_id, user_level, channel_id, observed_at, observed_at_source)
  values ('u', 7, 's', '2025-01-01 00:00Z', 'load_start');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows($$ select user_id, channel_id, user_level, observed_at_source from report.current_game_user $$,
  'u s 7 load_start', 'the time of its load can lie long before the late rows');
select pg_temp.shows($$ select user_id, user_level from report.player $$, 'u 5', 'and the dated level counts');

select * from finish();
