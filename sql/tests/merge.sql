-- staging.merge: the outcome of each staged row, and its records.
begin;
\ir parts/files.sql
select plan(41);

-- A dropped column, which a migration can leave behind.
alter table game.receipt add column gone text;
alter table game.receipt drop column gone;
-- The settings of the caller do not change stored texts.
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
set local bytea_output = 'escape';

select pg_temp.load_rows('receipt', 'first', '- | q amount=5 app=a') \g /dev/null
-- Lines of one row. The second one fills, so the fourth is a duplicate and the fifth a conflict.
select pg_temp.load_rows('receipt', 'second', $$
  - | amount=7 price=7.00 price_repaired=t app=a payload=x | user=v | amount=7 | amount=8 price=8 app='' payload=y
  payload=x store=GG token=t1 digest=01 | r amount=1 | r item_seq=3 | r $$) \g /dev/null

select is(pg_temp.rows($$ select path, line_count, inserted_count, filled_count, duplicate_count, conflict_count
       from ingest.source_file order by source_file_id $$),
  '(first,2,2,0,0,0) (second,9,1,3,3,2)', 'each line has one outcome');
select is(pg_temp.rows($$ select payment_seq, app_id, user_id, amount_minor, price_raw, price_repaired, payload,
            store_code, item_seq, purchase_token, pg_temp.file('first') = source_file_id, line_number,
            row_digest is null
       from game.receipt order by payment_seq $$),
  '(p,a,u,7,7.00,t,x,GG,,t1,t,1,t) (q,a,u,5,,f,,,,,t,2,f) (r,"",u,1,,f,,,3,,f,7,t)',
  'an absent value is filled with its followers, and a stored value stays');
select is(pg_temp.rows($$ select natural_key ->> 0, field, line_number from ingest.fill order by fill_id $$),
  '(p,app_id,2) (p,amount_minor,2) (p,payload,2) (r,item_seq,8) (p,store_code,6) (p,purchase_token_sha256,6)'
    || ' (p,purchase_token,6)', 'each filled value is recorded');
select is(pg_temp.rows($$ select natural_key ->> 0, field, kept, refused, line_number,
            pg_temp.file('second') = source_file_id, refused_row - 'currency' - 'purchased_at'
       from ingest.conflict order by line_number, field collate "C" $$),
  '(p,user_id,u,v,3,t,"{""user_id"": ""v""}")'
    || ' (p,amount_minor,7,8,5,t,"{""payload"": ""y"", ""user_id"": ""u"", ""price_raw"": ""8"", ""amount_minor"": ""8"", ""price_repaired"": ""false"", ""price_imprecise"": ""false""}")'
    || ' (p,payload,x,y,5,t,)', 'each contradicting value is recorded, and the values of the line once');
select is_empty('select * from pg_temp.staging_receipt', 'a merge empties the staging table');

select pg_temp.load_rows('receipt', 'third', 'at=2031-02-03T04:05:07+00 | token=t2 | digest=02 | app=b') \g /dev/null
select is(pg_temp.rows($$ select line_number, field, kept, refused
       from ingest.conflict where source_file_id = pg_temp.file('third') order by line_number $$),
  '(1,purchased_at,"2031-02-03 04:05:06+00","2031-02-03 04:05:07+00")'
    || ' (3,purchase_token_sha256,"\\x0101010101010101010101010101010101010101010101010101010101010101","\\x0202020202020202020202020202020202020202020202020202020202020202")'
    || ' (4,app_id,a,b)', 'conflicts print times in UTC and digests in hexadecimal, and show no token');
select is((select refused_row ->> 'purchased_at'
       from ingest.conflict where source_file_id = pg_temp.file('third') and line_number = 1),
  '2031-02-03 04:05:07+00', 'refused_row prints times in UTC');
select is((select filled_count + conflict_count from ingest.source_file where path = 'third'),
  4::bigint, 'a line that differs only in the token is a conflict');

select pg_temp.load_rows('receipt', 'fourth', 's | s | p') \g /dev/null
select is(pg_temp.rows($$ select inserted_count, duplicate_count,
            (select line_number from game.receipt where payment_seq = 's')
       from ingest.source_file where path = 'fourth' $$), '(1,2,1)', 'the first of two equal lines is stored');
