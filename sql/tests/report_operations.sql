-- The operation of loads: horizons, which follow from the files of an application, the setting receipt-feed, freshness,
-- gaps in the calendar, the quality of the rows, refused lines and runs. Each theme has applications of its own.
\ir parts/reports.sql
select plan(30);

create temporary view app_of_file as
  select f.path, a.app_id, a.first_event_at, a.newest_event_at
    from ingest.file_app a join ingest.source_file f using (source_file_id);
create temporary view money_day as
  select app_id, period_start, payer_count, is_complete from report.payers_by_period where period = 'day';

-- The ledger: new, filled and known lines count for their applications, a contradicting line does not.
select pg_temp.add('receipt', 'a', 'u store=- a1:@05-01T10:00 store=GG a2:@05-02T10:00'),
  pg_temp.add('receipt', 'b', 'u b1:@05-01T09:00'), pg_temp.load_lines('new') \g /dev/null
select pg_temp.add('receipt', 'a', 'u a1:@05-01T10:00 a2:@05-04T10:00'),
  pg_temp.add('receipt', 'b', 'u b1:@05-01T09:00 b2:@05-03T09:00 b2:@05-03T09:00'), pg_temp.load_lines('mixed') \g /dev/null
select pg_temp.add('receipt', 'a', 'u a2:@05-02T10:00 store=AS a1:@05-01T10:00'), pg_temp.load_lines('known') \g /dev/null
select pg_temp.add('game_user', 'a', 'u source=load_start 1@05-20'),
  pg_temp.add('game_user', 'b', 'u 1@05-06 source=load_start 1@05-20') \g /dev/null
select pg_temp.load_lines('snapshots');
select pg_temp.shows('table app_of_file', $$
  new       a 2025-05-01T10:00 2025-05-02T10:00
  new       b 2025-05-01T09:00 2025-05-01T09:00
  mixed     a 2025-05-01T10:00 2025-05-01T10:00   # filled; the line that contradicts the stored row does not count
  mixed     b 2025-05-01T09:00 2025-05-03T09:00   # known and new
  known     a 2025-05-02T10:00 2025-05-02T10:00
  snapshots a - -                                 # a line without a time of its own is no event
  snapshots b 2025-05-06T00:00 2025-05-06T00:00 $$, 'new, filled and known lines count for their applications');
select pg_temp.shows('select app_id, stream, first_event_at, newest_event_at from report.horizon', $$
  a receipt   2025-05-01T10:00 2025-05-02T10:00
  b receipt   2025-05-01T09:00 2025-05-03T09:00
  b game_user 2025-05-06T00:00 2025-05-06T00:00 $$, 'the horizon goes by accepted lines');
select throws_ok($$ select ingest.record_apps(array[1000000::bigint], '{a}', '{0}', '{0}') $$, '42501', null,
  'the applications of a file are recorded by the transaction that opened it');

-- Application k: a file of known lines, whose row belongs to a file that came later. Its files are undone later, and
-- the only user of j is erased.
select pg_temp.add('receipt', 'k', 'u k1:@05-01'), pg_temp.add('receipt', 'j', 'u @05-01 @05-03'),
  pg_temp.load_lines('k-first') \g /dev/null
select pg_temp.add('receipt', 'k', 'u k1:@05-01 k2:@05-03'), pg_temp.load_lines('k-second') \g /dev/null
select pg_temp.add('receipt', 'k', 'u k2:@05-03'), pg_temp.load_lines('k-third') \g /dev/null

-- Application e: its receipt files stop on 2025-05-02, while receipts within events go on. The third receipt comes on the
-- day of the horizon, but later; it is older than its event.
select pg_temp.add('receipt', 'e', 'u @05-01 @05-02T10:00'), pg_temp.load_lines('e-files') \g /dev/null
select pg_temp.add('event', 'e',
    '- payment_seq=e3 purchaseUpdated@05-02T11:00 payment_seq=e4 purchaseUpdated@05-05T09:00'),
  pg_temp.add('receipt', 'e', 'u e3:@05-02T10:59 e4:@05-05T09:00') \g /dev/null
