-- ingest.undo_files: what goes with a file, and what stays as others have made it.
begin;
\ir parts/files.sql
select plan(20);
set local timezone = 'Asia/Kolkata';
-- A column of the same name as a key's.
create table public.namesake (payment_seq bigint);

create function pg_temp.receipts() returns text language sql as $$
  select pg_temp.rows('select payment_seq, app_id, amount_minor, price_raw, price_repaired, payload, store_code,
    row_digest is null as changed from game.receipt order by payment_seq')
$$;
create function pg_temp.undo(variadic p_paths text[]) returns text language sql as $$
  select pg_temp.rows(format('select f.path, u.row_count, u.fill_count, u.reject_count, u.conflict_count
    from ingest.undo_files(%L, %L) u join ingest.source_file f using (source_file_id)', 'receipt',
    array(select pg_temp.file(path) from unnest(p_paths) path)))
$$;

select pg_temp.load('receipt', 'a', '{}', '{"payment_seq": "q"}', '{"payment_seq": "r"}',
  '{"payment_seq": "t", "store_code": "s"}') \g /dev/null
select pg_temp.load('receipt', 'b',
  '{"amount_minor": 7, "price_raw": "7", "price_repaired": true, "payload": "x"}',
      '{"payment_seq": "q", "app_id": "a"}',
  '{"payment_seq": "n", "store_code": "s"}', '{"payment_seq": "r", "store_code": "s"}',
      '{"payment_seq": "t", "store_code": "v"}') \g /dev/null
select pg_temp.load('receipt', 'c', '{"payment_seq": "n", "payload": "y"}',
  '{"payment_seq": "n", "store_code": "u"}',
  '{"payment_seq": "q", "payload": "z"}', '{"payment_seq": "r", "amount_minor": 3}',
      '{"payment_seq": "m", "store_code": "m1"}') \g /dev/null
create temporary table loaded as select pg_temp.receipts() as receipts;
-- Things of the same key in another stream, and a refused line of each file.
insert into ingest.acceptance (acceptance_id, streams, is_asked_by_key) values (0, '{level_up}', false);
select pg_temp.load('level_up', 'levels', '{}') \g /dev/null
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  values ('level_up', '["n"]', 'channel_id', pg_temp.file('levels'), 1);
insert into ingest.accepted_value (acceptance_id, stream, natural_key, field, before, after, source_file_id,
  line_number)
  values (0, 'level_up', '["n"]', 'store_code', 'v', 'w', pg_temp.file('levels'), 1),
    (0, 'level_up', '["p"]', 'amount_minor', 'v', 'w', pg_temp.file('levels'), 1),
    (0, 'receipt', '["other"]', 'store_code', 'v', 'w', pg_temp.file('c'), 9);
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number,
  acceptance_id)
  values ('level_up', '["n"]', 'channel_id', '1', '2', pg_temp.file('levels'), 1, 0),
    ('receipt', '["other"]', 'store_code', '1', '2', pg_temp.file('c'), 9, 0);
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count)
  select pg_temp.file(path), 'receipt', 99, 0, 'malformed_json', 'r', '{', 1
      from unnest('{b,b,c}'::text[]) path;

-- A value of row n is accepted over the one that b brought.
select ingest.accept_conflicts('{receipt}', 'c', null, null, null, null) \g /dev/null
select is(pg_temp.undo('b'), '(b,1,4,2,1)',
  'a file is taken back, and what there was of it is told');
select is(pg_temp.receipts(), '(m,"",,,f,,m1,f) (p,"",,,f,,,t) (q,"",,,f,z,,t) (r,"",3,,f,,,t) (t,"",,,f,,s,f)',
  'its rows are gone, and what it filled in is absent');
select is(pg_temp.rows($$ select stream, natural_key, field from ingest.fill order by natural_key, field $$),
  '(level_up,"[""n""]",channel_id) (receipt,"[""q""]",payload) (receipt,"[""r""]",amount_minor)',
  'fills of its rows by others are gone, and those of other rows are not');
select is(pg_temp.rows($$ select stream, natural_key, field from ingest.accepted_value order by 1, 2, 3 $$),
  '(level_up,"[""n""]",store_code) (level_up,"[""p""]",amount_minor) (receipt,"[""other""]",store_code)',
  'and so are accepted values of its rows');
select is(pg_temp.rows($$ select stream, natural_key, field, acceptance_id is null from ingest.conflict
  order by 1, 2 $$), '(level_up,"[""n""]",channel_id,f) (receipt,"[""n""]",store_code,t)'
    || ' (receipt,"[""other""]",store_code,f)',
  'conflicts of others with its rows are open again');
select is(pg_temp.rows($$ select path, undone_at is not null from ingest.source_file order by path $$),
  '(a,f) (b,t) (c,f) (levels,f)', 'it is marked, and others are not');
select is((select count(*) from ingest.reject), 1::bigint, 'refused lines of others stay');

-- Loaded anew, and with a value accepted over a filled one.
select pg_temp.load('receipt', 'd', '{"amount_minor": 8, "price_raw": "8"}',
  '{"payment_seq": "q", "app_id": "b"}',
  '{"payment_seq": "m", "amount_minor": 1}', '{"payment_seq": "r", "app_id": "b"}') \g /dev/null
