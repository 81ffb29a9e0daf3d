-- ingest.drop_month and ingest.month_partitions: the months of a stream, and the data dropped with one.
\ir parts/files.sql
\ir parts/acceptance_functions.sql
select plan(14);
set timezone = 'Asia/Seoul';

-- The first and the last moment of February and their neighbors, in a stream with the time at the end of its key.
select ingest.ensure_partition('level_up', '2031-01-01') \g /dev/null
select pg_temp.load('level_up', path, variadic array(
    select jsonb_strip_nulls(jsonb_build_object('leveled_up_at', at, 'channel_id', channel))
      from unnest(array['2031-01-31 23:59:59.999+00', '2031-02-01 00:00:00+00', '2031-02-28 23:59:59.999+00',
        '2031-03-01 00:00:00+00']) at))
  from (values ('a', null), ('b', 'k'), ('c', 'l')) f (path, channel) \g /dev/null
select pg_temp.accept('{level_up}', p_file => 'c') \g /dev/null
-- The same key in another stream.
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  select 'game_user', natural_key, field, source_file_id, line_number from ingest.fill where line_number = 2;
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  select 'game_user', o.natural_key, o.loaded_values from ingest.overlaid_row o
    join ingest.conflict c on c.natural_key = o.natural_key and c.line_number = 2;
insert into ingest.conflict
    (acceptance_id, stream, natural_key, field, kept, refused, source_file_id, line_number)
  select acceptance_id, 'game_user', natural_key, field, kept, refused, source_file_id, line_number
    from ingest.conflict where line_number = 2;
create table game.level_up_2036_01 partition of game.game_user_snapshot
  for values from ('2036-01-01') to ('2036-02-01');
create table game.receipt_2036_01 () inherits (game.receipt);
create table game.level_up_spare partition of game.level_up for values from ('2035-01-01') to ('2035-02-01');

select is(pg_temp.rows($$ select month, partition from ingest.month_partitions('level_up') $$),
  '(2031-01-01,game.level_up_2031_01) (2031-02-01,game.level_up_2031_02)'
    || ' (2031-03-01,game.level_up_2031_03)', 'the months of a stream are listed in order, without other partitions');
select is(pg_temp.rows($$ select month, partition from ingest.month_partitions('game_user') $$),
  '(2031-02-01,game.game_user_snapshot_2031_02) (2031-03-01,game.game_user_snapshot_2031_03)',
  'each stream has its own months');
select is((select count(*) from ingest.month_partitions('receipt')),
  0::bigint, 'a stream without partitions has no months');
select cmp_ok((select min(z.estimated_rows)
    from ingest.month_partitions('level_up') m, ingest.month_size('level_up', m.partition) z),
  '>=', 0::bigint, 'an estimated number of rows is not negative');

select is(ingest.drop_month('level_up', '2030-02-01'), false, 'a month without a partition returns false');
select throws_ok($$ select ingest.drop_month('level_up', '2031-02-01') $$, '55000', null,
  'no month is dropped while the reports lack its rows');
\ir parts/refresh.sql
begin;
select is(ingest.drop_month('level_up', '2031-02-01'), true, 'a month with a partition returns true');
select hasnt_table('game', 'level_up_2031_02', 'the partition is dropped');
select is((select count(*) from game.level_up), 2::bigint, 'the rows of the month are gone');
select is(pg_temp.rows($$ select stream, line_number from ingest.fill order by 1, 2 $$),
  '(game_user,2) (level_up,1) (level_up,4)', 'the fills of the rows are deleted');
select is(pg_temp.rows($$ select o.stream, extract(month from (o.natural_key ->> 4)::timestamptz at time zone 'UTC')
       from ingest.overlaid_row o order by 1, 2 $$),
  '(game_user,2) (level_up,1) (level_up,3)', 'the loaded values of the rows are deleted');
select is(pg_temp.rows($$ select stream, line_number, acceptance_id is null from ingest.conflict order by 1, 2 $$),
  '(game_user,2,f) (level_up,1,f) (level_up,2,t) (level_up,3,t) (level_up,4,f)', 'the conflicts of the rows are open');
select is((select count(*)
       from pg_catalog.pg_locks
       where locktype = 'advisory' and pid = pg_backend_pid() and mode = 'ShareLock'
         and objid::bigint | (classid::bigint << 32) = ingest.lock_key('migrate')),
  1::bigint, 'the drop holds the shared lock against migrations');
commit;
select is(ingest.drop_month('receipt', '2031-02-01'), false, 'a stream without partitions returns false');

select * from finish();
