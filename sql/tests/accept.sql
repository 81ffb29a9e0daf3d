-- Accepting conflicts, taking acceptances back, and what an undo of files takes from them.
begin;
\ir parts/files.sql
select plan(65);
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
set local bytea_output = 'escape';

create function pg_temp.accept(
  p_streams text[] default '{receipt}', p_file text default null, p_load bigint default null, p_stream text default null,
  p_key jsonb default null, p_field text default null)
returns text language sql as $$
  select concat_ws(' ', case when a.acceptance_id is null then 'nothing' else 'accepted' end, line_count, row_count,
      value_count, rowless_count, foreign_count, incomplete_count, superseded_count)
    from ingest.accept_conflicts(p_streams, p_file, p_load, p_stream, p_key, p_field) a
$$;
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
create function pg_temp.values() returns text language sql as $$
  select pg_temp.rows('select natural_key, field, before, after, line_number from ingest.accepted_value
    where acceptance_id <> 0 order by accepted_value_id')
$$;

select pg_temp.load('receipt', 'a', '{"amount_minor": 5, "price_raw": "5"}', '{"payment_seq": "q"}',
  '{"payment_seq": "r", "amount_minor": 1}', '{"payment_seq": "s", "store_code": "s1", "amount_minor": 3}',
  '{"payment_seq": "z", "purchase_token": "t", "purchase_token_sha256": "\\x0101010101010101010101010101010101010101010101010101010101010101"}') \g /dev/null
select pg_temp.load('receipt', 'in/b', '{"amount_minor": 6, "price_raw": "6.0", "payload": "x"}',
  '{"amount_minor": 7, "user_id": "v"}', '{"payment_seq": "q", "currency": "USD"}', '{"currency": "USD"}',
  '{"payment_seq": "r", "amount_minor": 2, "currency": "USD", "purchased_at": "2031-02-03 04:05:07+00"}') \g /dev/null
select pg_temp.load('receipt', 'in/bb', '{"amount_minor": 8, "purchased_at": "2031-02-03 04:05:08+00"}', '{"payment_seq": "r", "amount_minor": 1, "currency": "EUR"}') \g /dev/null
insert into ingest.load (loader_version) values ('test');
select pg_temp.load('receipt', 'c', '{"amount_minor": 9}', '{"amount_minor": 10}', '{"payment_seq": "s", "store_code": "s2"}') \g /dev/null
select pg_temp.load('level_up', 'levels', '{"channel_id": "k"}', '{"channel_id": "l"}') \g /dev/null
-- Fills and values that lines below have nothing to do with.
insert into ingest.acceptance (acceptance_id, streams, is_asked_by_key) values (0, '{level_up}', false);
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  select f.stream, f.key::jsonb, f.field, pg_temp.file('a'), 1 from (values ('level_up', '["p"]', 'user_id'),
    ('receipt', '["other"]', 'user_id'), ('receipt', '["p"]', 'market_item_id')) f (stream, key, field);
insert into ingest.accepted_value (acceptance_id, stream, natural_key, field, before, after, source_file_id, line_number)
  select 0, stream, natural_key, field, 'u', 'u', source_file_id, line_number from ingest.fill;
select is(pg_temp.receipts(), '(p,u,KRW,5,5,,"",f) (q,u,KRW,,,,"",f) (r,u,KRW,1,,,"",f) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'rows before any acceptance');

select is(pg_temp.accept(p_file => 'b'), 'accepted 3 3 7 0 2 0 0',
  'a file is named by the end of its path');
select is(pg_temp.receipts(), '(p,u,KRW,6,6.0,x,"",t) (q,u,USD,,,,"",t) (r,u,USD,2,,,"",t) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'a row takes all that a line gives');
select is(pg_temp.values(), '("[""p""]",amount_minor,5,6,1) ("[""p""]",payload,,x,1) ("[""p""]",price_imprecise,false,false,1)'
    || ' ("[""p""]",price_raw,5,6.0,1) ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""q""]",currency,KRW,USD,3) ("[""r""]",amount_minor,1,2,5) ("[""r""]",currency,KRW,USD,5)'
    || ' ("[""r""]",price_imprecise,false,false,5) ("[""r""]",price_raw,,,5)'
    || ' ("[""r""]",price_repaired,false,false,5)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00",5)',
  'each value is recorded, in the style of stored ones');
select is(pg_temp.rows($$ select line_number, field from ingest.conflict where acceptance_id = pg_temp.newest()
    order by conflict_id $$), '(1,amount_minor) (3,currency) (5,amount_minor) (5,currency) (5,purchased_at)',
  'the conflicts of accepted lines are marked');
select is(pg_temp.rows($$ select streams, asked_file, asked_load_id, asked_stream, asked_field, is_asked_by_key,
    line_count, row_count, value_count, undone_at, undone_by from ingest.acceptance where acceptance_id > 0 $$), '({receipt},b,,,,f,3,3,7,,)',
  'and the acceptance is recorded');
select is(pg_temp.undo(), '3 7',
  'an acceptance is taken back');
select is(pg_temp.receipts(), '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'and its rows have their values again');
select is(pg_temp.values(), '',
  'with no record of others');
select is((select count(*) from ingest.conflict where acceptance_id is not null), 0::bigint, 'and its conflicts are open');
select is(pg_temp.rows($$ select undone_at is not null, undone_by = session_user from ingest.acceptance where acceptance_id > 0 $$), '(t,t)',
  'it says when and by whom it was taken back');
create temporary table undone as select undone_at from ingest.acceptance where acceptance_id > 0;
select is((select concat_ws(' ', line_count, value_count) from ingest.undo_acceptance((select max(acceptance_id) from ingest.acceptance))),
  '0 0', 'a second time nothing is taken back');
select is((select undone_at from ingest.acceptance where acceptance_id > 0), (select undone_at from undone), 'and that is not recorded');

select is(pg_temp.accept(p_file => 'c'), 'accepted 3 2 4 0 0 0 0',
  'a path can be whole');
select is(pg_temp.receipts(), '(p,u,KRW,10,,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'of two lines of one row the later one holds');
select is(pg_temp.values(), '("[""p""]",amount_minor,5,9,1) ("[""p""]",price_imprecise,false,false,1) ("[""p""]",price_raw,5,,1)'
    || ' ("[""p""]",price_repaired,false,false,1) ("[""s""]",store_code,s1,s2,3)'
    || ' ("[""p""]",amount_minor,9,10,2) ("[""p""]",price_imprecise,false,false,2) ("[""p""]",price_raw,,,2)'
    || ' ("[""p""]",price_repaired,false,false,2)',
  'and both are recorded');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept(p_file => pg_temp.file('c')::text), 'accepted 3 2 4 0 0 0 0',
  'a file is named by its number');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept(p_load => (select max(load_id) from ingest.load)), 'accepted 3 2 4 0 0 0 0',
  'or by its load');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept('{receipt,level_up}', p_stream => 'level_up'), 'accepted 1 1 1 0 0 0 0',
  'a stream is named');
select is((select channel_id from game.level_up), 'l', 'whose rows are changed');
select pg_temp.undo() \g /dev/null
select is((select channel_id from game.level_up), 'k', 'and changed back');
select is(pg_temp.accept(p_key => '["s"]'), 'accepted 1 1 1 0 0 0 0',
  'a row is named');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept(p_field => 'store_code'), 'accepted 1 1 1 0 0 0 0',
  'or a column');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept('{receipt,level_up}', p_load => (select max(load_id) from ingest.load)), 'accepted 4 3 5 0 0 0 0',
  'several streams are looked at');
