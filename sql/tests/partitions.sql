-- ingest.ensure_partition creates each month once, in UTC, whatever the settings of the session.
begin;
select plan(29);
set local timezone = 'Asia/Seoul';

-- The bounds of a partition in UTC.
create function pg_temp.bounds(p_partition text) returns text language sql
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select array_to_string(regexp_match(pg_get_expr(relpartbound, oid), 'FROM \(''(.*)''\) TO \(''(.*)''\)'), ' to ')
    from pg_class where oid = ('game.' || p_partition)::regclass
$$;

select is(ingest.ensure_partition('level_up', day), is_new, rule)
  from (values
    (date '2031-02-17', true, 'a partition is created'),
    ('2031-02-17', false, 'a second call finds the partition'),
    ('2031-02-01', false, 'the first day belongs to the same month'),
    ('2031-02-28', false, 'the last day belongs to the same month')) v (day, is_new, rule);
select is(ingest.ensure_partition('game_user', '2031-12-31'), true, 'each stream has its own months');
select is(pg_temp.bounds('level_up_2031_02'), '2031-02-01 00:00:00+00 to 2031-03-01 00:00:00+00',
  'a partition is named by its month, and its bounds are in UTC');
select is(pg_temp.bounds('game_user_snapshot_2031_12'), '2031-12-01 00:00:00+00 to 2032-01-01 00:00:00+00',
  'December ends with the year');

set local timezone = 'UTC';
prepare reach (timestamptz) as
  insert into game.level_up
    (leveled_up_at, user_id, user_level, app_id, text_repaired, source_file_id, line_number)
    values ($1, 'u', 1, '', false, 1, 1);
select lives_ok($$ execute reach('2031-02-28 23:59:59.999+00') $$, 'the last millisecond of the month is inside');
select throws_ok($$ execute reach('2031-03-01 00:00:00+00') $$, '23514', null, 'the next millisecond is outside');
select throws_ok($$ execute reach('2031-02-28 23:59:59.999+00') $$, '23505', null,
  'the partition enforces the natural key, in which two NULL characters are equal');

select throws_ok($$ select ingest.ensure_partition('receipt', '2031-02-01') $$, '42704', null,
  'a stream that is not partitioned is refused');
select throws_ok($$ select ingest.ensure_partition('x; drop table game.receipt', '2031-02-01') $$,
  '42704', null, 'an unknown stream is refused');

-- A date style that prints a zone as its abbreviation, in a zone with an ambiguous abbreviation.
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
select is(ingest.ensure_partition('level_up', '2032-05-01'), true, 'a partition is created under any date style');
set local timezone = 'UTC';
set local datestyle = 'ISO';
select is(pg_temp.bounds('level_up_2032_05'), '2032-05-01 00:00:00+00 to 2032-06-01 00:00:00+00',
  'the bounds do not depend on the date style');
select throws_ok(format('select ingest.ensure_partition(%L, %L)', 'level_up', day), '22008', null, day || ' is refused')
  -- The last two are before and after all facts.
  from unnest('{0100-05-01 BC, 12025-05-01, infinity, 1999-12-31, 2100-02-01}'::text[]) day;
select ok(bool_and(ingest.ensure_partition('level_up', month)), 'the first and the last month of facts')
  from unnest(array['2000-01-01', '2100-01-31']::date[]) month;
select results_eq($$ select attname
       from pg_attribute
       where attrelid = 'game.level_up_2032_05'::regclass and attnum > 0 and attstattarget = 0
       order by attname $$,
  $$ select attname
       from pg_attribute
       where attrelid = 'game.level_up'::regclass and attnum > 0 and attstattarget = 0
       order by attname $$, 'ANALYZE skips the same columns in a partition as in the parent');

-- A zone that skipped the first hour of a month by daylight saving time.
set local timezone = 'America/Asuncion';
select is(ingest.ensure_partition('level_up', '2023-10-01'), true, 'a partition is created in any time zone');
select is(pg_temp.bounds('level_up_2023_10'), '2023-10-01 00:00:00+00 to 2023-11-01 00:00:00+00',
  'the bounds do not depend on the time zone');
set local timezone = 'UTC';

-- A table with the name of a partition.
create table game.level_up_2033_01 (like game.level_up);
select throws_ok($$ select ingest.ensure_partition('level_up', '2033-01-01') $$, '55000', null,
  'a table that is not a partition is an error');
create table game.level_up_2033_02 partition of game.game_user_snapshot for values
  from ('2033-02-01') to ('2033-03-01');
select throws_ok($$ select ingest.ensure_partition('level_up', '2033-02-01') $$, '55000', null,
  'a partition of another table is an error');
alter table game.level_up replica identity full;
alter table game.level_up add column gone text;
alter table game.level_up drop column gone;
select ingest.ensure_partition('level_up', '2033-03-01') \g /dev/null
select is((select relreplident from pg_class where oid = 'game.level_up_2033_03'::regclass),
  'f', 'a partition has the replica identity of its parent');
select is(obj_description('game.level_up_2033_03'::regclass),
  'One row per row of game.level_up in 2033-03, UTC. Made by: ingest.ensure_partition.', 'a partition has a comment');

create table public.level_up_2033_05 ();
select is(ingest.ensure_partition('level_up', '2033-05-01'),
  true, 'a table of the same name in another schema does not matter');
set local default_tablespace = 'pg_global';
select lives_ok($$ select ingest.ensure_partition('level_up', '2033-04-01') $$,
  'a partition is in the default tablespace of the database');

select * from finish();
rollback;
