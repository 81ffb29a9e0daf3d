-- ingest.ensure_partition: months are made once, in UTC, whatever the session thinks.
begin;
select plan(28);
set local timezone = 'Asia/Seoul';

select is(ingest.ensure_partition('level_up', '2031-02-17'), true, 'a month is made');
select is(ingest.ensure_partition('level_up', '2031-02-17'), false, 'a second time it is there');
select is(ingest.ensure_partition('level_up', '2031-02-01'), false, 'its first day means the same month');
select is(ingest.ensure_partition('level_up', '2031-02-28'), false, 'and so does its last');
select is(ingest.ensure_partition('game_user', '2031-12-31'), true, 'each stream has its own months');
select has_table('game', 'level_up_2031_02', 'a month''s table is named by it');
select has_table('game', 'game_user_snapshot_2031_12', 'after the table that it is part of');

set local timezone = 'UTC';
select is(
  (select pg_get_expr(relpartbound, oid) from pg_class where oid = 'game.level_up_2031_02'::regclass),
  'FOR VALUES FROM (''2031-02-01 00:00:00+00'') TO (''2031-03-01 00:00:00+00'')',
  'it is bounded in UTC');
select is(
  (select pg_get_expr(relpartbound, oid) from pg_class
     where oid = 'game.game_user_snapshot_2031_12'::regclass),
  'FOR VALUES FROM (''2031-12-01 00:00:00+00'') TO (''2032-01-01 00:00:00+00'')',
  'a year''s last month ends with the year');

prepare reach (timestamptz) as
  insert into game.level_up
    (leveled_up_at, user_id, user_level, app_id, text_repaired, source_file_id, line_number)
    values ($1, 'u', 1, '', false, 1, 1);
select lives_ok($$ execute reach('2031-02-28 23:59:59.999+00') $$, 'its last millisecond is inside');
select throws_ok($$ execute reach('2031-03-01 00:00:00+00') $$, '23514', null, 'the next one is not');
select throws_ok($$ execute reach('2031-02-28 23:59:59.999+00') $$, '23505', null,
  'the natural key holds in it, with an absent character as a value');

select throws_ok($$ select ingest.ensure_partition('receipt', '2031-02-01') $$, '42704', null,
  'a stream that is not partitioned is refused');
select throws_ok($$ select ingest.ensure_partition('x; drop table game.receipt', '2031-02-01') $$,
  '42704', null, 'and so is a name that is no stream');

-- A style that writes zones as abbreviations, in a zone whose abbreviation means another one.
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
select is(ingest.ensure_partition('level_up', '2032-05-01'), true, 'a month is made in any style');
set local timezone = 'UTC';
set local datestyle = 'ISO';
select is(
  (select pg_get_expr(relpartbound, oid) from pg_class where oid = 'game.level_up_2032_05'::regclass),
  'FOR VALUES FROM (''2032-05-01 00:00:00+00'') TO (''2032-06-01 00:00:00+00'')',
  'and it is the same month');
select throws_ok($$ select ingest.ensure_partition('level_up', '0100-05-01 BC') $$, '22008', null,
  'a year before the first is refused');
select throws_ok($$ select ingest.ensure_partition('level_up', '12025-05-01') $$, '22008', null,
  'and so is one of five digits');
select throws_ok($$ select ingest.ensure_partition('level_up', 'infinity') $$, '22008', null,
  'and one without end');
select results_eq(
  $$ select attname from pg_attribute where attrelid = 'game.level_up_2032_05'::regclass
       and attnum > 0 and attstattarget = 0 order by attname $$,
  $$ select attname from pg_attribute where attrelid = 'game.level_up'::regclass
       and attnum > 0 and attstattarget = 0 order by attname $$,
  'ANALYZE passes over the same columns in a month as in the whole');

-- A zone whose clocks passed over the first hour of a month.
set local timezone = 'America/Asuncion';
select is(ingest.ensure_partition('level_up', '2023-10-01'), true, 'a month is made in any zone');
set local timezone = 'UTC';
select is(
  (select pg_get_expr(relpartbound, oid) from pg_class where oid = 'game.level_up_2023_10'::regclass),
  'FOR VALUES FROM (''2023-10-01 00:00:00+00'') TO (''2023-11-01 00:00:00+00'')',
  'and begins at its beginning');

-- What stands in a month's place.
create table game.level_up_2033_01 (like game.level_up);
select throws_ok($$ select ingest.ensure_partition('level_up', '2033-01-01') $$, '55000', null,
  'a table that is no partition is told');
create table game.level_up_2033_02 partition of game.game_user_snapshot for values
  from ('2033-02-01') to ('2033-03-01');
select throws_ok($$ select ingest.ensure_partition('level_up', '2033-02-01') $$, '55000', null,
  'and so is one of another table');
alter table game.level_up replica identity full;
alter table game.level_up add column gone text;
alter table game.level_up drop column gone;
select ingest.ensure_partition('level_up', '2033-03-01') \g /dev/null
select is((select relreplident from pg_class where oid = 'game.level_up_2033_03'::regclass), 'f',
  'a publication tells rows of a month apart as those of the whole');
select is(obj_description('game.level_up_2033_03'::regclass),
  'One row per row of game.level_up in 2033-03, UTC. Made by: ingest.ensure_partition.',
      'a month says what it is');

create table public.level_up_2033_05 ();
select is(ingest.ensure_partition('level_up', '2033-05-01'), true, 'a table of its name in another schema is nothing to it');
set local default_tablespace = 'pg_global';
select lives_ok($$ select ingest.ensure_partition('level_up', '2033-04-01') $$,
  'a month is in the database''s own tablespace');

select * from finish();
rollback;
