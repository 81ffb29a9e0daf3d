-- ingest.drop_month keeps the first and last observations of a month, and an undo of their file forgets them.
\ir parts/files.sql
select plan(7);

select pg_temp.load_rows('level_up', 'a', $$
  u at=2031-02-03T00:00:00+00 | u at=2031-02-09T00:00:00+00 | u at=2031-02-05T00:00:00+00
  v at=2031-02-04T00:00:00+00 $$) \g /dev/null
select pg_temp.load_rows('level_up', 'b', 'u at=2031-02-06T00:00:00+00') \g /dev/null
-- A snapshot without a time of its own is no observation.
select pg_temp.load_rows('game_user', 'c', $$
  u at=2031-02-07T00:00:00+00 source=line | w at=2031-02-08T00:00:00+00 source=load_start $$) \g /dev/null
\ir parts/refresh.sql

create function pg_temp.kept() returns text language sql as $$
  select string_agg(format('%s %s %s %s-%s', k.user_id, k.stream, f.path,
      to_char(k.first_observed_at at time zone 'UTC', 'DD'), to_char(k.last_observed_at at time zone 'UTC', 'DD')), ', '
      order by k.user_id, k.stream desc, f.path)
    from ingest.kept_observation k join ingest.source_file f using (source_file_id)
$$;

-- The counts that an undo returns, of two files of which one has no row.
begin;
select pg_temp.load_rows('level_up', 'd', 'u at=2031-02-06T00:00:00+00') \g /dev/null
select string_agg(f.path || ' ' || u.row_count, ', ' order by f.path) as undone
  from ingest.undo_files(array[pg_temp.file('d'), pg_temp.file('b')]) u
  join ingest.source_file f using (source_file_id) \gset
rollback;
select is(:'undone'::text, 'b 1, d 0', 'an undo counts the rows of each file, 0 where it had none');

begin;
select ingest.reopen_file(pg_temp.file('a')) \g /dev/null
select string_agg(source_file_id::text, ' ') as noted from rollup.touched_file \gset
rollback;
select is(:'noted'::text, pg_temp.file('a')::text, 'a reopened file is noted for the next refresh');

select ingest.drop_month('level_up', '2031-02-01'), ingest.drop_month('game_user', '2031-02-01') \g /dev/null
select is(pg_temp.kept(), 'u level_up a 03-09, u level_up b 06-06, u game_user c 07-07, v level_up a 04-04',
  'the first and the last observation of each user, stream and file are kept');
select is(pg_temp.rows($$ select stream, month, source_file_id from rollup.dropped_month order by 1 $$),
  pg_temp.rows($$ values ('game_user', date '2031-02-01', pg_temp.file('c')),
    ('level_up', date '2031-02-01', pg_temp.file('b')) $$),
  'a dropped month names the newest file that the reports contain');
begin;
delete from rollup.touched_row;
select from ingest.undo_files(array[pg_temp.file('a'), pg_temp.file('b')]) \g /dev/null
select string_agg(user_id, ' ' order by user_id) as noted from rollup.touched_row \gset
rollback;
select is(:'noted'::text, 'u v', 'an undo of two files notes a user of both once');
delete from rollup.touched_row;
select from ingest.undo_files(array[pg_temp.file('a')]) \g /dev/null
select is(pg_temp.kept(), 'u level_up b 06-06, u game_user c 07-07', 'an undo forgets those of its files alone');
select is(pg_temp.rows($$ select stream, app_id, user_id, event_at, is_dated from rollup.touched_row order by 3 $$),
  '(observation,"",u,-infinity,f) (observation,"",v,-infinity,f)', 'and notes each of their users once');

select * from finish();