select pg_temp.load_lines('{event, receipt}', 'e-events');
select pg_temp.shows('select * from app_of_file where path = ''e-events''',
  'e-events e 2025-05-02T11:00 2025-05-05T09:00', 'a file of events counts by the time of the events');

-- Weekly level-ups of application g: the number of lines of each Monday from 2025-03-03 on. The newest is not over.
insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
  select 'g', 'u' || n, 1, day::timestamp at time zone 'UTC' + interval '10 hours'
    from (values ('2025-03-03'::date, 4), ('2025-03-10', 2), ('2025-03-24', 1), ('2025-03-31', 3), ('2025-04-07', 5),
      ('2025-04-14', 1), ('2025-04-21', 4), ('2025-04-28', 3), ('2025-05-05', 6)) v (day, lines),
      generate_series(1, lines) n;
select pg_temp.load_lines('weekly');

-- A conflict counts for the application of its row, which later changes.
select pg_temp.add('receipt', '', 'u h1:100@05-01T10:00'), pg_temp.load_lines('held') \g /dev/null
select pg_temp.add('game_user', 'h', 'u 3@05-01T10:00'), pg_temp.load_lines('held snapshot') \g /dev/null
select pg_temp.add('receipt', '', 'u h1:200@05-01T10:00'), pg_temp.add('game_user', 'h', 'u 4@05-01T10:00'),
  pg_temp.load_lines('contradicting') \g /dev/null
update ingest.source_file set loaded_at = '2025-05-09 10:00Z' where path = 'contradicting';
create temporary view contradicting as
  select stream, app_id, conflict_count from report.quality_by_day where loaded_on = '2025-05-09' and conflict_count > 0;
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select app_id, stream, first_event_at, newest_event_at from report.horizon where app_id = 'e' $$, $$
  e receipt 2025-05-01T00:00 2025-05-02T10:00
  e event   2025-05-02T11:00 2025-05-05T09:00 $$, 'a receipt in an event moves no horizon of receipts');
select pg_temp.shows($$ select * from money_day where app_id in ('e', 'k') $$, $$
  e 2025-05-01 1 t
  e 2025-05-02 1 f
  e 2025-05-03 0 f
  e 2025-05-04 0 f
  e 2025-05-05 1 f
  k 2025-05-01 1 t
  k 2025-05-02 0 t
  k 2025-05-03 1 f $$, 'money has a row for every stored receipt, complete up to the horizon of the receipt files');
select pg_temp.shows(
  $$ select day, line_count, is_missing, is_unusual from report.calendar_gap where app_id = 'e' and stream = 'receipt' $$, $$
  2025-05-01 1 f -
  2025-05-02 1 f -   # the receipt at 10:59 came in an event
  2025-05-03 0 t -
  2025-05-04 0 t -
  2025-05-05 0 t - $$, 'a dead feed of receipt files shows as missing days');
select pg_temp.shows($$ select period_start, observed_user_count, is_complete from report.observed_by_period
       where app_id = 'e' and period = 'day' $$, $$
  2025-05-01 1 t
  2025-05-02 1 f
  2025-05-03 0 f
  2025-05-04 0 f
  2025-05-05 1 f $$, 'observed users follow the same feed, and reach to the newest observation');

select pg_temp.shows($$ select day, line_count, trim_scale(median_line_count::numeric), is_missing, is_unusual
       from report.calendar_gap where app_id = 'g' and stream = 'level_up'
         and (extract(isodow from day) = 1 or day in ('2025-03-04', '2025-03-11')) $$, $$
  2025-03-03 4 -   f -   # no earlier Monday
  2025-03-10 2 4   f f   # half of it
  2025-03-17 0 3   t t   # 4 2
  2025-03-24 1 2   f f   # 4 2 0
  2025-03-31 3 1.5 f f   # 4 2 0 1; twice the median
  2025-04-07 5 2   f t   # 4 2 0 1 3
  2025-04-14 1 2.5 f t   # 4 2 0 1 3 5
  2025-04-21 4 2   f f   # 4 2 0 1 3 5 1
  2025-04-28 3 2.5 f f   # 4 2 0 1 3 5 1 4
  2025-05-05 6 2.5 f -   # 2 0 1 3 5 1 4 3, without 2025-03-03; the day is incomplete
  2025-03-04 0 -   t -   # a Tuesday, of which there is no earlier one
  2025-03-11 0 0   t f   # missing, and usual, since no Tuesday has a line
  $$, 'each day is compared with the same weekday of the eight weeks before');
