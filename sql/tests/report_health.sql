-- Whether the reports can be trusted: verdicts of feeds, missing days, open failures, pending files; and applications.
-- Times are relative to now, so the figures keep hours of distance from each limit.
\ir parts/reports.sql
select plan(39);

create function pg_temp.shows_health(p_where text, p_table text, p_description text) returns text language sql as $$
  select pg_temp.shows('select app_id, stream, verdict, missing_day_count as missing, open_failure_count as failures,
    pending_file_count as pending, set_aside_count as aside from report.health where ' || p_where, p_table, p_description)
$$;
-- The load time of a file, in hours before now.
create function pg_temp.loaded(p_path text, p_hours numeric) returns void language sql as $$
  update ingest.source_file set loaded_at = now() - p_hours * interval '1 hour' where path = p_path
$$;

select is_empty('select * from report.health', 'an empty database has no feed');

-- Application a: each stream as far behind as its limit allows, or further.
insert into new_receipt (payment_seq, purchased_at) values ('a1', now() - interval '200 hours'), ('a2', now() - interval '30 hours');
insert into new_level_up (user_level, leveled_up_at) values (1, now() - interval '40 hours');
insert into new_game_user (user_level, observed_at) values (1, now() - interval '30 hours' - interval '191 hours');
insert into new_event (event_id, category, event_group, occurred_at)
  values ('a1', 'loggedOut', 'logged_out', now() - interval '30 hours' - interval '193 hours');
insert into new_item (observed_at) values (now() - interval '100 hours');
select pg_temp.load_lines('a');
-- Application b: without an event, the load counts.
insert into new_game_user (app_id, user_level, observed_at, observed_at_source)
  values ('b', 1, now() - interval '300 hours', 'load_start');
select pg_temp.load_lines('b');
-- Application d: ten level-ups on each of 28 days, but on days 3, 14, 15 and 20 before the newest.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  select 'd', 'u' || u, 1, ((now() at time zone 'UTC')::date - 1 - n)::timestamp at time zone 'UTC' + interval '12 hours'
    from generate_series(0, 28) n, generate_series(1, 10) u
    where n not in (3, 14, 15, 20);
select pg_temp.load_lines('d');
\ir parts/refresh.sql
select pg_temp.shows_health($$ app_id = 'a' $$, $$
  a receipt   ok      0 0 0 0
  a level_up  late    0 0 0 0   # 40 hours, of 36
  a game_user late    0 0 0 0   # 191 hours behind the receipts
  a event     stopped 0 0 0 0   # 193
  a item      ok      0 0 0 0   # items are late only by a setting of their own $$, 'feeds are late, stopped or neither');
select pg_temp.shows(
  $$ select stream, round(hours_behind_now), max_hours_behind, replace(reason, ' ', '_') from report.health
       where app_id = 'a' and stream in ('receipt', 'event', 'item') $$, $$
  receipt 30  36 The_newest_event_is_30.00_hours_old;_36_are_allowed.
  event   223 -  The_newest_event_is_193.00_hours_behind_the_newest_event_of_the_application;_192_are_allowed.
  item    100 -  The_newest_event_is_100.00_hours_old. $$, 'a sentence has the figures of the verdict');
select set_eq('select stream, newest_event_at, newest_loaded_at from report.health',
  'select stream, newest_event_at, newest_loaded_at from report.freshness', 'the times are those of freshness');
insert into ingest.setting (name, value)
  values ('max-age', '29'), ('max-age.level_up', '41'), ('max-age.item', '99'), ('max-age.event', '1000');
select pg_temp.shows($$ select stream, verdict, max_hours_behind from report.health where app_id = 'a' $$, $$
  receipt   late    29
  level_up  ok      41
  game_user late    29
  event     stopped 1000
  item      late    99 $$, 'a setting of a stream goes before that of all');
delete from ingest.setting where name like 'max-age%';
select pg_temp.shows_health($$ app_id = 'b' $$, 'b game_user ok 0 0 0 0', 'a feed without times of its own is as old as its load');
select pg_temp.loaded('b', 37);
select pg_temp.shows_health($$ app_id = 'b' $$, 'b game_user late 0 0 0 0', 'and late like any other');
select is((select hours_behind_now from report.health where app_id = 'b'), null, 'hours behind need an event');

-- An empty file is news, for its stream and application alone.
select pg_temp.load_empty('quiet', 'level_up', 'a');
select pg_temp.load_empty('of no application', 'game_user', null);
\ir parts/refresh.sql
select pg_temp.loaded('quiet', 35);
select pg_temp.shows_health($$ app_id = 'a' and stream in ('level_up', 'game_user') $$, $$
  a level_up  ok   0 0 0 0
  a game_user late 0 0 0 0 $$, 'an empty file keeps its feed from being late');
select is((select reason from report.health where app_id = 'a' and stream = 'level_up'),
  'The newest event or load is 35.00 hours old; 36 are allowed.', 'the sentence tells the age of the news');
select pg_temp.loaded('quiet', 37);
select pg_temp.shows_health($$ app_id = 'a' and stream = 'level_up' $$, 'a level_up late 0 0 0 0',
  'an empty file grows old, too');
select pg_temp.loaded('quiet', 1);
select ingest.undo_files(array[pg_temp.file('quiet')]) \g /dev/null
select pg_temp.shows($$ select app_id, stream, verdict, own_verdict, open_failure_count from report.health
  where stream = 'level_up' and app_id is distinct from 'd' $$, $$
  a level_up failed late 1   # the file belongs to no known application
  - level_up failed ok   1 $$, 'an undone file is an open failure, and an undone empty file is no news');
select ingest.dismiss_failures('{undone}', '{level_up}', '{quiet}', 'a test') \g /dev/null
select pg_temp.shows_health($$ app_id = 'a' and stream = 'level_up' $$, 'a level_up late 0 0 0 0',
  'until it is dismissed');
select pg_temp.load_empty('quiet', 'level_up', 'a');
select ingest.undo_files(array[pg_temp.file('quiet')]) \g /dev/null
select pg_temp.shows_health($$ stream = 'level_up' and app_id is null $$, '- level_up failed 0 1 0 0',
  'a file that is undone again is open again');
select pg_temp.load_empty('quiet', 'level_up', 'a');
select is_empty($$ select from report.open_failure where kind = 'undone' $$, 'until its bytes are loaded');
select ingest.undo_files(array[pg_temp.file('quiet')]) \g /dev/null
select ingest.dismiss_failures('{undone}', '{level_up}', '{quiet}', 'a test') \g /dev/null

-- The days of d, by days alone.
insert into ingest.setting (name, value) values ('max-age', '48');
select pg_temp.shows_health($$ app_id = 'd' $$, 'd level_up incomplete 2 0 0 0',
  'missing days are those of the 14 days before the newest one');
select is((select reason from report.health where app_id = 'd'), 'Days without a line: 2.', 'the sentence has their number');
select pg_temp.shows($$ select kind, stream, (now() at time zone 'UTC')::date - right(path, 10)::date as ago, left(path, -11) as feed, app_id,
    attempt_count, error_code, error ~ '^No line, where a usual \S+day has 10\.' as has_median from report.open_failure $$, $$
  incomplete level_up 4  d/level_up d 0 7 t
  incomplete level_up 15 d/level_up d 0 7 t $$, 'they are open failures');
select is((select trusted_at from rollup.app_horizon where app_id = 'd'),
  (((now() at time zone 'UTC')::date - 15)::timestamp at time zone 'UTC'), 'no period from the first of them on is complete');
insert into ingest.setting (name, value) values ('min-daily-lines', '11');
select rollup.refresh_horizons() \g /dev/null
select pg_temp.shows_health($$ app_id = 'd' $$, 'd level_up ok 0 0 0 0', 'days of few lines may be missing');
insert into ingest.setting (name, value) values ('min-daily-lines.level_up', '10');
select rollup.refresh_horizons() \g /dev/null
select pg_temp.shows_health($$ app_id = 'd' $$, 'd level_up incomplete 2 0 0 0', 'a stream has a limit of its own');

select pg_temp.shows($$ select name, case name when 'refreshed_at' then value ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$'
    else value = (select max(load_id)::text from ingest.load) end
      from report.setting where name like 'refreshed%' $$, 'refreshed_at t | refreshed_through_load t',
  'the settings have the time and the last run of the reports');

-- Failures: two attempts of one path, one of no stream, one dismissed.
insert into ingest.failed_file (load_id, stream, path, canonical_path, reason, failed_at, first_failed_at, attempt_count, error_code)
  select l.load_id, f.*
    from (select max(load_id) as load_id from ingest.load) l, (values
      ('level_up', 'in/x', '/data/in/x', 'first', '2025-07-02 10:00Z'::timestamptz, '2025-07-01 10:00Z'::timestamptz, 2, 4),
      ('level_up', '../in/x', '/data/in/x', 'second', '2025-07-03 10:00Z', '2025-07-03 10:00Z', 1, 5),
      (null, 'odd', null, 'unknown', '2025-07-04 10:00Z', '2025-07-04 10:00Z', 1, null),
      ('receipt', 'y', '/data/in/y', 'harmless', '2025-07-04 10:00Z', '2025-07-04 10:00Z', 1, 4)) f;
select ingest.dismiss_failures('{failed,failed}', '{receipt,null}', '{/data/in/y,/data/in/x}', null) \g /dev/null
update ingest.failure_dismissal set dismissed_at = '2025-07-05 10:00Z' where path = '/data/in/y';
select pg_temp.shows($$ select stream, path, first_failed_at, last_failed_at, attempt_count, error_code, error
  from report.open_failure where kind = 'failed' $$, $$
  level_up /data/in/x 2025-07-01T10:00 2025-07-03T10:00 3 5 second
  -        odd        2025-07-04T10:00 2025-07-04T10:00 1 - unknown $$,
  'a file has one open failure with all its attempts, until it is dismissed');
select pg_temp.shows($$ select stream, path, status, dismissed_at from report.load_history where source_file_id is null $$, $$
  level_up in/x    failed    -
  level_up ../in/x failed    -
  -        odd     failed    -
  receipt  y       dismissed 2025-07-05T10:00 $$, 'the load history tells dismissed failures');
select pg_temp.shows_health($$ stream = 'level_up' or app_id is null $$, $$
  a level_up failed 0 1 0 0
  d level_up failed 2 1 0 0   # failed goes before incomplete
  - level_up failed 0 1 0 0
  - -        failed 0 1 0 0 $$, 'a failure shows for each application of its stream, and for none');
select is((select reason from report.health where app_id = 'd'),
  'Files failed, are missing or were undone, and were neither loaded nor dismissed since: 1.', 'the sentence has the number of failures');

-- A failure of a known application is its own.
insert into ingest.failed_file (load_id, kind, stream, path, reason, app_id, error_code)
  select max(load_id), 'missing', 'item', '/data/in/items*', 'no file', 'd', 7 from ingest.load;
select pg_temp.shows($$ select app_id, stream, verdict, own_verdict, open_failure_count from report.health
  where stream in ('item', 'level_up') $$, $$
  a item     ok     ok   0
  d item     failed failed 1   # the application has no line of the stream
  a level_up failed ok 1
  d level_up failed incomplete 1
  - level_up failed ok 1 $$, 'a failure of a known application counts for no other');
select ingest.dismiss_failures('{missing}', '{item}', '{/data/in/items*}', null) \g /dev/null
-- The limit of an application; one with the name of a stream has none of its own.
insert into ingest.setting (name, value) values ('max-age.d', '500'), ('max-age.level_up', '700');
select pg_temp.shows('select app_id, stream, max_hours_behind from report.health where stream = ''level_up'' and app_id is not null',
  'a level_up 700 | d level_up 500', 'the limit of an application goes before that of a stream');
delete from ingest.setting where name in ('max-age.d', 'max-age.level_up');

-- Pending files: one with lines of two applications, one without an accepted line.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  values ('a', 'p', 2, now() - interval '1 hour'), ('e', 'p', 2, now() - interval '1 hour');
select pg_temp.load_lines('pending');
select pg_temp.load_empty('pending and empty', 'item', null);
select pg_temp.shows_health($$ stream in ('level_up', 'item') $$, $$
  a level_up failed 0 1 1 0
  d level_up failed 2 1 0 0
  e level_up failed 0 1 1 0
  - level_up failed 0 1 0 0
  a item     ok     0 0 0 0
  - item     ok     0 0 1 0 $$, 'pending files show for the applications of their lines, or for none');
select pg_temp.loaded('pending', 0.9), pg_temp.loaded('pending and empty', 1.1) \g /dev/null
select pg_temp.shows($$ select app_id, stream, verdict, replace(reason, ' ', '_') from report.health where pending_file_count > 0 $$, $$
  a level_up failed Files_failed,_are_missing_or_were_undone,_and_were_neither_loaded_nor_dismissed_since:_1.
  e level_up failed Files_failed,_are_missing_or_were_undone,_and_were_neither_loaded_nor_dismissed_since:_1.
  - item not_refreshed Loaded_files_are_missing_in_the_reports:_1,_the_oldest_of_them_loaded_1.10_hours_ago. $$,
  'a pending file counts against the reports after an hour');
select pg_temp.loaded('pending', 2);
select pg_temp.shows($$ select app_id, stream, verdict from report.health where pending_file_count > 0 $$,
  'a level_up not_refreshed | e level_up not_refreshed | - item not_refreshed', 'not_refreshed goes before all others');
select pg_temp.shows('select app_id, player_count, receipt_feed, newest_event_at = (select max(newest_event_at)
    from report.horizon h where h.app_id = p.app_id) as is_newest from report.app p', $$
  a 1  files  f   # u; the new level-up is in no report yet
  b 1  events -
  d 10 events t $$, 'applications are those of the last refresh');
\ir parts/refresh.sql
select pg_temp.shows_health($$ stream in ('level_up', 'item') $$, $$
  a level_up failed 0 1 0 0
  d level_up failed 2 1 0 0
  e level_up failed 0 1 0 0
  - level_up failed 0 1 0 0
  a item     ok     0 0 0 0 $$, 'a refresh leaves no file pending');
select pg_temp.shows('select app_id, player_count, receipt_feed, newest_event_at = (select max(newest_event_at)
    from report.horizon h where h.app_id = p.app_id) as is_newest from report.app p', $$
  a 2  files  t
  b 1  events -
  d 10 events t
  e 1  events t $$, 'and has all applications');
