-- ingest.prune: what it removes, what it keeps, and that no total of the reports changes.
begin;
\ir parts/reports.sql
\ir parts/acceptance_functions.sql
select plan(17);

-- Kathmandu is 5:45 hours ahead of UTC: its days begin at 18:15.
select pg_temp.set_zone('Asia/Kathmandu');
select pg_temp.add('receipt', 'a', 'u ' || rows), pg_temp.load_lines(path)
  from (values ('first', 'p1:100@01-01 p2:100@01-01 p3:100@01-01 p4:100@01-01'),
    ('second', 'p1:200@01-01 p2:200@01-01 p3:200@01-01 p4:200@01-01'), ('third', 'p3:300@01-01'), ('undone', '@01-01'),
    ('undone-later', '@01-01')) f (path, rows) \g /dev/null
select ingest.undo_files(array[pg_temp.file('undone'), pg_temp.file('undone-later')]) \g /dev/null
-- p1 and p3 are accepted long ago, p4 only now, and p2 is open. p3 has an open conflict of a later file.
select pg_temp.accept(p_file => 'second', p_key => to_jsonb(array[key]))
  from unnest(array['p1', 'p3', 'p4']) key \g /dev/null
update ingest.acceptance set accepted_at = '2025-03-01 00:00Z'
  where acceptance_id <> (select acceptance_id from ingest.conflict where natural_key = '["p4"]');
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, field, reason, raw, raw_byte_count,
    resolved_at, resolved_order)
  select pg_temp.file(path), 'receipt', line, 0, code, field, 'r', 'x', 1, resolved_at::timestamptz, resolved_order
    from (values
      ('first', 10, 'x', 'price', null, null), ('first', 11, 'x', 'price', '2025-03-01', 7),
      ('first', 12, 'x', 'price', '2025-03-01', 8), ('first', 13, 'y', null, null, null),
      ('second', 20, 'x', 'price', null, null), ('second', 21, 'x', 'price', '2025-03-01', null),
      ('second', 22, 'x', 'price', '2025-03-01', 9), ('second', 23, 'x', 'price', '2031-01-01', 99),
      ('third', 30, 'x', 'price', null, null)
    ) v (path, line, code, field, resolved_at, resolved_order);
update ingest.source_file set loaded_at = v.loaded_at::timestamptz, undone_at = v.undone_at::timestamptz
  from (values ('first', '2025-01-31 18:14:59Z', null), ('second', '2025-01-31 18:15Z', null),
    ('third', '2025-05-01 00:00Z', null), ('undone', '2025-01-31 00:00Z', '2025-02-01'),
    ('undone-later', '2025-01-31 00:00Z', '2025-06-01')) v (path, loaded_at, undone_at)
  where source_file.path = v.path;
insert into ingest.failed_file (load_id, stream, path, reason, failed_at)
  select max(load_id), 'receipt', path, 'x', '2025-01-31 18:20Z'
    from ingest.load, unnest(array['dismissed', 'dismissed-later', 'open']) path group by path;
insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code, reason, raw, raw_byte_count)
  select failed_file_id, line, 0, 'z', 'r', 'x', 1 from ingest.failed_file, generate_series(1, 2) line;
insert into ingest.failure_dismissal (kind, stream, path, reason, failed_at, dismissed_at)
  values ('failed', 'receipt', 'dismissed', 'x', '2025-01-31', '2025-02-01'),
    ('failed', 'receipt', 'dismissed-later', 'x', '2025-01-31', '2025-06-01'),
    ('undone', 'receipt', 'undone', 'x', '2025-02-01', '2025-02-01'),
    ('undone', 'receipt', 'undone-later', 'x', '2025-06-01', '2025-06-01'),
    -- Of another stream than the failures of these paths.
    ('failed', 'level_up', 'open', 'x', '2025-01-31', '2025-02-01'),
    ('undone', 'level_up', 'undone-later', 'x', '2025-01-31', '2025-02-01');
insert into ingest.load (loader_version, started_at, seen_at)
  values ('without files', '2025-02-01', null), ('long', '2025-02-01', '2025-06-01'), ('new', '2025-06-01', null);

