-- A malicious holder of the loader's password: what it stages, merges, opens and closes by hand, through the functions
-- that run as the owner.
begin;
\ir parts/files.sql
\ir parts/roles.sql
select plan(31);

create function pg_temp.stored() returns bigint language sql as $$ select pg_temp.file('stored') $$;
select pg_temp.load_rows('receipt', 'stored', 'token=marker-7f3a') \g /dev/null
-- As if the transaction that has opened the file had ended.
update ingest.source_file set opened_by = null;

-- Statements of a loader that has opened a file: stages a line of the stored row, and merges it.
create function pg_temp.stage_one(p_line jsonb) returns void language sql as $$
  select pg_temp.stage('receipt', pg_temp.file('attack'), p_line)
$$;
\set open '''select pg_temp.open_file($q$receipt$q$, $q$attack$q$)'''
create function pg_temp.attack(variadic p_lines jsonb[]) returns text language sql as $$
  select pg_temp.refusal('loader', variadic array['select pg_temp.open_file($q$receipt$q$, $q$attack$q$)']
    || array(select format('select pg_temp.stage_one(%L)', line) from unnest(p_lines) line)
    || array['select staging.merge($q$receipt$q$, pg_temp.file($q$attack$q$))',
      'select pg_temp.close_file(pg_temp.file($q$attack$q$))'])
$$;
select is(pg_temp.attack('{"is_sandbox": true}'), 'allowed', 'a line for an opened file changes a stored row');

-- Staging.
select throws_ok($$ select staging.table_of('level_up') $$, '55000', null,
  'a stream without staging.open has no staging table');
select throws_ok($$ select staging.open('no stream') $$, 'P0002', null, 'nor has an unknown stream');
select staging.open(stream) from ingest.stream \g /dev/null
select is(
  pg_temp.rows($$ select relowner::regrole, relpersistence from pg_class
    where oid = 'pg_temp.staging_receipt'::regclass $$),
  '(pgtap_owner,t)', 'a staging table is temporary and belongs to the owner');
select is(pg_temp.refusal('loader', 'delete from pg_temp.staging_receipt'), '42501', 'a loader cannot delete from it');

-- Errors show no stored value.
select is(pg_temp.attack('{"amount_minor": -1}'), '23514', 'a row that breaks a check of its table is refused');
select is_empty($$ select s.stream, c.conname from ingest.stream s
       join pg_constraint c on c.conrelid = format('game.%I', s.target_table)::regclass and c.contype = 'c'
       where not exists (select from pg_constraint o
         where o.conrelid = format('pg_temp.%I', 'staging_' || s.stream)::regclass
           and pg_get_constraintdef(o.oid) = pg_get_constraintdef(c.oid)) $$,
  'on its way into staging, whose tables have every check of their target');
savepoint calm;
-- A check with a function can change its result after the copy.
create table public.mood ();
grant select, insert on public.mood to public;
create function public.is_calm() returns boolean language sql stable set search_path = ''
  as $$ select not exists (select from public.mood) $$;
alter table game.receipt add constraint calm check (public.is_calm());
drop table pg_temp.staging_receipt;
select is(pg_temp.refusal('loader', :open, 'select pg_temp.stage_one($j${"store_code": "EVIL"}$j$)',
    'insert into public.mood default values', 'select staging.merge($q$receipt$q$, pg_temp.file($q$attack$q$))'),
  '23514', 'a check that fails in the merge shows nothing of the stored row');
rollback to calm;

-- A stored row changes for a file of the same transaction.
create function pg_temp.merge_for(p_file text) returns text language sql as $$
  select pg_temp.refusal('loader', 'select pg_temp.stage($q$receipt$q$, pg_temp.stored(), $j${"is_sandbox": true}$j$)',
    format('select staging.merge($q$receipt$q$, %s)', p_file))
$$;
select is(concat_ws(' ', pg_temp.merge_for('pg_temp.stored()'), pg_temp.merge_for('null')), '42501 42501',
  'rows of a file of another transaction, or of none, are not merged');
select is(pg_temp.attack(format('{"is_sandbox": true, "source_file_id": %s}', pg_temp.stored())::jsonb), '42501',
  'nor are they among those of an opened file');
select is(pg_temp.attack('{"is_sandbox": true, "line_number": 1}', '{"payload": "x", "line_number": 1}'), '21000',
  'two rows of one line are refused');
savepoint by_hand;
set local session authorization pgtap_loader;
select pg_temp.load_rows('receipt', 'by hand', 'is_sandbox=t') \g /dev/null
set constraints all immediate;
reset session authorization;
select is(pg_temp.rows($$ select line_count, filled_count, r.field
       from ingest.source_file f left join ingest.fill r using (source_file_id) where f.path = 'by hand' $$),
  '(1,1,is_sandbox)', 'a change by hand is counted and recorded');
select ingest.undo_files(array[pg_temp.file('by hand')]) \g /dev/null
select is((select is_sandbox from game.receipt), null, 'and can be undone');
rollback to by_hand;
drop table pg_temp.staging_receipt;
-- As in a database where PUBLIC may create temporary tables again.
do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$;
select is(pg_temp.refusal('loader', 'create temporary table staging_receipt (payment_seq text)',
    'select staging.open($q$receipt$q$)'), '42501', 'a staging table of another role''s own is not used');

