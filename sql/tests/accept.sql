-- ingest.accept_conflicts: the lines that it leaves, the values that it writes, and its undo; secrets, digests and fills
-- beside accepted values, and undos of files.
begin;
\ir parts/files.sql
select plan(72);
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
set local bytea_output = 'escape';
\ir parts/acceptance_functions.sql
create function pg_temp.newest() returns bigint language sql stable as $$
  select max(acceptance_id) from ingest.acceptance where undone_at is null
$$;
create function pg_temp.undo() returns text language sql as $$
  select concat_ws(' ', line_count, value_count) from ingest.undo_acceptance(pg_temp.newest())
$$;
create function pg_temp.receipts() returns text language sql as $$
  select pg_temp.rows('select payment_seq, user_id, currency, amount_minor, price_raw, payload, app_id,
    row_digest is null as changed from game.receipt order by payment_seq')
$$;
-- The accepted values of one payment or of all.
create function pg_temp.values(p_payment_seq text default null) returns text language sql as $$
  select pg_temp.rows(format('select natural_key ->> 0, field, before, after, line_number
    from ingest.accepted_changes(array(select conflict_id from ingest.conflict))
    where %1$L is null or natural_key ->> 0 = %1$L', p_payment_seq))
$$;

select pg_temp.load_rows('receipt', 'a', $$
  amount=5 price=5 | q | r amount=1 | s store=s1 amount=3 | z token=t digest=01 $$) \g /dev/null
select pg_temp.load_rows('receipt', 'in/b', $$
  amount=6 price=6.0 payload=x | amount=7 user=v | q currency=USD | currency=USD
  r amount=2 currency=USD at=2031-02-03T04:05:07+00 $$) \g /dev/null
select pg_temp.load_rows('receipt', 'in/bb', $$
  amount=8 at=2031-02-03T04:05:08+00 | r amount=1 currency=EUR $$) \g /dev/null
insert into ingest.load (loader_version) values ('test');
select pg_temp.load_rows('receipt', 'c', 'amount=9 | amount=10 | s store=s2') \g /dev/null
select pg_temp.load_rows('level_up', 'levels', 'channel=k | channel=l') \g /dev/null
-- Fills and loaded values of other keys.
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  select f.stream, f.key::jsonb, f.field, pg_temp.file('a'), 1
    from (values
      ('level_up', '["p"]', 'user_id'),
      ('receipt', '["other"]', 'user_id'),
      ('receipt', '["p"]', 'market_item_id')) f (stream, key, field);
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  select stream, natural_key, jsonb_build_object(field, 'u') from ingest.fill where natural_key <> '["p"]' or stream <> 'receipt';

-- The result of an acceptance that is undone at once.
create function pg_temp.briefly(p_result text) returns text language sql as $$ select p_result from pg_temp.undo() $$;

select is(pg_temp.accept('{}', p_stream => 'receipt'), 'nothing 0 0 0 0 0 0 0', 'no conflict is nothing to accept');
select is(pg_temp.accept(p_file => 'b'), 'accepted 3 3 7 0 2 0 0', 'the end of a path selects a file');
select is(pg_temp.receipts(),
  '(p,u,KRW,6,6.0,x,"",t) (q,u,USD,,,,"",t) (r,u,USD,2,,,"",t) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'the row takes all values of the line');
select is(pg_temp.values(),
  '(p,amount_minor,5,6,1) (p,payload,,x,1) (p,price_raw,5,6.0,1) (q,currency,KRW,USD,3) (r,amount_minor,1,2,5)'
    || ' (r,currency,KRW,USD,5) (r,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00",5)',
  'each changed value is listed in the format of stored values');
select is(pg_temp.rows($$ select line_number, field
       from ingest.conflict where acceptance_id = pg_temp.newest() order by conflict_id $$),
  '(1,amount_minor) (3,currency) (5,amount_minor) (5,currency) (5,purchased_at)',
  'the conflicts of accepted lines are marked');
select is(pg_temp.rows($$ select streams, asked_file, asked_load_id, asked_stream, asked_field, is_asked_by_key,
            line_count, row_count, value_count, undone_at, undone_by
       from ingest.acceptance where acceptance_id > 0 $$),
  '({receipt},b,,,,f,3,3,7,,)', 'the acceptance is recorded with its conditions and counts');
select is(pg_temp.undo(), '3 7', 'an undo of an acceptance returns its counts');
select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'an undo restores the values of the rows');
select is(pg_temp.values(), '', 'an undo leaves no accepted value');
select is((select count(*) from ingest.conflict where acceptance_id is not null),
  0::bigint, 'an undo opens the conflicts again');
select is(pg_temp.rows($$ select undone_at is not null, undone_by = session_user
       from ingest.acceptance where acceptance_id > 0 $$),
  '(t,t)', 'the acceptance records the time and the user of its undo');
create temporary table undone as select undone_at from ingest.acceptance where acceptance_id > 0;
select is((select concat_ws(' ', line_count, value_count)
       from ingest.undo_acceptance((select max(acceptance_id) from ingest.acceptance))),
  '0 0', 'a second undo changes nothing');
select is((select undone_at from ingest.acceptance where acceptance_id > 0),
  (select undone_at from undone), 'a second undo does not change the recorded time');

select is(pg_temp.accept(p_file => 'c'), 'accepted 3 2 4 0 0 0 0', 'a whole path selects a file');
select is(pg_temp.receipts(),
  '(p,u,KRW,10,,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'the later of two lines of one row wins');
select is(pg_temp.values(),
  '(p,amount_minor,5,9,1) (p,price_raw,5,,1) (p,amount_minor,9,10,2) (s,store_code,s1,s2,3)',
  'both lines of a row are listed');
select pg_temp.undo() \g /dev/null
select is(pg_temp.briefly(pg_temp.accept(p_file => pg_temp.file('c')::text)),
  'accepted 3 2 4 0 0 0 0', 'a file number selects a file');
select is(pg_temp.briefly(pg_temp.accept(p_load => (select max(load_id) from ingest.load))),
  'accepted 3 2 4 0 0 0 0', 'a load selects its files');
select is(pg_temp.accept('{receipt,level_up}', p_stream => 'level_up'),
  'accepted 1 1 1 0 0 0 0', 'a stream selects its lines');
select is((select channel_id from game.level_up), 'l', 'the rows of that stream change');
select pg_temp.undo() \g /dev/null
select is((select channel_id from game.level_up), 'k', 'an undo changes them back');
select is(pg_temp.briefly(pg_temp.accept(p_key => '["s"]')), 'accepted 1 1 1 0 0 0 0', 'a natural key selects a row');
select is(pg_temp.briefly(pg_temp.accept(p_field => 'store_code')),
  'accepted 1 1 1 0 0 0 0', 'a field selects its conflicts');
select is(pg_temp.accept('{receipt,level_up}', p_load => (select max(load_id) from ingest.load)),
  'accepted 4 3 5 0 0 0 0', 'one acceptance can cover several streams');
select pg_temp.undo() \g /dev/null
select is((select channel_id from game.level_up), 'k', 'an undo covers several streams too');
-- One row has an earlier accepted value, the other has none.
select pg_temp.accept(p_file => 'c', p_key => '["p"]'), pg_temp.accept(p_file => 'in/b') \g /dev/null
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select payment_seq, amount_minor, currency
       from game.receipt where payment_seq in ('p', 'r') order by 1 $$),
  '(p,10,KRW) (r,1,KRW)', 'an undo leaves each row at its last remaining acceptance, or at the loaded value');
select pg_temp.undo() \g /dev/null
select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'after all undos the rows have the loaded values and no digest');

-- The first and the last conflict of a row are accepted. The one between is superseded, unless it is named.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select pg_temp.accept(p_file => 'c', p_key => '["p"]') \g /dev/null
select is(pg_temp.accept(p_stream => 'receipt'),
  'accepted 4 3 8 0 0 0 3', 'a line older than an accepted line of its row is skipped');
select is(pg_temp.briefly(pg_temp.accept(p_file => 'bb')),
  'accepted 1 1 2 0 0 0 0', 'a superseded line is accepted when its file is named');
select is(pg_temp.briefly(pg_temp.accept(p_load => (select min(load_id) from ingest.load))),
  'accepted 1 1 2 0 2 0 0', 'a superseded line is accepted when its run is named');
select is(pg_temp.accept(p_key => '["p"]'),
  'accepted 1 1 2 0 2 0 0', 'a superseded line is accepted when its key is named');
select is(pg_temp.rows($$ select line_count, row_count, value_count
       from ingest.acceptance where acceptance_id > 0 and undone_at is null
       order by acceptance_id $$), '(1,1,3) (2,1,3) (4,3,8) (1,1,2)', 'each acceptance has its own counts');
select is(pg_temp.receipts(),
  '(p,u,KRW,8,,x,"",t) (q,u,USD,,,,"",t) (r,u,EUR,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'a superseded line that was named sets the row');
select is(pg_temp.values(),
  '(p,amount_minor,5,6,1) (p,payload,,x,1) (p,price_raw,5,6.0,1) (p,amount_minor,6,9,1) (p,price_raw,6.0,,1)'
    || ' (p,amount_minor,9,10,2) (q,currency,KRW,USD,3) (r,amount_minor,1,2,5) (r,currency,KRW,USD,5)'
    || ' (r,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00",5) (r,amount_minor,2,1,2)'
    || ' (r,currency,USD,EUR,2) (r,purchased_at,"2031-02-03 04:05:07+00","2031-02-03 04:05:06+00",2)'
    || ' (s,store_code,s1,s2,3) (p,amount_minor,10,8,1)'
    || ' (p,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)', 'its values are the last of the three');
select is(pg_temp.accept(p_key => '["nobody"]'), 'nothing 0 0 0 0 0 0 0', 'a key without a row has no conflicts');
select is((select count(*) from ingest.acceptance where undone_at is null and acceptance_id > 0),
  4::bigint, 'an acceptance without lines is not recorded');
-- Undo of the second of three acceptances of p, then of the first.
create function pg_temp.undo_earlier(p_place bigint) returns void language sql as $$
  select ingest.undo_acceptance(acceptance_id)
    from (select acceptance_id, row_number() over (order by acceptance_id) as place from ingest.acceptance
      where undone_at is null and acceptance_id > 0) a where place = p_place
$$;
create temporary table of_others as select pg_temp.values(key) as changes from unnest('{q,r,s}'::text[]) key;
select pg_temp.undo_earlier(2) \g /dev/null
select is(pg_temp.values('p'),
  '(p,amount_minor,5,6,1) (p,payload,,x,1) (p,price_raw,5,6.0,1) (p,amount_minor,6,8,1) (p,price_raw,6.0,,1)'
    || ' (p,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'the next value replaces the one before the removed one');
select pg_temp.undo_earlier(1) \g /dev/null
select is(pg_temp.values('p'),
  '(p,amount_minor,5,8,1) (p,price_raw,5,,1) (p,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'the first value replaces the loaded one');
select set_eq('select pg_temp.values(key) from unnest(''{q,r,s}''::text[]) key', 'table of_others',
  'the values of other rows stay');
select is(pg_temp.receipts(),
  '(p,u,KRW,8,,,"",t) (q,u,USD,,,,"",t) (r,u,EUR,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'the last acceptance still sets the rows');
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null
select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'after the last undo the rows have the loaded values');

-- A line that is newer than an accepted line of its row.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select is(pg_temp.accept(p_stream => 'receipt'),
  'accepted 7 4 14 0 2 0 0', 'a line newer than an accepted line of its row is accepted');
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null

-- Acceptances of other streams do not count, and neither do conflicts without refused_row.
insert into ingest.conflict
    (stream, natural_key, field, kept, refused, source_file_id, line_number, refused_row, acceptance_id)
  select 'level_up', '["s"]', 'f', '1', '2', pg_temp.file('levels'), 9, '{}', max(acceptance_id)
    from ingest.acceptance;
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  values ('receipt', '["s"]', 'store_code', '1', '2', pg_temp.file('c'), 8),
    ('receipt', '["s"]', 'currency', '1', '2', pg_temp.file('c'), 8),
    ('level_up', '["s"]', 'store_code', '1', '2', pg_temp.file('levels'), 8);
select is(pg_temp.accept(p_field => 'store_code'),
  'accepted 1 1 1 0 0 1 0', 'a line without refused_row is not accepted');
select pg_temp.undo() \g /dev/null
delete from ingest.conflict where natural_key = '["s"]' and line_number in (8, 9);

-- A row keeps a secret only while it matches the digest.
select pg_temp.load_rows('receipt', 'tokens', 'z store=s1 token=t2 digest=02') \g /dev/null
select is(pg_temp.accept(p_file => 'tokens'), 'accepted 1 1 2 0 0 0 0', 'a line with another digest is accepted');
select is(pg_temp.rows($$ select purchase_token, purchase_token_sha256 = ('\x' || repeat('02', 32))::bytea, store_code
       from game.receipt where payment_seq = 'z' $$), '(,t,s1)', 'the token of the old digest is removed');
select is(pg_temp.rows($$ select field, before, after
       from ingest.accepted_changes(array(select conflict_id from ingest.conflict where acceptance_id = pg_temp.newest())) $$),
  '(purchase_token_sha256,"\\x0101010101010101010101010101010101010101010101010101010101010101","\\x0202020202020202020202020202020202020202020202020202020202020202")'
    || ' (store_code,,s1)', 'digests are recorded in hexadecimal');
update game.receipt set purchase_token = 't2' where payment_seq = 'z';
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select purchase_token, purchase_token_sha256 = ('\x' || repeat('01', 32))::bytea
       from game.receipt where payment_seq = 'z' $$), '(,t)', 'an undo removes the token of the accepted digest');

-- A line without a token removes none. A row that already has the values keeps its row digest.
update game.receipt set purchase_token = 't', store_code = 's0' where payment_seq = 'z';
select pg_temp.load_rows('receipt', 'no token', 'z store=s3 | r store=r3') \g /dev/null
update game.receipt set store_code = 'r0' where payment_seq = 'r';
select pg_temp.load_rows('receipt', 'as stored', 'r store=r4') \g /dev/null
update game.receipt
  set (purchase_token, store_code, row_digest) = ('t2', 'r4', '00000000-0000-0000-0000-000000000001')
  where payment_seq = 'r';
select is(pg_temp.accept(p_file => 'no token'), 'accepted 1 1 1 0 0 0 0', 'a line without a token is accepted');
select is((select purchase_token from game.receipt where payment_seq = 'z'),
  't', 'a line without a token keeps the token');
select is(pg_temp.accept(p_file => 'as stored'), 'accepted 1 1 0 0 0 0 0', 'a line with the stored values is accepted');
select is((select count(row_digest) from game.receipt where payment_seq = 'r'),
  1::bigint, 'a row that does not change keeps its row digest');
update game.receipt set purchase_token = null where payment_seq = 'r';
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null

select is((select purchase_token from game.receipt where payment_seq = 'z'),
  't', 'the undo of a line without a token keeps the token');
-- A fill of a token with its digest, and a line with the same digest.
select pg_temp.load_rows('receipt', 'k1', 'k store=k1 | l') \g /dev/null
select pg_temp.load_rows('receipt', 'k2', $$
  k token=t digest=01 | k store=k2 digest=01 | l currency=USD digest=01 $$) \g /dev/null
select is(pg_temp.accept(p_file => 'k2'), 'accepted 2 2 3 0 0 0 0', 'lines with a digest are accepted');
select is(pg_temp.rows($$ select v.key, v.value from ingest.overlaid_row o, jsonb_each_text(o.loaded_values) v
       where o.natural_key = '["k"]' order by 1 $$),
  '(currency,KRW)'
    || ' (purchase_token_sha256,"\\x0101010101010101010101010101010101010101010101010101010101010101")'
    || ' (purchased_at,"2031-02-03 04:05:06+00") (store_code,k1) (user_id,u)',
  'an equal value is kept, because an undo of a file could remove the stored one');
select pg_temp.load_rows('receipt', 'k3', 'l currency=USD token=t digest=01') \g /dev/null
select is(pg_temp.rows($$ select payment_seq, purchase_token, purchase_token_sha256 is not null
       from game.receipt where payment_seq in ('k', 'l') order by 1 $$),
  '(k,t,t) (l,t,t)', 'the rows have their tokens');
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select payment_seq, purchase_token, purchase_token_sha256 is not null
       from game.receipt where payment_seq in ('k', 'l') order by 1 $$),
  '(k,t,t) (l,,f)', 'a token stays or goes together with its digest');