select set_eq('select app_id, first_event_at from report.app',
  'select a.app_id, min(h.first_event_at) from report.app a left join report.horizon h using (app_id) group by 1',
  'the first event of an application is that of any stream');

-- Players set aside, with the streams of their rows. One receipt came in an event.
insert into new_receipt (payment_seq, user_id, purchased_at) values ('in event', 'p', now() - interval '30 hours');
select pg_temp.load_lines('embedded');
update game.receipt
  set source_file_id = (select source_file_id from ingest.source_file where path = 'a' and stream = 'event')
  where payment_seq = 'in event';
begin;
select rollup.create_working_tables(false) \g /dev/null
insert into pg_temp.new_set_aside (app_id, user_id, error) values ('a', 'u', 'e'), ('a', 'p', 'e'), ('a', 'none', 'e');
-- Their rows leave the reports; the history stays.
select format('insert into pg_temp.old_%1$I select %2$s from rollup.%1$I where user_id in (''u'', ''p'')', name,
    array_to_string(key, ', ')) from rollup.narrow_tables() where name <> 'history' \gexec
select rollup.apply_players() \g /dev/null
commit;
select pg_temp.shows('select user_id, streams from rollup.set_aside_player',
  'u ["game_user","level_up","receipt"] | p ["event","level_up","receipt"] | none []',
  'a player set aside has the streams of the rows and of their files');
select pg_temp.shows($$ select app_id, user_id, player_number > 0 as is_numbered, since <= now() as has_begun, attempt_count, error
    from report.set_aside_player $$, $$
  a none t t 1 e
  a p    t t 1 e
  a u    t t 1 e $$, 'each of them has a number and an error');
select pg_temp.shows($$ select app_id, stream, set_aside_count from report.health where set_aside_count > 0 $$,
  'a receipt 2 | a level_up 2 | a game_user 1 | a event 1', 'players set aside show in the streams of their rows');
-- They are well again after a refresh, which looks at each of them.
\ir parts/refresh.sql
select is_empty('select from report.health where set_aside_count > 0', 'until a refresh can compute them');

select * from finish();
