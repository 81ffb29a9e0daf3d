-- The horizon of an application follows from its files, and decides which days are complete or missing: known and
-- contradicting lines, files without a new row, receipts that come in events, and the setting receipt-feed.
\ir parts/reports.sql
select plan(21);

-- Loads a file of events, with receipts within them.
create function pg_temp.load_events(p_path text) returns void language plpgsql as $$
declare
  file bigint := ingest.open_files((select max(load_id) from ingest.load), 'event', array[p_path],
    null, null, now(), 'ms', null, 'hash', 1, 1, 1, 1);
begin
  perform ingest.ensure_partition('event', date_trunc('month', occurred_at at time zone 'UTC')::date)
    from pg_temp.new_event;
  perform staging.open(stream) from unnest('{event,receipt}'::text[]) stream;
  update pg_temp.new_event set source_file_id = file;
  update pg_temp.new_receipt set source_file_id = file;
  insert into pg_temp.staging_event table pg_temp.new_event;
  insert into pg_temp.staging_receipt table pg_temp.new_receipt;
  perform staging.merge('event', file);
  perform staging.merge('receipt', file);
  perform ingest.close_files(array[file], array[sha256(convert_to('file ' || file, 'UTF8'))], '{1}',
    array[f.line_count], '{0}', '{0}', '{0}', '{0}', '{0}')
    from ingest.source_file f where f.source_file_id = file;
  truncate pg_temp.new_event, pg_temp.new_receipt restart identity;
end
$$;
create function pg_temp.apps(p_path text) returns text language sql as $$
  select string_agg(line, ', ' order by line collate "C") from unnest(pg_temp.shown(format(
    'select app_id, first_event_at, newest_event_at from ingest.file_app where source_file_id = %s',
    pg_temp.file(p_path)))) line
$$;

-- The ledger: new, filled and known lines count for their applications, a contradicting line does not.
insert into new_receipt (payment_seq, app_id, purchased_at, store_code) values
  ('a1', 'a', '2025-05-01 10:00Z', null), ('a2', 'a', '2025-05-02 10:00Z', 'GG'), ('b1', 'b', '2025-05-01 09:00Z', 'GG');
select pg_temp.load_lines('new');
select is(pg_temp.apps('new'),
  'a 2025-05-01T10:00 2025-05-02T10:00, b 2025-05-01T09:00 2025-05-01T09:00', 'new lines count for their applications');
insert into new_receipt (payment_seq, app_id, purchased_at, store_code) values
  ('a1', 'a', '2025-05-01 10:00Z', 'GG'), ('a2', 'a', '2025-05-04 10:00Z', 'GG'), ('b1', 'b', '2025-05-01 09:00Z', 'GG'),
  ('b2', 'b', '2025-05-03 09:00Z', 'GG'), ('b2', 'b', '2025-05-03 09:00Z', 'GG');
select pg_temp.load_lines('mixed');
select is(pg_temp.apps('mixed'),
  'a 2025-05-01T10:00 2025-05-01T10:00, b 2025-05-01T09:00 2025-05-03T09:00',
  'filled and known lines count, and a line that contradicts the stored row does not');
insert into new_receipt (payment_seq, app_id, purchased_at, store_code)
  values ('a2', 'a', '2025-05-02 10:00Z', 'GG'), ('a1', 'a', '2025-05-01 10:00Z', 'AS');
select pg_temp.load_lines('known');
select is(pg_temp.apps('known'), 'a 2025-05-02T10:00 2025-05-02T10:00', 'a file of known lines counts');
insert into new_game_user (app_id, user_level, observed_at, observed_at_source)
  values ('a', 1, '2025-05-20 00:00Z', 'load_start'), ('b', 1, '2025-05-06 00:00Z', 'line'),
    ('b', 1, '2025-05-20 00:00Z', 'load_start');
select pg_temp.load_lines('snapshots');
select is(pg_temp.apps('snapshots'), 'a - -, b 2025-05-06T00:00 2025-05-06T00:00',
  'a line without a time of its own names its application, but is no event');
select pg_temp.shows('select app_id, stream, first_event_at, newest_event_at from report.horizon', $$
  a receipt   2025-05-01T10:00 2025-05-02T10:00
  b receipt   2025-05-01T09:00 2025-05-03T09:00
  b game_user 2025-05-06T00:00 2025-05-06T00:00 $$, 'the horizon goes by accepted lines');
select throws_ok(
  $$ select ingest.record_apps(array[1000000::bigint], '{a}', '{0}', '{0}') $$, '42501', null,
  'the applications of a file are recorded by the transaction that opened it');

-- Application k: a file of known lines, whose row belongs to a file that came later, and an undo of either.
insert into new_receipt (payment_seq, app_id, purchased_at) values ('k1', 'k', '2025-05-01 00:00Z');
select pg_temp.load_lines('k-first');
insert into new_receipt (payment_seq, app_id, purchased_at)
  values ('k1', 'k', '2025-05-01 00:00Z'), ('k2', 'k', '2025-05-03 00:00Z');
select pg_temp.load_lines('k-second');
insert into new_receipt (payment_seq, app_id, purchased_at) values ('k2', 'k', '2025-05-03 00:00Z');
select pg_temp.load_lines('k-third');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, is_complete from report.payers_by_period where period = 'day' and app_id = 'k' $$, $$
  2025-05-01 t
  2025-05-02 t
  2025-05-03 f $$, 'days before the horizon are complete');