select rollup.create_working_tables(false), rollup.refresh_conflict_lines(array(select source_file_id from ingest.source_file)) \g /dev/null
create temporary view total as
  select 'quality ' || to_jsonb(q)::text as row from report.quality_by_day q
  union all
  select 'day ' || to_jsonb(d)::text from report.reject_by_day d
  union all
  select 'summary ' || (to_jsonb(s) - 'example_path' - 'example_line_number' - 'example_reason')::text
    from report.reject_summary s
  union all
  select 'failure ' || to_jsonb(f)::text from report.open_failure f
  union all
  select 'horizon ' || to_jsonb(h)::text from report.horizon h
  union all
  select 'known ' || f.path from ingest.source_file f where f.undone_at is null;
create temporary table before as table total;
select pg_temp.shows('select day, code, is_loaded, reject_count from report.reject_by_day', $$
  2025-01-31 x t 3
  2025-01-31 y t 1
  2025-02-01 x t 4
  2025-02-01 z f 6
  2025-05-01 x t 1 $$, 'the days of Kathmandu part the lines within an hour');

select pg_temp.shows($$ select * from ingest.prune('2025-05-01 00:00Z') $$, $$ 5 1 1 1 1 $$,
  'refused lines, accepted conflicts, a dismissed failure, an undone file and a run are removed');
select set_eq('table total', 'table before', 'no total and no known file changes');
select pg_temp.shows('select line_number from ingest.reject order by 1', $$
  12   # by it an undo finds that the file depends on others
  21   # its order is unknown, so it counts as the newest
  23   # was resolved later
  30   # of a newer file
  $$, 'refused lines stay if they are new, or tell of the newest replay');
select pg_temp.shows('select natural_key ->> 0, amount from (select natural_key, refused as amount from ingest.conflict) c', $$
  p2 200   # is open
  p3 200   # a later line of the key is open
  p3 300
  p4 200   # was accepted later
  $$, 'conflicts stay that are open, new, or compared with such ones');
select pg_temp.shows('select natural_key ->> 0 from ingest.overlaid_row', 'p3 | p4',
  'the values of accepted lines that are removed become loaded ones');
select pg_temp.shows('select path from ingest.failed_file', 'dismissed-later | open',
  'failures stay that are open, or were dismissed later');
select is((select count(*) from ingest.failure_dismissal), 2::bigint, 'and so do their dismissals');
select pg_temp.shows('select path from ingest.source_file', 'first | second | third | undone-later',
  'every loaded file stays known');
select pg_temp.shows($$ select loader_version from ingest.load where loader_version <> 'test' $$, 'long | new',
  'runs with a later sign of life stay');
select pg_temp.shows($$ select f.path, r.counted_at, r.code, r.field, r.reject_count, r.open_count
    from ingest.pruned_reject r left join ingest.source_file f using (source_file_id) $$, $$
  -      2025-01-31T18:15 z - 2 2
  first  2025-01-31T18:00 x price 2 1
  first  2025-01-31T18:00 y - 1 1
  second 2025-01-31T18:15 x price 2 1
  $$, 'the lines are counted by file, quarter of an hour, code and field');
select pg_temp.shows($$ select app_id, conflict_count from ingest.pruned_conflict $$, $$ a 1 $$,
  'conflicts are counted by application');
select pg_temp.shows($$ select * from ingest.prune('2025-05-01 00:00Z') $$, $$ 0 0 0 0 0 $$,
  'a second call removes nothing');

select pg_temp.shows($$ select reject_count, conflict_count, failure_count, file_count from ingest.prune('2031-06-01 00:00Z') $$,
  $$ 2 1 1 1 $$, 'a later moment removes what has become old');
select set_eq('table total', 'table before', 'and still no total changes');
select is((select sum(reject_count) from ingest.pruned_reject where source_file_id is not null), 7::numeric,
  'its lines are added to the counts');

select ingest.undo_files(array[pg_temp.file('second')]) \g /dev/null
select pg_temp.shows($$ select distinct f.path from ingest.pruned_reject r join ingest.source_file f using (source_file_id) $$,
  $$ first
     third $$, 'an undo of a file takes its counts back');

select * from finish();
rollback;