select pg_temp.load_rows('receipt', 'fifth', 't | t amount=2 | t item_seq=2 | t amount=3') \g /dev/null
select is(pg_temp.rows($$ select inserted_count, filled_count, conflict_count
       from ingest.source_file where path = 'fifth' $$), '(1,2,1)', 'lines of one key are merged in their order');
select is(pg_temp.rows($$ select line_number
       from ingest.fill where source_file_id = pg_temp.file('fifth') order by fill_id $$),
  '(2) (3)', 'fills are recorded in the order of the lines');
select pg_temp.load_rows('receipt', 'sixth', '- | q') \g /dev/null
select is((select duplicate_count from ingest.source_file where path = 'sixth'),
  2::bigint, 'a file with only duplicates is merged');
select pg_temp.load_rows('receipt', 'seventh', 'x1 | x2') \g /dev/null
select is((select inserted_count from ingest.source_file where path = 'seventh'),
  2::bigint, 'a file with only new rows is merged');

-- Conflicts are numbered in the order of the lines, and accepted in the order of their numbers.
select pg_temp.load_rows('receipt', 'eighth', 'q line_number=9 user=w9 | q line_number=3 user=w3') \g /dev/null
select is(pg_temp.rows($$ select line_number
       from ingest.conflict where source_file_id = pg_temp.file('eighth') order by conflict_id $$),
  '(3) (9)', 'conflicts are recorded in the order of the lines');

-- A key with an absent column, in a partitioned table.
select pg_temp.load_rows('level_up', 'levels', $$
  - | character=c | channel=k | character=c channel=l | channel=m | app=a $$) \g /dev/null
select is(pg_temp.rows($$ select character_id, app_id, channel_id, line_number
       from game.level_up order by line_number $$),
  '(,"",k,1) (c,"",l,2) (,a,,6)', 'NULL in a key column is a value like others');
select is(pg_temp.rows($$ select natural_key, field, kept, refused from ingest.conflict where stream = 'level_up' $$),
  '("["""", ""u"", null, 1, ""2031-02-03T04:05:06+00:00""]",channel_id,k,m)', 'a recorded key has its times in UTC');

select pg_temp.load_rows('level_up', 'bare', 'bare') \g /dev/null
select is((select inserted_count from ingest.source_file where path = 'bare'),
  1::bigint, 'a row with only a key is inserted');
select pg_temp.load_rows('level_up', 'known apps', 'app=b channel=k | app=c') \g /dev/null
select pg_temp.load_rows('level_up', 'apps', 'app=b channel=l | app=c channel=l') \g /dev/null
select is(pg_temp.rows($$ select app_id from ingest.file_app where source_file_id = pg_temp.file('apps') $$), '(c)',
  'a filled line counts for its application, and a refused one does not');
-- JSON values, which the staging table keeps as they were written.
create function pg_temp.load_objects(p_path text, variadic p_data json[]) returns bigint language plpgsql as $$
declare
  file bigint := pg_temp.open_file('event', p_path);
begin
  perform pg_temp.stage('event', file, variadic array(
    select jsonb_build_object('event_id', 'o' || n, 'message', p_path) from generate_subscripts(p_data, 1) n));
  update pg_temp.staging_event set data = p_data[line_number];
  perform staging.merge('event', file);
  perform pg_temp.close_file(file);
  return file;
end
$$;
select pg_temp.load_objects('objects', '{"a":1,"b":2}', '{"a":1}', null) \g /dev/null
select pg_temp.load_objects('others', '{"b":2,"a":1}', '{"a":2}', '{"a":3}') \g /dev/null
select is(
  pg_temp.rows($$ select line_number, field, kept, refused from ingest.conflict where stream = 'event' order by 1, 2 $$),
  '(1,message,objects,others) (2,data,"{""a"":1}","{""a"":2}") (2,message,objects,others) (3,message,objects,others)',
  'an object with other values is a conflict, and one with the members in another order is not');
