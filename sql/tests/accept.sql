-- Accepting conflicts: which lines are meant, what their rows take from them, and how it is taken back.
begin;
\ir parts/files.sql
select plan(42);
set local timezone = 'Asia/Kolkata';
set local datestyle = 'German';
set local bytea_output = 'escape';
\ir parts/acceptances.sql

select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",f) (q,u,KRW,,,,"",f) (r,u,KRW,1,,,"",f) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'rows before any acceptance');

select is(pg_temp.accept(p_file => 'b'), 'accepted 3 3 7 0 2 0 0',
  'a file is named by the end of its path');
select is(pg_temp.receipts(),
  '(p,u,KRW,6,6.0,x,"",t) (q,u,USD,,,,"",t) (r,u,USD,2,,,"",t) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'a row takes all that a line gives');
select is(pg_temp.values(),
  '("[""p""]",amount_minor,5,6,1) ("[""p""]",payload,,x,1) ("[""p""]",price_imprecise,false,false,1)'
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
    line_count, row_count, value_count, undone_at, undone_by from ingest.acceptance
        where acceptance_id > 0 $$), '({receipt},b,,,,f,3,3,7,,)',
  'and the acceptance is recorded');
select is(pg_temp.undo(), '3 7',
  'an acceptance is taken back');
select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",f) (z,u,KRW,,,,"",f)',
  'and its rows have their values again');
select is(pg_temp.values(), '',
  'with no record of others');
select is((select count(*) from ingest.conflict where acceptance_id is not null), 0::bigint,
  'and its conflicts are open');
select is(pg_temp.rows($$ select undone_at is not null, undone_by = session_user from ingest.acceptance
  where acceptance_id > 0 $$), '(t,t)',
  'it says when and by whom it was taken back');
create temporary table undone as select undone_at from ingest.acceptance where acceptance_id > 0;
select is((select concat_ws(' ', line_count, value_count)
  from ingest.undo_acceptance((select max(acceptance_id) from ingest.acceptance))),
  '0 0', 'a second time nothing is taken back');
select is((select undone_at from ingest.acceptance where acceptance_id > 0), (select undone_at from undone),
  'and that is not recorded');

select is(pg_temp.accept(p_file => 'c'), 'accepted 3 2 4 0 0 0 0',
  'a path can be whole');
select is(pg_temp.receipts(),
  '(p,u,KRW,10,,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'of two lines of one row the later one holds');
select is(pg_temp.values(),
  '("[""p""]",amount_minor,5,9,1) ("[""p""]",price_imprecise,false,false,1) ("[""p""]",price_raw,5,,1)'
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
select is(pg_temp.accept('{receipt,level_up}', p_load => (select max(load_id) from ingest.load)),
  'accepted 4 3 5 0 0 0 0',
  'several streams are looked at');
select pg_temp.undo() \g /dev/null
select is((select channel_id from game.level_up), 'k', 'and changed back');
-- One row has an earlier accepted value, and another has not.
select pg_temp.accept(p_file => 'c', p_key => '["p"]'), pg_temp.accept(p_file => 'in/b') \g /dev/null
select pg_temp.undo() \g /dev/null
select is(pg_temp.rows($$ select payment_seq, amount_minor, currency from game.receipt
  where payment_seq in ('p', 'r') order by 1 $$),
  '(p,10,KRW) (r,1,KRW)', 'a row has the value of its own last acceptance, or none');
select pg_temp.undo() \g /dev/null
select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
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
select is(pg_temp.rows($$ select line_count, row_count, value_count from ingest.acceptance
  where acceptance_id > 0 and undone_at is null
  order by acceptance_id $$), '(1,1,3) (2,1,3) (4,3,8) (1,1,2)',
  'each acceptance has its own counts');
select is(pg_temp.receipts(),
  '(p,u,KRW,8,,x,"",t) (q,u,USD,,,,"",t) (r,u,EUR,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'and then it holds');
select is(pg_temp.values(),
  '("[""p""]",amount_minor,5,6,1) ("[""p""]",payload,,x,1) ("[""p""]",price_imprecise,false,false,1)'
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
select is(pg_temp.accept(p_key => '["nobody"]'), 'nothing 0 0 0 0 0 0 0',
  'a row that is not there has no conflicts');
select is((select count(*) from ingest.acceptance where undone_at is null and acceptance_id > 0), 4::bigint,
  'and of that nothing is recorded');
-- The second of three is taken back, then the first.
select ingest.undo_acceptance(a) from (select acceptance_id as a from ingest.acceptance where undone_at is null
  and acceptance_id > 0
  order by 1 offset 1 limit 1) s \g /dev/null
select is(pg_temp.values(),
  '("[""p""]",amount_minor,5,6,1) ("[""p""]",payload,,x,1) ("[""p""]",price_imprecise,false,false,1)'
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
select ingest.undo_acceptance(a) from (select min(acceptance_id) as a from ingest.acceptance
  where undone_at is null and acceptance_id > 0) s \g /dev/null
select is(pg_temp.values(),
  '("[""q""]",currency,KRW,USD,3) ("[""r""]",amount_minor,1,2,5) ("[""r""]",currency,KRW,USD,5)'
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
select is(pg_temp.receipts(),
  '(p,u,KRW,8,,,"",t) (q,u,USD,,,,"",t) (r,u,EUR,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'and the last of them still holds');
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null
select is(pg_temp.receipts(),
  '(p,u,KRW,5,5,,"",t) (q,u,KRW,,,,"",t) (r,u,KRW,1,,,"",t) (s,u,KRW,3,,,"",t) (z,u,KRW,,,,"",f)',
  'until none is left');

-- A line behind an accepted one of its row is accepted.
select pg_temp.accept(p_file => 'in/b', p_key => '["p"]') \g /dev/null
select is(pg_temp.accept(p_stream => 'receipt'), 'accepted 7 4 14 0 2 0 0',
  'a line behind an accepted one of its row is accepted');
select pg_temp.undo() \g /dev/null
select pg_temp.undo() \g /dev/null

-- What another stream has accepted does not matter, nor a conflict that says too little.
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number,
  refused_row, acceptance_id)
  select 'level_up', '["s"]', 'f', '1', '2', pg_temp.file('levels'), 9, '{}', max(acceptance_id)
      from ingest.acceptance;
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  values ('receipt', '["s"]', 'store_code', '1', '2', pg_temp.file('c'), 8), ('receipt', '["s"]', 'currency',
      '1', '2', pg_temp.file('c'), 8),
    ('level_up', '["s"]', 'store_code', '1', '2', pg_temp.file('levels'), 8);
select is(pg_temp.accept(p_field => 'store_code'), 'accepted 1 1 1 0 0 1 0',
  'a line whose values are not known is not accepted');
select pg_temp.undo() \g /dev/null
delete from ingest.conflict where natural_key = '["s"]' and line_number in (8, 9);

select * from finish();
rollback;
