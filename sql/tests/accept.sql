-- ingest.accept_conflicts: the lines that it selects, the values that it writes, and its undo.
begin;
\ir parts/files.sql
select plan(44);
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
set local bytea_output = 'escape';
\ir parts/acceptances.sql

-- The result of an acceptance that is undone at once.
create function pg_temp.briefly(p_result text) returns text language sql as $$ select p_result from pg_temp.undo() $$;

select throws_ok('select pg_temp.accept()', '22004', null, 'an acceptance without a condition is refused');
select is(pg_temp.accept('{}', p_stream => 'receipt'), 'nothing 0 0 0 0 0 0 0', 'and one of no stream accepts nothing');
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

select * from finish();
rollback;