select pg_temp.load('receipt', 'e', '{"amount_minor": 9, "price_raw": "9"}',
  '{"amount_minor": 10, "price_raw": "10"}',
  '{"payment_seq": "m", "payload": "k"}', '{"payment_seq": "q", "app_id": "c"}',
      '{"payment_seq": "m", "store_code": "m2"}',
  '{"payment_seq": "r", "amount_minor": 4}', '{"payment_seq": "m", "amount_minor": 2}') \g /dev/null
select ingest.accept_conflicts('{receipt}', 'e', null, null, null, null) \g /dev/null
select is(pg_temp.undo('d'), '(d,0,4,0,0)',
  'the file below an accepted value is taken back');
select is(pg_temp.receipts(),
  '(m,"",2,,f,k,m2,t) (p,"",10,10,f,,,t) (q,"",,,f,z,,t) (r,"",4,,f,,,t) (t,"",,,f,,s,f)',
  'the accepted value stays');
select is(pg_temp.rows($$ select stream, natural_key, field, before, after from ingest.accepted_value
  order by accepted_value_id $$), '(level_up,"[""n""]",store_code,v,w) (level_up,"[""p""]",amount_minor,v,w)'
    || ' (receipt,"[""other""]",store_code,v,w) (receipt,"[""p""]",amount_minor,,9)'
    || ' (receipt,"[""p""]",price_imprecise,false,false) (receipt,"[""p""]",price_raw,,9)'
    || ' (receipt,"[""p""]",price_repaired,false,false) (receipt,"[""r""]",amount_minor,3,4)'
    || ' (receipt,"[""r""]",price_imprecise,false,false) (receipt,"[""r""]",price_raw,,)'
    || ' (receipt,"[""r""]",price_repaired,false,false) (receipt,"[""m""]",store_code,m1,m2)'
    || ' (receipt,"[""p""]",amount_minor,9,10) (receipt,"[""p""]",price_imprecise,false,false)'
    || ' (receipt,"[""p""]",price_raw,9,10) (receipt,"[""p""]",price_repaired,false,false)'
    || ' (receipt,"[""m""]",amount_minor,,2) (receipt,"[""m""]",price_imprecise,false,false)'
    || ' (receipt,"[""m""]",price_raw,,) (receipt,"[""m""]",price_repaired,false,false)',
  'and stands over an absent one');
select ingest.undo_acceptance(max(acceptance_id)) from ingest.acceptance \g /dev/null
select is(pg_temp.receipts(),
  '(m,"",,,f,k,m1,t) (p,"",,,f,,,t) (q,"",,,f,z,,t) (r,"",3,,f,,,t) (t,"",,,f,,s,f)',
  'which comes back with the acceptance');
select is(pg_temp.undo('c', 'e'), '(c,1,2,1,2) (e,0,1,0,6)',
  'several files are taken back at once');
select is(pg_temp.undo('a'), '(a,4,0,0,0)',
  'and the first one');
select is((select count(*) from game.receipt), 0::bigint, 'until nothing is left');
select is((select count(*) from game.level_up), 1::bigint, 'but for other streams');
select is(ingest.find_line('level_up', pg_temp.file('levels'), 1),
  '["", "u", null, 1, "2031-02-03T04:05:06+00:00"]', 'the row of a line is found');
select is(pg_temp.rows($$ select natural_key = '["", "u", null, 1, "2031-02-03T04:05:06+00:00"]',
    source_file_id = pg_temp.file('levels'), line_number
  from ingest.find_row('level_up', '["", "u", null, 1, "2031-02-03T04:05:06+00:00"]') $$), '(t,t,1)',
  'and a row by its key');

-- A fill of a row that goes, whose key holds a time.
select pg_temp.load('level_up', 'row', '{"user_id": "x"}'), pg_temp.load('level_up', 'fill',
  '{"user_id": "x", "class_id": "d"}') \g /dev/null
select ingest.undo_files('level_up', array[pg_temp.file('row')]) \g /dev/null
select is((select count(*) from ingest.fill where source_file_id = pg_temp.file('fill')), 0::bigint,
  'a fill goes with its row in any zone');

-- A table of months, with an absent column in its key.
select pg_temp.load('level_up', 'more', '{"channel_id": "k"}',
  '{"user_id": "w", "character_id": "c"}') \g /dev/null
select pg_temp.load('level_up', 'most', '{"user_id": "w", "channel_id": "k"}',
  '{"user_id": "w", "character_id": "c", "class_id": "d"}') \g /dev/null
select is(pg_temp.rows($$ select row_count, fill_count from ingest.undo_files('level_up',
  array[pg_temp.file('more'), pg_temp.file('most')]) order by source_file_id $$), '(1,1) (1,1)',
  'files of months are taken back');
select is(pg_temp.rows($$ select user_id, character_id, channel_id, class_id from game.level_up $$), '(u,,,)',
  'with what they filled in a row without a character');

select * from finish();
rollback;
