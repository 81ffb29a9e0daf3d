-- The first step of a merge in a cluster, which also works on one server.
begin;
\ir parts/files.sql
select plan(8);

-- Times of both months, so that the range of months matters.
select pg_temp.load_rows('level_up', 'stored', $$
  a at=2031-02-03T00:00:00+00 | b at=2031-02-20T00:00:00+00 | c at=2031-03-05T00:00:00+00 $$) \g /dev/null
select pg_temp.open_file('level_up', 'again') as again \gset
select pg_temp.stage('level_up', :again, variadic pg_temp.in_full('level_up', $$
  c at=2031-03-05T00:00:00+00 | a at=2031-02-03T00:00:00+00 | b at=2031-02-20T00:00:00+00 class=other
  d at=2031-02-20T00:00:00+00 | a at=2031-02-03T00:00:00+00 $$));
select is(staging.settle_repeats('level_up', :again), 3::bigint, 'whole repeats of both months are settled');
select is(pg_temp.rows('select line_number, user_id from staging_level_up order by 1'), '(3,b) (4,d)',
  'a row with another value and a new one stay staged');
select is((select (line_count, duplicate_count) from ingest.source_file where source_file_id = :again),
  (3::bigint, 3::bigint), 'they count as duplicates of the file');
select is((select (first_event_at, newest_event_at)::text from ingest.file_app where source_file_id = :again),
  (select (min(leveled_up_at), max(leveled_up_at))::text from game.level_up where user_id in ('a', 'c')),
  'their application and times count for the file');
select is((select (c.inserted, c.filled, c.duplicates, c.conflicts)::text from staging.merge('level_up', :again) c),
  '(1,1,0,0)', 'the merge goes on with the others');

-- Rows without a month, and rows of another file, which the merge refuses.
select pg_temp.load_rows('receipt', 'paid', 'p | q') \g /dev/null
select pg_temp.open_file('receipt', 'paid again') as paid \gset
select pg_temp.stage('receipt', :paid, '{"payment_seq": "p"}', '{"payment_seq": "q"}', '{"payment_seq": "p"}');
update staging_receipt set source_file_id = :again where line_number = 3;
update staging_receipt set line_number = 1 where line_number = 3;
select is(staging.settle_repeats('receipt', :paid), 2::bigint, 'only rows of the file are settled');
select is(pg_temp.rows('select line_number, payment_seq from staging_receipt'), '(1,p)', 'a row of another file stays');
select throws_ok(format($$ select staging.merge('receipt', %s) $$, :paid), '42501', null, 'and the merge refuses it');

select * from finish();
rollback;