select pg_temp.shows(
  $$ select stream, count(*), min(day), max(day) from report.calendar_gap where app_id = 'g' group by stream $$, $$
  level_up 64 2025-03-03 2025-05-05 $$, 'every day of a stream has a row, and a stream without rows has none');

select pg_temp.shows('table pg_temp.contradicting', 'receipt '''' 1 | game_user h 1',
  'a conflict counts for the application of its row');
select pg_temp.add('receipt', 'h', 'u h1:@05-01T10:00'), pg_temp.load_lines('filling') \g /dev/null
select ingest.undo_files(array[pg_temp.file('held snapshot')]) \g /dev/null

-- Application f: the receipts are two days and two hours behind the level-ups. Each file has its own load time.
select pg_temp.add('receipt', 'f', 'u @05-01T10:00 sandbox @05-03T10:00'), pg_temp.add('level_up', 'f', 'u 1@05-05T12:00'),
  pg_temp.add('game_user', 'f', 'u 1@05-04 source=load_start 1@05-20'), pg_temp.load_lines('fresh') \g /dev/null
select pg_temp.add('receipt', 'f', 'u @05-02T10:00'), pg_temp.load_lines('undone') \g /dev/null
update ingest.source_file set loaded_at = case when path = 'undone' then timestamptz '2025-05-06 01:00Z'
    when stream = 'receipt' then '2025-05-05 15:30Z' else '2025-05-05 14:00Z' end
  where path in ('fresh', 'undone');
select pg_temp.shows($$ select stream, newest_event_at, newest_loaded_at, hours_behind_app
       from report.freshness where app_id = 'f' $$, $$
  receipt   2025-05-03T10:00 2025-05-06T01:00 50.00
  level_up  2025-05-05T12:00 2025-05-05T14:00 0.00
  game_user 2025-05-04T00:00 2025-05-05T14:00 36.00   # load_start is no event
  $$, 'freshness shows rows that no refresh has seen');
select ingest.undo_files(array[pg_temp.file('undone')]) \g /dev/null

-- The quality of rows by day of load.
select pg_temp.add('receipt', 'q', $$
  u q1:@05-01T10:00 sandbox=f q5:-@05-01T10:00 q6:0@05-01T10:00 q7:@05-01T10:00/06-01T10:00 type=UNKNOWN q4:@05-01T10:00
  u sandbox=f price_imprecise q2:@05-01T10:00 price_imprecise=f price_repaired text_repaired q3:@05-01T10:00
  u sandbox q8:@05-01T10:00/06-01T10:00 sandbox=f type=AUTO_RENEWABLE q9:@05-01T10:00/06-01T10:00 $$),
  pg_temp.add('game_user', 'q', 'u 1@05-01T10:00 source=load_start 1@05-02T10:00 1@05-03T10:00') \g /dev/null
select pg_temp.load_lines('quality');
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, field, reason, raw, raw_byte_count)
  select source_file_id, stream, n, 0, 'test_code', 'price', 'first', '', 0
    from ingest.source_file, generate_series(1, 2) n where path = 'quality' and stream = 'receipt';
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  select 'receipt', key::jsonb, 'amount_minor', '1', '2', source_file_id, line
    from ingest.source_file, (values (30, '["q1"]'), (31, '["gone"]')) v (line, key)
    where path = 'quality' and stream = 'receipt';
update ingest.source_file set loaded_at = '2025-05-05 23:30Z' where path = 'quality';
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select app_id, line_count, conflict_count, unknown_sandbox_count, unpriced_count, free_count, imprecise_count,
       repaired_count, unknown_product_type_count, untyped_expiry_count
       from report.quality_by_day where stream = 'receipt' and app_id = 'q' and loaded_on = '2025-05-05' $$, $$
  q 9 1 1 1 1 1 1 1 2 $$, 'each flaw of a row is counted, an expiry without a subscription type in the sandbox too');
select pg_temp.shows($$ select reject_count, conflict_count from report.quality_by_day
       where stream = 'receipt' and app_id is null and loaded_on = '2025-05-05' $$, '2 1',
  'refused lines and conflicts of rows that are gone have no application');
select pg_temp.shows($$ select stream, line_count, load_start_count from report.quality_by_day
       where stream = 'game_user' and app_id = 'q' $$, 'game_user 3 2', 'rows of load_start are counted');

select ingest.erase_user('u', 'j', sha256('u'), sha256('key')) \g /dev/null
select ingest.undo_files(array[pg_temp.file('k-second'), pg_temp.file('k-third')]) \g /dev/null
insert into ingest.setting (name, value) values ('receipt-feed.e', 'events');
\ir parts/refresh.sql
select pg_temp.shows($$ select * from money_day where app_id in ('j', 'k') $$, $$
  j 2025-05-01 0 t
  j 2025-05-02 0 t
  j 2025-05-03 0 f
  k 2025-05-01 1 f $$, 'an erasure leaves the horizon, and an undo of files without a row moves it back');
select pg_temp.shows($$ select * from money_day where app_id = 'e' $$, $$
  e 2025-05-01 1 f   # before the first event
  e 2025-05-02 1 f
  e 2025-05-03 0 t
  e 2025-05-04 0 t
  e 2025-05-05 1 f $$, 'receipt-feed lets the money of one application follow its events');
select is((select receipt_feed from rollup.app_horizon where app_id = 'a'), 'files', 'another application keeps its feed');
select pg_temp.shows(
  $$ select newest_event_at, newest_loaded_at from report.freshness where app_id = 'f' and stream = 'receipt' $$,
  $$ 2025-05-03T10:00 2025-05-05T15:30 $$, 'an undone file is not the newest');
select pg_temp.shows($$ select stream, min(day), max(day), count(*) filter (where is_missing) from report.calendar_gap
       where app_id = 'f' group by stream $$, $$
  receipt   2025-05-01 2025-05-05 3   # 2025-05-02, 2025-05-04 and 2025-05-05
  level_up  2025-05-05 2025-05-05 0
  game_user 2025-05-04 2025-05-05 1 $$, 'the days of a stream go on to the newest event of the application');

select pg_temp.shows('table pg_temp.contradicting', 'receipt h 1 | game_user - 1',
  'a fill and an undo of the row move a conflict');

-- Refused lines of a loaded file and of a failed one.
insert into ingest.failed_file (load_id, stream, path, reason, line_count, rejected_count, failed_at)
  select max(load_id), 'receipt', 'failed', 'too many refused lines', 3, 2, '2025-05-07 10:00Z' from ingest.load;
insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code, field, reason, raw, raw_byte_count)
  select failed_file_id, n, 0, 'test_code', null, 'whole line', '', 0
    from ingest.failed_file, generate_series(1, 2) n where path = 'failed';
select pg_temp.shows(
  $$ select day, stream, code, field, is_loaded, reject_count from report.reject_by_day where code = 'test_code' $$, $$
  2025-05-05 receipt test_code price t 2
  2025-05-07 receipt test_code -     f 2 $$, 'refused lines by day, of loaded and of failed files');

-- The ledger keeps its counts, and the rows that stand are beside them.
select pg_temp.add('receipt', 'l', $$
  u1 @05-01T10:00
  u2 @05-01T10:00
  u3 @05-01T10:00 $$), pg_temp.load_lines('standing') \g /dev/null
select pg_temp.add('receipt', 'l', $$
  u1 @05-01T10:00
  u2 @05-01T10:00 $$), pg_temp.load_lines('gone') \g /dev/null
select ingest.undo_files(array[pg_temp.file('gone')]) \g /dev/null
select ingest.erase_user('u3', 'l', sha256('u3'), sha256('key')) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows($$ select path, status, line_count, inserted_count, standing_count, erased_count, undone_count
       from report.load_history where path in ('standing', 'gone', 'failed') $$, $$
  standing loaded 3 3 2 1 0
  gone     undone 2 2 0 0 2
  failed   failed 3 - - - - $$, 'the history tells which lines stand');

-- Runs and refused lines, as before.
insert into ingest.load (load_id, loader_version) overriding system value values (-1, 'test'), (-2, 'test');
insert into ingest.source_file (source_file_id, load_id, stream, path, sha256, byte_count, line_count,
    inserted_count, filled_count, duplicate_count, conflict_count, rejected_count, blank_count, as_of,
    time_unit, purchase_token_mode, max_line_bytes, max_nesting, max_identifier_bytes, max_text_bytes)
  values (-1, -1, 'receipt', 'a.jsonl', sha256('a'), 1, 4, 1, 0, 0, 0, 3, 0, now(), 'ms', 'hash', 1, 1, 1, 1);
insert into ingest.failed_file (load_id, stream, path, reason, line_count, rejected_count)
  values (-1, 'receipt', 'b.jsonl', 'does not exist', 0, 0);
insert into ingest.reject
    (source_file_id, stream, line_number, byte_offset, code, field, reason, raw, raw_byte_count, resolved_at)
  values (-1, 'receipt', 4, 9, 'other_code', 'price', 'later', '', 0, null),
    (-1, 'receipt', 2, 1, 'other_code', 'price', 'first', '', 0, now()),
    (-1, 'receipt', 3, 5, 'other_code', null, 'whole line', '', 0, null);
insert into ingest.unknown_field (source_file_id, field, line_count, first_line_number)
  values (-1, 'newField', 3, 2), (pg_temp.file('gone'), 'newField', 9, 1);
select pg_temp.shows($$ select code, field, reject_count, open_count, example_path, example_line_number
       from report.reject_summary where code = 'other_code' $$, $$
  other_code price 2 1 a.jsonl 2
  other_code -     1 1 a.jsonl 3 $$, 'refused lines are grouped by code and field, with the first one as an example');
select pg_temp.shows(
  $$ select load_id, status, path, inserted_count, rejected_count from report.load_history where load_id < 0 $$, $$
  -1 loaded a.jsonl 1 3
  -1 failed b.jsonl - 0
  -2 - - - - $$, 'the history lists runs with loaded files, with failed files and without files');
select pg_temp.shows($$ select stream, field, line_count, file_count, example_path, example_line_number
       from report.unknown_field_summary $$, $$
  receipt newField 3 1 a.jsonl 2 $$, 'unknown fields are listed without those of undone files');
update ingest.source_file set undone_at = now() where source_file_id = -1;
select is((select status from report.load_history where path = 'a.jsonl' and load_id = -1), 'undone',
  'an undone file has the status undone');

-- The setting for all.
insert into ingest.setting (name, value) values ('receipt-feed', 'events');
update ingest.setting set value = 'auto' where name = 'receipt-feed.e';
\ir parts/refresh.sql
select is(array(select app_id || ' ' || receipt_feed || coalesce(' ' || receipt_newest_at, '') from rollup.app_horizon
    where app_id in ('a', 'e') order by 1),
  '{"a events","e files 2025-05-02 10:00:00+00"}', 'the setting of an application goes before that for all');
select pg_temp.shows($$ select * from money_day where app_id = 'a' $$, $$
  a 2025-05-01 1 f
  a 2025-05-02 1 f $$, 'without an event of the feed no day is complete, and money reaches to the stored receipts');

select throws_ok(
  $$ insert into ingest.setting (name, value) values ('max-age.item', '0') $$, '23514', null, 'a number of hours is above 0');

select * from finish();