select pg_temp.undo() \g /dev/null
select is((select channel_id from game.level_up), 'k', 'and changed back');
-- One row has an earlier accepted value, and another has not.
select pg_temp.accept(p_file => 'c', p_key => '["p"]'), pg_temp.accept(p_file => 'in/b') \g /dev/null
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select payment_seq, amount_minor, currency from game.receipt where payment_seq in ('p', 'r') order by 1 $$),
  '(p,10,KRW) (r,1,KRW)', 'a row has the value of its own last acceptance, or none');
select pg_temp.undo() \g /dev/null
select is(pg_temp.receipts(), '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'all is as it was, and digests are gone');

-- Of one row, the first and the last conflict are accepted: the one between is superseded, unless it is named.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select pg_temp.accept(p_file => 'c', p_key => '["p"]') \g /dev/null
select is(pg_temp.accept(p_stream => 'receipt'), 'accepted 4 3 8 0 0 0 3',
  'a line before an accepted one of its row is left');
select is(pg_temp.accept(p_file => 'bb'), 'accepted 1 1 2 0 0 0 0',
  'but for one that is named by its file');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept(p_load => (select min(load_id) from ingest.load)), 'accepted 1 1 2 0 2 0 0',
  'or by its run');
select pg_temp.undo() \g /dev/null
select is(pg_temp.accept(p_key => '["p"]'), 'accepted 1 1 2 0 2 0 0',
  'or by its row');