-- Followers of an amount are filled only with the amount.
select pg_temp.load_rows('receipt', 'ninth', 'f1 amount=5 price=5 | f2') \g /dev/null
select pg_temp.load_rows('receipt', 'tenth', 'f1 amount=5 price=5.0 payload=i | f2 price=? payload=j') \g /dev/null
select is(pg_temp.rows($$ select price_raw, payload
       from game.receipt where payment_seq in ('f1', 'f2') order by payload $$),
  '(5,i) (,j)', 'a follower is filled only together with its leader');
-- A second batch of a file, with a line number of the first batch.
select pg_temp.open_file('receipt', 'batches') \g /dev/null
select pg_temp.stage('receipt', pg_temp.file('batches'), '{"payment_seq": "g"}') \g /dev/null
select staging.merge('receipt', pg_temp.file('batches')) \g /dev/null
select pg_temp.stage('receipt', pg_temp.file('batches'), '{"user_id": "v"}') \g /dev/null
select staging.merge('receipt', pg_temp.file('batches')) \g /dev/null
select is((select conflict_count from ingest.source_file where path = 'batches'),
  1::bigint, 'a row is identified by its key and not by its line number');
select pg_temp.close_file(pg_temp.file('batches')) \g /dev/null

-- Refused lines that come again: in one file, in a later one, with another value of each kind, and after acceptances.
\ir parts/acceptance_functions.sql
create function pg_temp.outcomes(p_path text) returns text language sql as $$
  select pg_temp.rows(format('select inserted_count, filled_count, duplicate_count, conflict_count from ingest.source_file
    where source_file_id = %s', pg_temp.file(p_path)))
    || pg_temp.rows(format(' select line_number from ingest.conflict where source_file_id = %s and refused_row is not null
    order by conflict_id', pg_temp.file(p_path)))
$$;
select pg_temp.load_rows('receipt', 'a1', 'a1 amount=1 store=s app=a | a2 amount=1') \g /dev/null
select pg_temp.load_rows('receipt', 'a2', $$
  a1 amount=2 | a2 amount=2 | a1 amount=2 price=2.0 | a1 amount=3 | a1 amount=2 | a1 amount=2
  a1 amount=2 payload=x | a1 payload=y | a1 amount=2 payload=x | a1 amount=2 payload=x store=s app=a $$) \g /dev/null
select is(pg_temp.outcomes('a2'), '(0,1,3,6)(1) (2) (4) (5) (7) (10)',
  'a line that equals the line refused before it is a duplicate');
select pg_temp.load_rows('receipt', 'a3', $$
  a2 amount=2 | a1 amount=2 payload=x store=s | a1 amount=2 payload=x store=s $$) \g /dev/null
select is(pg_temp.outcomes('a3'), '(0,0,2,1)(2)', 'also in another file, and not when it lacks a value');
select is(pg_temp.rows($$ select f.path from ingest.met_file m join ingest.source_file f on f.source_file_id = m.met_file_id
    where m.source_file_id = pg_temp.file('a3') order by 1 $$), '(a1) (a2)', 'it meets the file of the refused line');
select pg_temp.accept(p_file => 'a2', p_key => '["a2"]') \g /dev/null
select pg_temp.load_rows('receipt', 'a4', 'a2 amount=3') \g /dev/null
select pg_temp.load_rows('receipt', 'a5', 'a2 amount=1 | a2 amount=3 | a2 amount=1 app=b') \g /dev/null
select is(pg_temp.outcomes('a4') || pg_temp.outcomes('a5'), '(0,0,0,1)(1)(0,0,2,1)(3)',
  'a line that equals the row before its newest acceptance is a duplicate, and leaves the line refused last');
select pg_temp.accept(p_file => 'a4') \g /dev/null
select pg_temp.load_rows('receipt', 'a6', $$
  a2 amount=2 | a2 amount=1 | a2 amount=3 app=b | a2 amount=2 | a2 amount=2 app=b $$) \g /dev/null
select is(pg_temp.outcomes('a6'), '(0,1,2,2)(2) (4)', 'a line that equals the row before an older acceptance is a conflict, and a fill counts for both rows');
select pg_temp.load_objects('again', '{"a":9,"b":2}') \g /dev/null
select pg_temp.load_objects('again', '{"b":2,"a":9}') \g /dev/null
select is(pg_temp.rows($$ select conflict_count, duplicate_count from ingest.source_file where path = 'again' order by 1 $$),
  '(0,1) (1,0)', 'an object with the members in another order is the same refused value');

-- The preconditions of a merge.
select pg_temp.open_file('receipt', path) from unnest('{of no transaction, of another}'::text[]) path \g /dev/null
update ingest.source_file set opened_by = case path when 'of another' then '3'::xid8 end where path like 'of %';
update ingest.source_file set undone_at = now() where path = 'seventh';
select throws_ok(format('select staging.merge(''receipt'', pg_temp.file(%L))', path), '42501', null,
    rule || ' is refused')
  from (values ('of no transaction', 'a file that no transaction has opened'),
    ('of another', 'a file that another transaction has opened'), ('levels', 'a file of another stream'),
    ('seventh', 'an undone file')) v (path, rule);
select throws_ok($$ select staging.merge('game_user', pg_temp.file('sixth')) $$, '55000', null,
  'a merge without a staging table is refused');
prepare stage as select pg_temp.stage('receipt', pg_temp.file('first'), '{"payment_seq": "z"}',
  '{"payment_seq": "z2"}');
execute stage \g /dev/null
select throws_ok($$ select staging.merge('receipt', pg_temp.file('sixth')) $$, '42501', null,
  'rows with the number of another file are refused');
select pg_temp.stage('receipt', pg_temp.file('sixth'), '{"payment_seq": "z3"}') \g /dev/null
select throws_ok($$ select staging.merge('receipt', pg_temp.file('sixth')) $$, '42501', null,
  'one row with the number of another file is enough for an error');
truncate pg_temp.staging_receipt;
select pg_temp.stage('receipt', pg_temp.file('sixth'), '{"line_number": 4, "user_id": "x"}',
  '{"line_number": 4, "user_id": "y"}') \g /dev/null
select throws_ok($$ select staging.merge('receipt', pg_temp.file('sixth')) $$, '21000', null,
  'two rows with one line number are refused');
truncate pg_temp.staging_receipt;

-- A constraint that the staging table does not have.
create unique index one_payload on game.receipt (payload);
select pg_temp.stage('receipt', pg_temp.file('sixth'),
  '{"line_number": 4, "payment_seq": "q", "payload": "x"}') \g /dev/null
select throws_ok($$ select staging.merge('receipt', pg_temp.file('sixth')) $$, '23505',
  'a stored row of stream receipt cannot hold the values that a line fills in (constraint one_payload)',
  'an error about a stored row shows no value of it');
drop index game.one_payload;
alter table game.receipt add constraint divides check (1 / (length(payload) - 2) <> 7);
truncate pg_temp.staging_receipt;
select pg_temp.stage('receipt', pg_temp.file('sixth'),
  '{"line_number": 4, "payment_seq": "q", "payload": "xx"}') \g /dev/null
select throws_ok($$ select staging.merge('receipt', pg_temp.file('sixth')) $$, '22012',
  'a stored row of stream receipt cannot hold the values that a line fills in',
  'a conversion error shows no value of the row');
alter table game.receipt drop constraint divides;
truncate pg_temp.staging_receipt;

create temporary table staging_game_user (like game.game_user_snapshot);
create trigger spy before insert on staging_game_user for each row execute function suppress_redundant_updates_trigger();
select throws_ok($$ select staging.open('game_user') $$, '42501', null, 'a staging table with a trigger is refused');
drop trigger spy on staging_game_user;
create role pgtap_other;
alter table staging_game_user owner to pgtap_other;
select throws_ok($$ select staging.open('game_user') $$, '42501', null, 'a staging table of another role is refused');
select throws_ok($$ select staging.merge('game_user', pg_temp.file('sixth')) $$, '42501', null,
  'a merge of a staging table of another role is refused');

-- The owner does not use the temporary tablespace of the caller.
drop table pg_temp.staging_game_user;
set local temp_tablespaces = 'pg_global';
select lives_ok($$ select staging.open('game_user') $$, 'a staging table is in the database''s own tablespace');

select * from finish();
rollback;