-- Two lines have the same value, and the first acceptance is undone.
select pg_temp.load_rows('receipt', 'j1', 'j amount=5 payload=a') \g /dev/null
select pg_temp.load_rows('receipt', 'j2', 'j amount=6') \g /dev/null
select pg_temp.load_rows('receipt', 'j3', 'j amount=6 payload=b') \g /dev/null
select pg_temp.accept(p_file => 'j2') \g /dev/null
select pg_temp.accept(p_file => 'j3') \g /dev/null
select ingest.undo_acceptance(acceptance_id) from ingest.conflict
  where source_file_id = pg_temp.file('j2') \g /dev/null
select is(pg_temp.rows($$ select amount_minor, payload from game.receipt where payment_seq = 'j' $$),
  '(6,b)', 'a value that a later line confirmed stays');
select pg_temp.undo() \g /dev/null

-- A deleted row, and a row that cannot hold the values.
select pg_temp.load_rows('receipt', 'd', 'y store=y1 | w payload=only') \g /dev/null
select pg_temp.load_rows('receipt', 'e', 'y store=y2 | z currency=USD amount=1 payload=only') \g /dev/null
create unique index one_payload on game.receipt (payload);
select throws_ok($$ select pg_temp.accept(p_file => 'e', p_key => '["z"]') $$, '23505',
  'a stored row of stream receipt cannot hold the values of a refused line (constraint one_payload)',
  'an error about a stored row shows no value of it');