select is(pg_temp.rows($$ select line_count, row_count, value_count from ingest.acceptance where acceptance_id > 0 and undone_at is null
  order by acceptance_id $$), '(1,1,3) (2,1,3) (4,3,8) (1,1,2)',
  'each acceptance has its own counts');
select is(pg_temp.receipts(), '(p,u,KRW,8,,x,"",t) (q,u,USD,,,,"",t) (r,u,EUR,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'and then it holds');
select is(pg_temp.values(), '("[""p""]",amount_minor,5,6,1) ("[""p""]",payload,,x,1) ("[""p""]",price_imprecise,false,false,1)'
    || ' ("[""p""]",price_raw,5,6.0,1) ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""p""]",amount_minor,6,9,1) ("[""p""]",price_imprecise,false,false,1)'
    || ' ("[""p""]",price_raw,6.0,,1) ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""p""]",amount_minor,9,10,2) ("[""p""]",price_imprecise,false,false,2) ("[""p""]",price_raw,,,2)'
    || ' ("[""p""]",price_repaired,false,false,2) ("[""q""]",currency,KRW,USD,3)'
    || ' ("[""r""]",amount_minor,1,2,5) ("[""r""]",currency,KRW,USD,5)'
    || ' ("[""r""]",price_imprecise,false,false,5) ("[""r""]",price_raw,,,5)'
    || ' ("[""r""]",price_repaired,false,false,5)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00",5)'
    || ' ("[""s""]",store_code,s1,s2,3) ("[""r""]",amount_minor,2,1,2) ("[""r""]",currency,USD,EUR,2)'
    || ' ("[""r""]",price_imprecise,false,false,2) ("[""r""]",price_raw,,,2)'
    || ' ("[""r""]",price_repaired,false,false,2)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:07+00","2031-02-03 04:05:06+00",2)'
    || ' ("[""p""]",amount_minor,10,8,1) ("[""p""]",price_imprecise,false,false,1) ("[""p""]",price_raw,,,1)'
    || ' ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""p""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'as the last of three');
select is(pg_temp.accept(p_key => '["nobody"]'), 'nothing 0 0 0 0 0 0 0', 'a row that is not there has no conflicts');
select is((select count(*) from ingest.acceptance where undone_at is null and acceptance_id > 0), 4::bigint, 'and of that nothing is recorded');
-- The second of three is taken back, then the first.
select ingest.undo_acceptance(a) from (select acceptance_id as a from ingest.acceptance where undone_at is null and acceptance_id > 0
  order by 1 offset 1 limit 1) s \g /dev/null
select is(pg_temp.values(), '("[""p""]",amount_minor,5,6,1) ("[""p""]",payload,,x,1) ("[""p""]",price_imprecise,false,false,1)'
    || ' ("[""p""]",price_raw,5,6.0,1) ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""q""]",currency,KRW,USD,3) ("[""r""]",amount_minor,1,2,5) ("[""r""]",currency,KRW,USD,5)'
    || ' ("[""r""]",price_imprecise,false,false,5) ("[""r""]",price_raw,,,5)'
    || ' ("[""r""]",price_repaired,false,false,5)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00",5)'
    || ' ("[""s""]",store_code,s1,s2,3) ("[""r""]",amount_minor,2,1,2) ("[""r""]",currency,USD,EUR,2)'
    || ' ("[""r""]",price_imprecise,false,false,2) ("[""r""]",price_raw,,,2)'
    || ' ("[""r""]",price_repaired,false,false,2)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:07+00","2031-02-03 04:05:06+00",2)'
    || ' ("[""p""]",amount_minor,6,8,1) ("[""p""]",price_imprecise,false,false,1)'
    || ' ("[""p""]",price_raw,6.0,,1) ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""p""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'what is accepted later replaced what is left');
select ingest.undo_acceptance(a) from (select min(acceptance_id) as a from ingest.acceptance where undone_at is null and acceptance_id > 0) s \g /dev/null
select is(pg_temp.values(), '("[""q""]",currency,KRW,USD,3) ("[""r""]",amount_minor,1,2,5) ("[""r""]",currency,KRW,USD,5)'
    || ' ("[""r""]",price_imprecise,false,false,5) ("[""r""]",price_raw,,,5)'
    || ' ("[""r""]",price_repaired,false,false,5)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00",5)'
    || ' ("[""s""]",store_code,s1,s2,3) ("[""r""]",amount_minor,2,1,2) ("[""r""]",currency,USD,EUR,2)'
    || ' ("[""r""]",price_imprecise,false,false,2) ("[""r""]",price_raw,,,2)'
    || ' ("[""r""]",price_repaired,false,false,2)'
    || ' ("[""r""]",purchased_at,"2031-02-03 04:05:07+00","2031-02-03 04:05:06+00",2)'
    || ' ("[""p""]",amount_minor,5,8,1) ("[""p""]",price_imprecise,false,false,1) ("[""p""]",price_raw,5,,1)'
    || ' ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""p""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'down to what was loaded');
select is(pg_temp.receipts(), '(p,u,KRW,8,,,"",t) (q,u,USD,,,,"",t) (r,u,EUR,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'and the last of them still holds');
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null
select is(pg_temp.receipts(), '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'until none is left');

-- A line behind an accepted one of its row is accepted.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select is(pg_temp.accept(p_stream => 'receipt'), 'accepted 7 4 14 0 2 0 0',
  'a line behind an accepted one of its row is accepted');
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null

-- What another stream has accepted does not matter, nor a conflict that says too little.
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number, refused_row, acceptance_id)
  select 'level_up', '["s"]', 'f', '1', '2', pg_temp.file('levels'), 9, '{}', max(acceptance_id) from ingest.acceptance;
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  values ('receipt', '["s"]', 'store_code', '1', '2', pg_temp.file('c'), 8), ('receipt', '["s"]', 'currency', '1', '2', pg_temp.file('c'), 8),
    ('level_up', '["s"]', 'store_code', '1', '2', pg_temp.file('levels'), 8);
select is(pg_temp.accept(p_field => 'store_code'), 'accepted 1 1 1 0 0 1 0',
  'a line whose values are not known is not accepted');
select pg_temp.undo() \g /dev/null
delete from ingest.conflict where natural_key = '["s"]' and line_number in (8, 9);

-- A secret stays beside its own digest alone.
select pg_temp.load('receipt', 'tokens', '{"payment_seq": "z", "store_code": "s1",
    "purchase_token": "t2", "purchase_token_sha256": "\\x0202020202020202020202020202020202020202020202020202020202020202"}') \g /dev/null
select is(pg_temp.accept(p_file => 'tokens'), 'accepted 1 1 2 0 0 0 0',
  'a digest is accepted');
select is(pg_temp.rows($$ select purchase_token, purchase_token_sha256 = ('\x' || repeat('02', 32))::bytea, store_code
  from game.receipt where payment_seq = 'z' $$), '(,t,s1)',
  'and the token of another one goes');
select is(pg_temp.rows($$ select field, before, after from ingest.accepted_value where acceptance_id = pg_temp.newest()
  order by accepted_value_id $$), '(purchase_token_sha256,"\\x0101010101010101010101010101010101010101010101010101010101010101","\\x0202020202020202020202020202020202020202020202020202020202020202")'
    || ' (store_code,,s1)',
  'digests are recorded in one style');
update game.receipt set purchase_token = 't2' where payment_seq = 'z';
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select purchase_token, purchase_token_sha256 = ('\x' || repeat('01', 32))::bytea
  from game.receipt where payment_seq = 'z' $$), '(,t)',
  'here too');

-- A line without a token takes none away. A row that has the values already keeps its digest.
update game.receipt set purchase_token = 't', store_code = 's0' where payment_seq = 'z';
select pg_temp.load('receipt', 'no token', '{"payment_seq": "z", "store_code": "s3"}', '{"payment_seq": "r", "store_code": "r3"}') \g /dev/null
update game.receipt set store_code = 'r0' where payment_seq = 'r';
select pg_temp.load('receipt', 'as stored', '{"payment_seq": "r", "store_code": "r4"}') \g /dev/null
update game.receipt set (purchase_token, store_code, row_digest) = ('t2', 'r4', '00000000-0000-0000-0000-000000000001')
  where payment_seq = 'r';
select is(pg_temp.accept(p_file => 'no token'), 'accepted 1 1 1 0 0 0 0',
  'a line without a token is accepted');
select is((select purchase_token from game.receipt where payment_seq = 'z'), 't', 'and the token stays');
select is(pg_temp.accept(p_file => 'as stored'), 'accepted 1 1 0 0 0 0 0',
  'a line that says what is stored is accepted');
select is((select count(row_digest) from game.receipt where payment_seq = 'r'), 1::bigint, 'and the row''s digest stays');
update game.receipt set purchase_token = null where payment_seq = 'r';
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null

select is((select purchase_token from game.receipt where payment_seq = 'z'), 't', 'nor does the line''s acceptance when it is taken back');
-- A token that was filled in beside its digest, and a line with the same digest.
select pg_temp.load('receipt', 'k1', '{"payment_seq": "k", "store_code": "k1"}', '{"payment_seq": "l"}') \g /dev/null
select pg_temp.load('receipt', 'k2', '{"payment_seq": "k", "purchase_token": "t", "purchase_token_sha256": "\\x0101010101010101010101010101010101010101010101010101010101010101"}',
  '{"payment_seq": "k", "store_code": "k2", "purchase_token_sha256": "\\x0101010101010101010101010101010101010101010101010101010101010101"}',
  '{"payment_seq": "l", "currency": "USD", "purchase_token_sha256": "\\x0101010101010101010101010101010101010101010101010101010101010101"}') \g /dev/null
select is(pg_temp.accept(p_file => 'k2'), 'accepted 2 2 3 0 0 0 0',
  'lines with a digest are accepted');
select is(pg_temp.rows($$ select field, before = after from ingest.accepted_value where natural_key = '["k"]' order by 1 $$),
  '(purchase_token_sha256,t) (store_code,f)', 'a value that an undo of a file could take is recorded, though it is as stored');
select pg_temp.load('receipt', 'k3', '{"payment_seq": "l", "currency": "USD", "purchase_token": "t", "purchase_token_sha256": "\\x0101010101010101010101010101010101010101010101010101010101010101"}') \g /dev/null
select is(pg_temp.rows($$ select payment_seq, purchase_token, purchase_token_sha256 is not null from game.receipt where payment_seq in ('k', 'l') order by 1 $$),
  '(k,t,t) (l,t,t)', 'and their tokens are there');
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select payment_seq, purchase_token, purchase_token_sha256 is not null from game.receipt where payment_seq in ('k', 'l') order by 1 $$),
  '(k,t,t) (l,,f)', 'a token stays with its digest, and goes with it');

-- Two lines say the same, and the first of them is taken back.
select pg_temp.load('receipt', 'j1', '{"payment_seq": "j", "amount_minor": 5, "payload": "a"}') \g /dev/null
select pg_temp.load('receipt', 'j2', '{"payment_seq": "j", "amount_minor": 6}') \g /dev/null
select pg_temp.load('receipt', 'j3', '{"payment_seq": "j", "amount_minor": 6, "payload": "b"}') \g /dev/null
select pg_temp.accept(p_file => 'j2') \g /dev/null
select pg_temp.accept(p_file => 'j3') \g /dev/null
select ingest.undo_acceptance(acceptance_id) from ingest.conflict where source_file_id = pg_temp.file('j2') \g /dev/null
select is(pg_temp.rows($$ select amount_minor, payload from game.receipt where payment_seq = 'j' $$), '(6,b)', 'what another line said too stays');
select pg_temp.undo() \g /dev/null

-- A row that is gone, and one that cannot take a line.
select pg_temp.load('receipt', 'd', '{"payment_seq": "y", "store_code": "y1"}', '{"payment_seq": "w", "payload": "only"}') \g /dev/null
select pg_temp.load('receipt', 'e', '{"payment_seq": "y", "store_code": "y2"}', '{"payment_seq": "z", "currency": "USD", "amount_minor": 1, "payload": "only"}') \g /dev/null
create unique index one_payload on game.receipt (payload);
select throws_ok($$ select pg_temp.accept(p_file => 'e', p_key => '["z"]') $$, '23505',
  'a stored row of receipt cannot take what a refused line says (constraint one_payload)',
  'an error about a stored row shows no value of it');
drop index game.one_payload;
update ingest.conflict set refused_row = refused_row || '{"item_seq": "99999999999999999999"}'
  where source_file_id = pg_temp.file('e') and natural_key = '["y"]';
select throws_ok($$ select pg_temp.accept(p_file => 'e', p_key => '["y"]') $$, '22003',
  'a stored row of receipt cannot take what a refused line says', 'here too');
delete from game.receipt where payment_seq = 'y';
select is(pg_temp.accept(p_file => 'e'), 'accepted 1 1 3 1 0 0 0',
  'a row that is gone takes nothing');
select pg_temp.undo() \g /dev/null

-- An undo of files.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select pg_temp.accept(p_file => 'bb', p_key => '["p"]') \g /dev/null
select is(pg_temp.rows($$ select row_count, fill_count, reject_count, conflict_count from
  ingest.undo_files('receipt', array[pg_temp.file('in/b')]) $$), '(0,0,0,8)',
  'a file whose lines were accepted is undone');
select is(pg_temp.values(), '("[""p""]",amount_minor,5,8,1) ("[""p""]",price_imprecise,false,false,1) ("[""p""]",price_raw,5,,1)'
    || ' ("[""p""]",price_repaired,false,false,1)'
    || ' ("[""p""]",purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:08+00",1)',
  'and what they gave is no longer accepted');
select is(pg_temp.rows($$ select amount_minor, price_raw, payload from game.receipt where payment_seq = 'p' $$), '(8,,)',
  'a row has what others gave');
select is(pg_temp.rows($$ select row_count, conflict_count from ingest.undo_files('receipt', array[pg_temp.file('a')]) $$), '(5,0)',
  'with a row go the values that it has taken');
select is(pg_temp.values(), '',
  'all of them');
select is((select count(*) from ingest.conflict where natural_key = '["p"]' and acceptance_id is not null), 0::bigint,
  'and conflicts with it are open');

select * from finish();
rollback;