-- A file that is opened is closed with the outcomes that it has.
select is(pg_temp.refusal('loader', :open), '55000', 'an entry must be closed');
select is(pg_temp.refusal('loader', :open, 'select pg_temp.close_file(pg_temp.file($q$attack$q$), 1)'), '55000',
  'with as many refused lines as it has');

-- Rows and refused lines belong to a file that the same transaction has opened.
create function pg_temp.add_row(p_file bigint) returns void language sql as $$
  insert into game.receipt
    select (jsonb_populate_record(null::game.receipt, jsonb_build_object(
        'payment_seq', 'p' || p_file, 'app_id', '', 'user_id', 'u', 'currency', 'KRW', 'purchased_at', now(),
        'price_repaired', false, 'price_imprecise', false, 'text_repaired', false,
        'source_file_id', p_file, 'line_number', 1))).*
$$;
create function pg_temp.add_rejects(variadic p_files bigint[]) returns void language sql as $$
  insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count)
    select file, 'receipt', row_number() over (), 0, 'malformed_json', 'r', '{', 1 from unnest(p_files) file
$$;
\set add_row '''select pg_temp.add_row(pg_temp.file($q$attack$q$))'''
select is(pg_temp.refusal('loader', 'select pg_temp.open_file($q$level_up$q$, $q$attack$q$)', :add_row), '42501',
  'rows are refused without an open file of their stream, which a file of another transaction is not');
select is(pg_temp.refusal('loader', :open, :add_row, 'select pg_temp.close_file(pg_temp.file($q$attack$q$))'),
  'allowed', 'rows of an open file are accepted');
select is(pg_temp.refusal('loader', 'select pg_temp.add_rejects(0)'), '42501', 'refused lines need their open file');
select is(pg_temp.refusal('loader', :open, 'select pg_temp.add_rejects(pg_temp.file($q$attack$q$))',
    'select pg_temp.close_file(pg_temp.file($q$attack$q$), 1)'), 'allowed', 'those of an open file are accepted');
select is(pg_temp.refusal('loader', :open, 'select pg_temp.add_rejects(pg_temp.file($q$attack$q$), 0)'), '42501',
  'and not together with those of another file');
select is_empty($$ select * from pg_temp.not_forbidden('loader',
    'insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count)
       values (pg_temp.stored(), $q$receipt$q$, 1, 0, $q$x$q$, $q$r$q$, $q$\x$q$, 0)',
    'insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count,
         resolved_order) values (pg_temp.stored(), $q$receipt$q$, 1, 0, $q$x$q$, $q$r$q$, $q$\x$q$, 0, 9)',
    'insert into ingest.unknown_field values (pg_temp.stored(), $q$f$q$, 1, 1)',
    'insert into ingest.known_field values (pg_temp.stored(), $q$f$q$, 1)',
    'insert into ingest.source_file select * from ingest.source_file', 'update ingest.source_file set line_count = 0',
    'update ingest.load set started_at = now()', 'update ingest.reject set raw = $q$\x$q$') $$,
  'a closed file gets no line, and no closed entry changes');

-- A loaded file that is opened again allows a replay.
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count)
  values (pg_temp.stored(), 'receipt', 2, 0, 'invalid_price', 'r', '{', 1);
update ingest.source_file set line_count = 2, rejected_count = 1;
\set again '''select ingest.reopen_file(pg_temp.stored())'''
\set resolve '''select ingest.resolve_rejects(pg_temp.stored(), array(select reject_id from ingest.reject), $a${}$a$)'''
\set stage '''select pg_temp.stage($q$receipt$q$, pg_temp.stored(), $j${"is_sandbox": true, "line_number": 2}$j$)'''
\set merge '''select staging.merge($q$receipt$q$, pg_temp.stored())'''
select is(pg_temp.refusal('loader', :again, :resolve, :stage, :merge), 'allowed', 'a refused line gets an outcome');
select is(pg_temp.refusal('loader', :again, 'select pg_temp.close_file(pg_temp.stored())'), '55000',
  'its digest, size and counts stay');
select is(pg_temp.refusal('loader', :again, 'select ingest.count_rows($q$receipt$q$, pg_temp.stored(), 5, 0)'), '23514',
  'a line without a refusal counts once');
select is(pg_temp.refusal('loader', :again, :stage, :merge), '23514', 'also when it is merged');
select is(pg_temp.refusal('loader', :again, :resolve), '55000', 'a resolved line needs an outcome');
select is(pg_temp.refusal('loader', :again, 'select ingest.resolve_rejects(pg_temp.stored(), $a${}$a$, null)'), '23502',
  'lists of lines are not null');
select is(pg_temp.refusal('loader', :resolve), '42501', 'and nothing is resolved in a file that is not opened');

-- A row of the loader's may name another file, or none. An erasure takes it.
set local session authorization pgtap_loader;
select pg_temp.open_file('receipt', 'attack') \g /dev/null
insert into game.receipt (payment_seq, app_id, user_id, currency, price_repaired, price_imprecise, purchased_at,
    text_repaired, source_file_id, line_number)
  values ('forged', '', 'victim', 'EUR', false, false, now(), false, -1, 1);
reset session authorization;
select * from ingest.erase_user('victim', null, sha256('a'), sha256('b')) \g /dev/null
select is_empty($$ select from game.receipt where user_id = 'victim' $$,
  'an erasure takes a row that names a file missing from the ledger');

-- The owner can add without an open file.
select lives_ok($$ select pg_temp.add_row(0), pg_temp.add_rejects(pg_temp.stored()) $$, 'the owner needs no open file');

select * from finish();
rollback;
