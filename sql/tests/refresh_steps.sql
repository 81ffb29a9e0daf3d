-- A refresh decides whether it is a rebuild, and notes rows: these tests check the two steps.
begin;
\ir parts/reports.sql
select plan(10);

-- rollup.needs_rebuild: a refresh of mostly new rows is a rebuild.
-- The entry of a file with so many rows.
create function pg_temp.enter(p_count bigint) returns void language sql as $$
  select ingest.close_files(array[f], array[sha256(int8send(-f))], '{1}', array[p_count], array[p_count], '{0}', '{0}',
      '{0}', '{0}')
    from pg_temp.open_file('receipt', 'a.jsonl') f
$$;
-- Notes that the reports have all files up to now.
create function pg_temp.know() returns void language sql as $$
  update rollup.refresh_state set source_file_id = (select max(f.source_file_id) from ingest.source_file f)
    where stream = 'receipt'
$$;
update rollup.refresh_state set source_file_id = 0;

select ok(not rollup.needs_rebuild(), 'without a file nothing is new');
select pg_temp.enter(1) \g /dev/null
select ok(rollup.needs_rebuild(), 'a first refresh reads everything');
select pg_temp.know() \g /dev/null
select pg_temp.enter(99999) \g /dev/null
select ok(not rollup.needs_rebuild(), '99,999 new rows are few');
select pg_temp.enter(1) \g /dev/null
select ok(rollup.needs_rebuild(), '100,000 new rows after one are mostly new');
update ingest.source_file set undone_at = now() where source_file_id = (select max(source_file_id) from ingest.source_file);
select ok(not rollup.needs_rebuild(), 'an undone file does not count');
select pg_temp.know() \g /dev/null
select ok(not rollup.needs_rebuild(), 'nothing is new after a refresh');
select pg_temp.enter(399999) \g /dev/null
select ok(not rollup.needs_rebuild(), 'less than four times the known rows are not mostly new');
select pg_temp.enter(1) \g /dev/null
select ok(rollup.needs_rebuild(), 'four times the known rows are mostly new');

-- rollup.note_statement, by the columns of ingest.stream that are about reports.
select pg_temp.add('receipt', 'a', 'u 1:@07-01'), pg_temp.add('level_up', 'a', 'u 2@07-02'),
  pg_temp.add('game_user', 'a', 'u 1@07-03 source=load_start 1@07-30'),
  pg_temp.add('item', 'a', 'gem source=option @07-04 source=load_start @07-30'),
  pg_temp.add('event', 'a', 'u idPRevoked@07-05') \g /dev/null
select pg_temp.load_lines();

create temporary table noted (like rollup.touched_row);
do $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream where time_column is not null loop
    execute rollup.note_statement(registered.stream, format('game.%I', registered.target_table), 'pg_temp.noted');
  end loop;
end
$$;
select pg_temp.shows('select stream, app_id, user_id, event_at, is_dated, line_number, payment_seq from noted', $$
  receipt   a u 2025-07-01T00:00 t 1 1
  level_up  a u 2025-07-02T00:00 t 1 -
  game_user a u 2025-07-03T00:00 t 1 -
  game_user a u 2025-07-30T00:00 f 2 -
  item      a - 2025-07-04T00:00 t 1 -
  item      a - 2025-07-30T00:00 f 2 -
  event     a - 2025-07-05T00:00 t 1 -   # an event is in no figure of a player $$,
  'a note has the time of the row, its user if the reports count players by it, and the payment of a receipt');
select bag_eq('select stream, app_id, event_at, is_dated, source_file_id from noted',
  (select string_agg(format('select %L, app_id, event_at, is_dated, source_file_id from (%s) r', s.stream,
      staging.standing_rows(s.stream)), ' union all ') from ingest.stream s),
  'the live views give every row the same time');

select * from finish();
rollback;
