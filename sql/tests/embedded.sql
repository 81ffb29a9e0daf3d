-- Receipts within events: their counts in the ledger, their undo and erasure, and the comparison of data.
begin;
\ir parts/files.sql
select plan(35);

create function pg_temp.counts() returns text language sql as $$
  select pg_temp.rows('select f.path, e.stream, e.inserted_count, e.filled_count, e.duplicate_count, e.conflict_count
    from ingest.embedded_count e join ingest.source_file f using (source_file_id) order by 1')
$$;
-- Opens a file of events, and merges events and receipts.
create function pg_temp.load_events(p_path text, p_events text, p_receipts text) returns bigint
language plpgsql as $$
declare
  file bigint := pg_temp.open_file('event', p_path);
begin
  perform pg_temp.stage('event', file, variadic pg_temp.in_full('event', p_events));
  perform staging.merge('event', file);
  perform pg_temp.stage('receipt', file, variadic pg_temp.in_full('receipt', p_receipts));
  perform staging.merge('receipt', file);
  perform pg_temp.close_file(file);
  return file;
end
$$;

create function pg_temp.brings_rows_of(p_file_stream text, p_stream text) returns boolean language plpgsql as $$
begin
  perform ingest.require_open_files(array[pg_temp.open_file(p_file_stream, 'f')], p_stream);
  -- The file is not kept.
  raise sqlstate 'ROLLS';
exception
  when sqlstate 'ROLLS' then return true;
  when insufficient_privilege then return false;
end
$$;
select is(pg_temp.brings_rows_of(one, other), brings, format('a file of %s brings rows of %s: %s', one, other, brings))
  from (values ('event', 'receipt', true), ('receipt', 'event', false), ('receipt', 'receipt', true)) v
    (one, other, brings);

-- Counts.
select pg_temp.load_rows('receipt', 'r', 'p1 | p2 store=GG') \g /dev/null
select pg_temp.load_events('e', '1 payment_seq=p1 | 2 payment_seq=p2 | 3 payment_seq=p3 | 4 payment_seq=p1',
  'p1 store=AS | p2 store=AS | p3 | p1') \g /dev/null
select is(pg_temp.counts(), '(e,receipt,1,1,1,1)', 'merges count the receipts of an event file apart');
select is(
  pg_temp.rows('select path, inserted_count, filled_count, duplicate_count, conflict_count from ingest.source_file
    order by source_file_id'),
  '(r,2,0,0,0) (e,4,0,0,0)', 'the outcomes of the file count its lines');
select is(pg_temp.rows('select stream, natural_key, field from ingest.conflict'), '(receipt,"[""p2""]",store_code)',
  'a conflict of a receipt belongs to the stream receipt');

-- count_rows.
select ingest.count_rows('receipt', pg_temp.file('e'), 2, 0), ingest.count_rows('receipt', pg_temp.file('e'), 0, 3)
  \g /dev/null
select is(pg_temp.counts(), '(e,receipt,3,1,4,1)', 'further outcomes are added');
select throws_ok(format('select ingest.count_rows(%L, %s, %L, %L)', stream, coalesce(pg_temp.file(path), 0), inserted,
    duplicates), code, null, rule)
  from (values
    ('event', 'r', 1, 0, '42501', 'a stream that embeds no other one has no such count'),
    ('receipt', 'e', -1, 0, '22003', 'a count of new records is not negative'),
    ('receipt', 'e', 0, -1, '22003', 'nor is one of duplicates'),
    ('receipt', 'e', null, 0, '22003', 'nor is it NULL'),
    ('receipt', 'of nobody', 1, 0, '42501', 'a file must exist')) v (stream, path, inserted, duplicates, code, rule);
update ingest.source_file set opened_by = null where path = 'e';
select throws_ok($$ select ingest.count_rows('receipt', pg_temp.file('e'), 1, 0) $$, '42501', null,
  'only the transaction that opened a file counts its receipts');

-- Comparison of data.
select is(staging.comparable(one::json) = staging.comparable(other::json), are_equal, rule)
  from (values
    ('{"a":1,"b":[1, 2]}', '{"b":[1, 2],"a":1}', true, 'objects with the same members in another order are equal'),
    ('{"a":1}', '{"a": 1.0}', false, 'other bytes are another value'),
    ('{"é":1}', '{"\u00e9":1}', false, 'so are other bytes of a name'),
    (null, null, null, 'NULL stays NULL')) v (one, other, are_equal, rule);

-- Undo and erasure.
select pg_temp.load_rows('event', 'without', '7') \g /dev/null
select is(pg_temp.rows($$ select f.path, u.row_count, u.fill_count, u.conflict_count
       from ingest.undo_files(array[pg_temp.file('e'), pg_temp.file('without')]) u
         join ingest.source_file f using (source_file_id) $$),
  '(e,5,1,1) (without,1,0,0)', 'an undo of event files counts events, and receipts where there are some');
select is(pg_temp.rows('select payment_seq, store_code from game.receipt order by 1'), '(p1,) (p2,GG)',
  'an undo takes back what receipts of events filled');
select pg_temp.load_rows('event', 'of-others', '5 user=v payment_seq=p1 | 6 user=v') \g /dev/null
select ingest.erase_user('u', null, sha256('u'), sha256('key')) \g /dev/null
select is(pg_temp.rows('select event_id from game.event'), '(6)', 'an erasure deletes events with a payment of the user');

-- The receipts that events brought: erased ones and stored ones add up to the counts of the file.
create function pg_temp.erased_records() returns text language sql as $$
  select pg_temp.rows($q$ select f.path, e.stream, e.outcome, e.record_count from ingest.erased_record e
    join ingest.source_file f using (source_file_id) order by 1, 2, 3 $q$)
$$;
select pg_temp.load_events('c1', 'c1', 'c1 user=w | c2 user=w | c3 user=x') \g /dev/null
select pg_temp.load_events('c2', 'c2', 'c1 user=w store=GG | c2 user=w currency=USD amount=3') \g /dev/null
-- A refused line under the name of the other stream, which only a loader by hand can add.
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count, user_id)
  values (pg_temp.file('c1'), 'receipt', 9, 0, 'x', 'r', 'w', 1, 'w');
select ingest.erase_user('w', null, sha256('w'), sha256('key')) \g /dev/null
select is(pg_temp.erased_records(), '(c1,receipt,inserted,2) (c2,receipt,conflict,1) (c2,receipt,filled,1)',
  'erased receipts are counted by the file of events that brought them');
select pg_temp.load_events('c3', 'c3', 'c4 user=x') \g /dev/null
select ingest.erase_user('x', null, sha256('x'), sha256('key')) \g /dev/null
select is(pg_temp.erased_records(),
  '(c1,receipt,inserted,3) (c2,receipt,conflict,1) (c2,receipt,filled,1) (c3,receipt,inserted,1)',
  'a later erasure adds to the counts');

-- An event whose payment an acceptance has replaced, in both directions.
\ir parts/acceptance_functions.sql
select pg_temp.load_events('g', 'g1 payment_seq=g1 | g2 payment_seq=g2', 'g1 user=y | g2 user=z') \g /dev/null
select pg_temp.load_rows('event', 'h', 'g1 payment_seq=g2 | g2 payment_seq=g1') \g /dev/null
select is(pg_temp.accept(p_streams => '{event}', p_file => 'h'), 'accepted 2 2 2 0 0 0 0', 'both payments are replaced');
-- Another field of an event of nobody held the same text.
select pg_temp.load_rows('event', 'i', 'g3 push_id=g1'), pg_temp.load_rows('event', 'j', 'g3 push_id=other') \g /dev/null
select is(pg_temp.accept(p_streams => '{event}', p_file => 'j'), 'accepted 1 1 1 0 0 0 0', 'the text is replaced');
select ingest.erase_user('y', null, sha256('y'), sha256('key')) \g /dev/null
select is(pg_temp.rows($$ select event_id, push_id from game.event where event_id = 'g3' $$), '(g3,other)',
  'the replaced text of another field is no payment');
select is(pg_temp.rows($$ select 'event', event_id from game.event where event_id in ('g1', 'g2')
    union all select 'conflict', kept || refused from ingest.conflict where field = 'payment_seq'
    union all select 'loaded', loaded_values ->> 'payment_seq' from ingest.overlaid_row where loaded_values ? 'payment_seq' $$),
  '', 'an erasure deletes an event with the payment that an undo of the acceptance would bring back');
-- An event of nobody, whose payment another one of nobody has replaced. A row of another stream has the same key, and a
-- payment of the user there. A table of another schema has a column named like a key column.
create table public.namesake (event_id bigint);
select pg_temp.load_rows('event', 'k', 'g4 payment_seq=o1') \g /dev/null
select pg_temp.load_rows('event', 'l', 'g4 payment_seq=o2') \g /dev/null
select is(pg_temp.accept(p_streams => '{event}', p_file => 'l'), 'accepted 1 1 1 0 0 0 0',
  'the payment of nobody is replaced');
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  select 'level_up', natural_key, '{"payment_seq": "g2"}' from ingest.overlaid_row where loaded_values ->> 'payment_seq' = 'o1';
select ingest.erase_user('z', null, sha256('z'), sha256('key')) \g /dev/null
select is(pg_temp.rows($$ select payment_seq from game.event where event_id = 'g4' $$), '(o2)',
  'an event that never had a payment of the user stays');

-- Refused events and receipts of one line, each with its own user.
select is(ingest.embedded_keys_of_user('level_up'), null, 'the lines of another stream carry no record of a user');
select pg_temp.load_events('m', 'n1 payment_seq=o3 | n2 payment_seq=n2 user=a1 message=x', 'n1 user=b1 app=a | n2 user=b2') \g /dev/null
select pg_temp.load_events('n', 'n1 payment_seq=n1 | n2 payment_seq=n2 user=a1 message=y',
  'n1 user=b1 | n2 user=b2 currency=USD') \g /dev/null
create function pg_temp.conflicts_of(p_user_id text) returns text language sql as $$
  select pg_temp.rows(format('select stream, line_number from ingest.conflict
    where conflict_id in (select number from ingest.records_of_user(%L, null) where place = ''ingest.conflict'') order by 1, 2', p_user_id))
$$;
select is(pg_temp.conflicts_of('b1'), '(event,1)', 'a refused event belongs to the user of the payment that it names');
select is(pg_temp.conflicts_of('b2'), '(event,2) (receipt,2)',
  'a refused receipt and its event belong to the user of the receipt');
select is(pg_temp.conflicts_of('a1'), '(event,2)', 'a refused receipt does not belong to the user of its event');
select is(pg_temp.accept(p_streams => '{event}', p_file => 'n'), 'accepted 2 2 2 0 0 0 0',
  'an acceptance of events takes the conflicts of events');
select is(pg_temp.rows($$ select stream, line_number, acceptance_id is null from ingest.conflict
       where source_file_id = pg_temp.file('n') order by 1, 2 $$),
  '(event,1,f) (event,2,f) (receipt,2,t)', 'a conflict of a receipt on an accepted line stays open');
select is(
  pg_temp.rows($$ select app_id, trace_count from (values ('a'), ('b')) a (app_id), ingest.count_user_traces('b1', app_id)
       where place = 'game.event' order by 1 $$),
  '(a,1) (b,0)', 'an event with a payment belongs to the user in the application of the receipt');

select * from finish();
rollback;
