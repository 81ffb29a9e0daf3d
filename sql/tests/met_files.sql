-- ingest.met_file: the files whose rows the lines of a merge met.
begin;
\ir parts/files.sql
\ir parts/acceptance_functions.sql
select plan(15);
create function pg_temp.met(p_path text) returns text language sql as $$
  select pg_temp.rows(format('select m.stream, f.path from ingest.met_file m
    join ingest.source_file f on f.source_file_id = m.met_file_id where m.source_file_id = %s order by 1, 2',
    pg_temp.file(p_path)))
$$;

select pg_temp.load_rows('receipt', 'a', 'p | q') \g /dev/null
select pg_temp.load_rows('receipt', 'b', 'r | r | r payload=x') \g /dev/null
select is(pg_temp.met('b'), '', 'new rows and rows of the file itself are no met ones');
select pg_temp.load_rows('receipt', 'c', 'p payload=x | s') \g /dev/null
select is(pg_temp.met('c'), '(receipt,a)', 'a fill meets the row');
select pg_temp.load_rows('receipt', 'd', 'p store=s') \g /dev/null
select is(pg_temp.met('d'), '(receipt,a) (receipt,c)', 'and a line meets the file that filled the row');
select pg_temp.load_rows('receipt', 'e', 'q currency=USD | r') \g /dev/null
select is(pg_temp.met('e'), '(receipt,a) (receipt,b)', 'a conflict and a duplicate meet their rows');
select pg_temp.load_rows('receipt', 'f', 'q') \g /dev/null
select is(pg_temp.met('f'), '(receipt,a)', 'a duplicate does not meet an open conflict');
select is(pg_temp.accept(p_file => 'e'), 'accepted 1 1 1 0 0 0 0', 'the conflict is accepted');
select pg_temp.load_rows('receipt', 'g', 'q currency=USD') \g /dev/null
select is(pg_temp.met('g'), '(receipt,a) (receipt,e)', 'a line meets the file with the accepted line');

-- ingest.dependent_files: a second acceptance, of a row that g has not.
select pg_temp.load_rows('receipt', 'i', 'p store=t') \g /dev/null
select is(pg_temp.accept(p_file => 'i'), 'accepted 1 1 1 0 0 0 0', 'another conflict is accepted');
select pg_temp.load_rows('receipt', 'j', 'q currency=USD') \g /dev/null
create function pg_temp.dependents(p_files text[], p_acceptance bigint) returns text language sql as $$
  select pg_temp.rows(format('select f.path from ingest.dependent_files(%L, %s) d join ingest.source_file f using (source_file_id)
    order by 1', array(select pg_temp.file(path) from unnest(p_files) path), coalesce(p_acceptance::text, 'null')))
$$;
select is(pg_temp.dependents('{}', (select min(acceptance_id) from ingest.acceptance)), '(g) (j)',
  'files depend on the acceptance whose value they met');
select is(pg_temp.dependents('{}', (select max(acceptance_id) from ingest.acceptance)), '',
  'and not on another one');
select is(pg_temp.dependents('{b}', null), '(e) (g) (j)', 'files depend on those whose rows they met, directly or not');
update ingest.source_file set has_met_files = false where path = 'g';
select is(pg_temp.dependents('{}', (select max(acceptance_id) from ingest.acceptance)), '',
  'a file of an older version depends on no acceptance after it');
update ingest.source_file set has_met_files = true where path = 'g';

-- Records of the same key in another stream, and a row whose file has no entry.
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  values ('level_up', '["q"]', 'channel_id', pg_temp.file('d'), 1);
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number, refused_row, acceptance_id)
  select 'level_up', '["q"]', 'channel_id', '1', '2', pg_temp.file('d'), 1, '{}', max(acceptance_id) from ingest.acceptance;
update game.receipt set source_file_id = 999 where payment_seq = 's';
select pg_temp.load_rows('receipt', 'h', 'q currency=USD | s') \g /dev/null
select is(pg_temp.met('h'), '(receipt,a) (receipt,e)', 'other streams and unknown files do not count');
select throws_ok(format('select ingest.record_met_files(%L, %s, array[%s::bigint])', 'level_up', pg_temp.file('h'),
  pg_temp.file('a')), '42501', null, 'only an open file of the stream meets others');
select ingest.undo_files(array[pg_temp.file('e')]) \g /dev/null
select is(pg_temp.met('e') || pg_temp.met('g'), '(receipt,a)', 'an undone file has met none, and none has met it');

select * from finish();
rollback;