select ingest.erase_user('u', 'k', sha256('u'), sha256('key'), null) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, payer_count, is_complete from report.payers_by_period where period = 'day' and app_id = 'k' $$, $$
  2025-05-01 0 t
  2025-05-02 0 t
  2025-05-03 0 f $$, 'an erasure leaves the horizon');
select ingest.undo_files('receipt', array[pg_temp.file('k-second'), pg_temp.file('k-third')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, is_complete from report.payers_by_period where period = 'day' and app_id = 'k' $$, '2025-05-01 f',
  'an undo of files without a row moves the horizon back');

-- Application e: its receipt files stop on 2025-05-02, while receipts within events go on. The third receipt comes on the
-- day of the horizon, but later; it is older than its event.
insert into new_receipt (payment_seq, app_id, purchased_at)
  values ('e1', 'e', '2025-05-01 00:00Z'), ('e2', 'e', '2025-05-02 10:00Z');
select pg_temp.load_lines('e-files');
insert into new_event (event_id, app_id, category, event_group, occurred_at, payment_seq) values
  ('1', 'e', 'purchaseUpdated', 'purchase', '2025-05-02 11:00Z', 'e3'),
  ('2', 'e', 'purchaseUpdated', 'purchase', '2025-05-05 09:00Z', 'e4');
insert into new_receipt (payment_seq, app_id, purchased_at)
  values ('e3', 'e', '2025-05-02 10:59Z'), ('e4', 'e', '2025-05-05 09:00Z');
select pg_temp.load_events('e-events');
select is(pg_temp.apps('e-events'), 'e 2025-05-02T11:00 2025-05-05T09:00',
  'a file of events counts by the time of the events');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select app_id, stream, first_event_at, newest_event_at from report.horizon where app_id = 'e' $$, $$
  e receipt 2025-05-01T00:00 2025-05-02T10:00
  e event   2025-05-02T11:00 2025-05-05T09:00 $$, 'a receipt in an event moves no horizon of receipts');
select pg_temp.shows(
  $$ select period_start, payer_count, is_complete from report.payers_by_period where period = 'day' and app_id = 'e' $$, $$
  2025-05-01 1 t
  2025-05-02 1 f
  2025-05-03 0 f
  2025-05-04 0 f
  2025-05-05 1 f $$, 'money has a row for every stored receipt, complete up to the horizon of the receipt files');
select pg_temp.shows(
  $$ select day, line_count, is_missing, is_unusual from report.calendar_gap where app_id = 'e' and stream = 'receipt' $$, $$
  2025-05-01 1 f -
  2025-05-02 1 f -   # the receipt at 10:59 came in an event
  2025-05-03 0 t -
  2025-05-04 0 t -
  2025-05-05 0 t - $$, 'a dead feed of receipt files shows as missing days');
select pg_temp.shows(
  $$ select period_start, observed_user_count, is_complete from report.observed_by_period
       where app_id = 'e' and period = 'day' $$, $$
  2025-05-01 1 t
  2025-05-02 1 f
  2025-05-03 0 f
  2025-05-04 0 f
  2025-05-05 1 f $$, 'observed users follow the same feed, and reach to the newest observation');

insert into ingest.setting (name, value) values ('receipt-feed.e', 'events');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select period_start, is_complete from report.payers_by_period where period = 'day' and app_id = 'e' $$, $$
  2025-05-01 f   # before the first event
  2025-05-02 f
  2025-05-03 t
  2025-05-04 t
  2025-05-05 f $$, 'receipt-feed lets the money of one application follow its events');
select is((select receipt_feed from rollup.app_horizon where app_id = 'a'), 'files', 'another application keeps its feed');
insert into ingest.setting (name, value) values ('receipt-feed', 'events');
update ingest.setting set value = 'auto' where name = 'receipt-feed.e';
\ir parts/refresh.sql
select is(
  array(select app_id || ' ' || receipt_feed || coalesce(' ' || receipt_newest_at, '') from rollup.app_horizon
    where app_id in ('a', 'e') order by 1),
  '{"a events","e files 2025-05-02 10:00:00+00"}', 'the setting of an application goes before that for all');
select pg_temp.shows(
  $$ select period_start, payer_count, is_complete from report.payers_by_period where period = 'day' and app_id = 'a' $$, $$
  2025-05-01 1 f
  2025-05-02 1 f $$, 'without an event of the feed no day is complete, and money reaches to the stored receipts');

-- Entries from before the start of a run bounded the horizon.
update ingest.source_file set as_of = '2025-05-01 12:00Z' where path = 'new';
update ingest.source_file set as_of = '2025-05-01 09:30Z' where path = 'mixed';
\ir ../migrations/20261127070000_cut_horizons_to_start.sql
select is(pg_temp.apps('new'), 'a 2025-05-01T10:00 2025-05-01T12:00, b 2025-05-01T09:00 2025-05-01T09:00',
  'the migration cuts a newest event to the start of its run');
select is(pg_temp.apps('mixed'), 'a - -, b 2025-05-01T09:00 2025-05-01T09:30',
  'and leaves none where the first one is later, too');

select throws_ok(
  $$ insert into ingest.setting (name, value) values ('max-age.item', '0') $$, '23514', null, 'a number of hours is above 0');
select * from finish();