drop index game.one_payload;
update ingest.conflict set refused_row = refused_row || '{"item_seq": "99999999999999999999"}'
  where source_file_id = pg_temp.file('e') and natural_key = '["y"]';
select throws_ok($$ select pg_temp.accept(p_file => 'e', p_key => '["y"]') $$, '22003',
  'a stored row of stream receipt cannot hold the values of a refused line',
  'a conversion error shows no value of the row');
delete from game.receipt where payment_seq = 'y';
select is(pg_temp.accept(p_file => 'e'), 'accepted 1 1 3 1 0 0 0', 'a line of a deleted row is not accepted');
select pg_temp.undo() \g /dev/null

-- An undo of files.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select pg_temp.accept(p_file => 'bb', p_key => '["p"]') \g /dev/null
select is(pg_temp.rows($$ select row_count, fill_count, reject_count, conflict_count
       from ingest.undo_files(array[pg_temp.file('in/b')]) $$),
  '(0,0,0,8)', 'a file with accepted lines can be undone');
select is(pg_temp.values(),
  '(p,amount_minor,5,8,1) (p,price_raw,5,,1) (p,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'the undo removes the accepted values of its lines');
select is(pg_temp.rows($$ select amount_minor, price_raw, payload from game.receipt where payment_seq = 'p' $$),
  '(8,,)', 'the row keeps the accepted values of other lines');
select is(pg_temp.rows($$ select row_count, conflict_count
       from ingest.undo_files(array[pg_temp.file('a')]) $$),
  '(5,0)', 'an undo deletes rows with accepted values');
select is(pg_temp.values(), '', 'the accepted values of deleted rows are deleted');
select is((select count(*) from ingest.conflict where natural_key = '["p"]' and acceptance_id is not null),
  0::bigint, 'the conflicts with deleted rows are open');

-- Lines that are deleted: their values become loaded ones, also in place of a fill. Another line of the row opens.
select pg_temp.load_rows('receipt', 'f1', 'f amount=1 | g') \g /dev/null
select pg_temp.load_rows('receipt', 'f2', 'f store=s | f payload=y | g store=s') \g /dev/null
select pg_temp.load_rows('receipt', 'f3', 'f store=t | f amount=2 | g store=t') \g /dev/null
select pg_temp.accept(p_file => 'f3', p_key => '["g"]'), pg_temp.accept(p_file => 'f3', p_key => '["f"]') \g /dev/null
select pg_temp.undo() \g /dev/null
select is(
  pg_temp.rows($$ select natural_key from ingest.overlaid_row where natural_key in ('["f"]', '["g"]') and stream = 'receipt' $$),
  '("[""g""]")', 'a row without accepted lines is no overlaid one, whatever other rows have');
select pg_temp.accept(p_file => 'f3', p_key => '["f"]') \g /dev/null
select ingest.fold_lines(array(select conflict_id from ingest.conflict where line_number = 2
  and source_file_id = pg_temp.file('f3'))) \g /dev/null
delete from ingest.conflict where line_number = 2 and source_file_id = pg_temp.file('f3');
select is(
  pg_temp.rows($$ select natural_key, field from ingest.fill where source_file_id = pg_temp.file('f2') order by 1, 2 $$),
  '("[""f""]",payload) ("[""g""]",store_code)', 'the fill under a folded value is gone');
select is(pg_temp.rows($$ select natural_key, acceptance_id is not null from ingest.conflict
       where source_file_id = pg_temp.file('f3') order by 1 $$),
  '("[""f""]",f) ("[""g""]",t)', 'the other line of the row is open, and that of another row stays accepted');
select is(pg_temp.rows($$ select * from ingest.undo_files(array[pg_temp.file('f2'), pg_temp.file('f3')]) $$)
    is null, false, 'the files are undone');
select is(pg_temp.rows($$ select payment_seq, amount_minor, store_code, payload from game.receipt
       where payment_seq in ('f', 'g') order by 1 $$), '(f,2,t,) (g,,,)', 'the folded values stay');

-- Many lines of one key: four times the lines read at most five times the entries.
select pg_temp.load('receipt', 'many', variadic array(
  select jsonb_build_object('payment_seq', 'many', 'amount_minor', n) from generate_series(0, 400) n)) \g /dev/null
create function pg_temp.entries_read() returns bigint language sql as $$
  select pg_stat_get_xact_tuples_fetched('ingest.overlaid_row'::regclass)
    + pg_stat_get_xact_tuples_fetched('ingest.conflict'::regclass)
$$;
create function pg_temp.entries_to_accept(p_count integer) returns bigint language plpgsql as $$
declare
  before bigint := pg_temp.entries_read();
begin
  perform ingest.accept_conflicts(array(select conflict_id from ingest.conflict
    where source_file_id = pg_temp.file('many') and refused_row is not null order by conflict_id limit p_count),
    null, null, null, null, true);
  return pg_temp.entries_read() - before;
end
$$;
savepoint few;
select pg_temp.entries_to_accept(100) as few \gset
rollback to few;
select cmp_ok(pg_temp.entries_to_accept(400), '<=', 5 * greatest(:few, 100)::bigint,
  'the work of accepting many lines of one key grows with their number only');

select * from finish();
rollback;
