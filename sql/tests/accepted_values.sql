-- Accepted values and related values: secrets, digests, fills, and undos of acceptances and files.
begin;
\ir parts/files.sql
select plan(29);
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
set local bytea_output = 'escape';
\ir parts/acceptances.sql

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
insert into ingest.acceptance (acceptance_id, streams, is_asked_by_key) values (1000000, '{receipt}', false);
create function pg_temp.entries_read() returns bigint language sql as $$
  select pg_stat_get_xact_tuples_fetched('ingest.overlaid_row'::regclass)
    + pg_stat_get_xact_tuples_fetched('ingest.conflict'::regclass)
$$;
create function pg_temp.entries_to_accept(p_count integer) returns bigint language plpgsql as $$
declare
  before bigint := pg_temp.entries_read();
begin
  perform ingest.accept_lines('receipt', 1000000, array(select conflict_id from ingest.conflict
    where source_file_id = pg_temp.file('many') and refused_row is not null order by conflict_id limit p_count));
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
