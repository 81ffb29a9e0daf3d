-- The rows that a role without ownership can add, and the functions that let it do more.
begin;
\ir parts/files.sql
select plan(17);

select set_eq(
  $$ select format('%s.%s', pronamespace::regnamespace, proname)
       from pg_catalog.pg_proc
       where prosecdef
         and pronamespace in ('ingest'::regnamespace, 'report'::regnamespace, 'rollup'::regnamespace,
           'staging'::regnamespace) $$,
  '{ingest.analyze_if_grown, ingest.clear_failures, ingest.close_files, ingest.count_embedded, ingest.count_replayed, ingest.count_user_traces,
    ingest.empty_month, ingest.ensure_partition, ingest.erase_user, ingest.forget_statistics, ingest.open_files,
    ingest.record_apps, ingest.record_met_files, ingest.recover_commits, ingest.refuse_open_entry, ingest.reopen_file, ingest.resolve_rejects, ingest.summarize_new_pages,
    rollup.conflict_counts, rollup.events_of_hour, rollup.pending_counts,
    rollup.reporting_zone, rollup.apply_players, rollup.begin_refresh, rollup.finish_refresh,
    rollup.index_users_of_past_month, rollup.open_player_rows, rollup.read_players_again, staging.begin_rows, staging.insert_rows, staging.merge, staging.open}'::text[],
  'only these functions run as their owner');
select is(
  pg_temp.rows($$ select tgname, tgrelid::regclass, tgdeferrable, tginitdeferred
       from pg_catalog.pg_trigger where not tgisinternal and tgparentid = 0 order by tgname, tgrelid::regclass::text $$),
  '(refuse_facts_without_file,game.event,f,f) (refuse_facts_without_file,game.game_user_snapshot,f,f)'
    || ' (refuse_facts_without_file,game.item_snapshot,f,f)'
    || ' (refuse_facts_without_file,game.level_up,f,f) (refuse_facts_without_file,game.receipt,f,f)'
    || ' (refuse_lines_of_other_files,ingest.known_field,f,f) (refuse_lines_of_other_files,ingest.reject,f,f)'
    || ' (refuse_lines_of_other_files,ingest.unknown_field,f,f) (refuse_open_entry,ingest.source_file,t,t)',
  'triggers guard the facts and the ledger');

create role pgtap_loader;
grant usage on schema game, ingest, staging to pgtap_loader;
grant insert on game.receipt, ingest.reject, ingest.unknown_field to pgtap_loader;
grant select on all tables in schema ingest to pgtap_loader;
grant execute on function staging.open to pgtap_loader;
create table public.staging_receipt (like game.receipt);
grant select on public.staging_receipt to pgtap_loader;

create function pg_temp.add_row(p_file bigint) returns void language sql as $$
  insert into game.receipt
    select (jsonb_populate_record(null::game.receipt, jsonb_build_object(
        'payment_seq', 'p' || p_file, 'app_id', '', 'user_id', 'u', 'currency', 'KRW', 'purchased_at', now(),
        'price_repaired', false, 'price_imprecise', false, 'text_repaired', false,
        'source_file_id', p_file, 'line_number', 1))).*
$$;
create function pg_temp.add_rejects(variadic p_files bigint[]) returns void language sql as $$
  insert into ingest.reject
      (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count)
    select file, 'receipt', row_number() over (), 0, 'malformed_json', 'r', '{', 1 from unnest(p_files) file
$$;

select pg_temp.open_file('level_up', 'levels') \g /dev/null
set local role pgtap_loader;
select throws_ok($$ select pg_temp.add_row(1) $$, '42501',
  'this transaction has opened no file of stream receipt',
  'rows are refused without an open file of their stream');
select throws_ok($$ select pg_temp.add_rejects(1) $$, '42501',
  'this transaction has not opened the file of these rows',
  'refused lines are refused without their open file');
select lives_ok($$ select pg_temp.add_rejects(pg_temp.file('levels')) $$,
  'refused lines of an open file are accepted');
select throws_ok($$ select pg_temp.add_rejects(pg_temp.file('levels'), 1) $$, '42501', null,
  'refused lines of another file are refused');
reset role;
insert into ingest.source_file
    (load_id, stream, path, sha256, byte_count, line_count, inserted_count, filled_count, duplicate_count,
      conflict_count, rejected_count, blank_count, as_of, time_unit, purchase_token_mode, max_line_bytes,
      max_nesting, max_identifier_bytes, max_text_bytes)
  select max(load_id), 'receipt', 'before', sha256('before'), 0, 0, 0, 0, 0, 0, 0, 0, now(), 'ms', 'hash',
      1, 1, 1, 1
    from ingest.load;
set local role pgtap_loader;
select throws_ok($$ select pg_temp.add_row(pg_temp.file('before')) $$, '42501', null,
  'rows are refused when another transaction opened the file');
select throws_ok($$ select pg_temp.add_rejects(pg_temp.file('before')) $$, '42501', null,
  'refused lines are refused when another transaction opened the file');
reset role;
select lives_ok($$ select pg_temp.add_row(1) $$, 'the owner can add rows without an open file');
select lives_ok($$ select pg_temp.add_rejects(pg_temp.file('before')) $$,
  'the owner can add refused lines without an open file');
select pg_temp.open_file('receipt', 'receipts') \g /dev/null
set local role pgtap_loader;
select lives_ok($$ select pg_temp.add_row(pg_temp.file('receipts')) $$, 'rows of an open file are accepted');

-- Staging.
select staging.open('receipt') \g /dev/null
select lives_ok($$ insert into pg_temp.staging_receipt select * from public.staging_receipt where false $$,
  'a loader can insert into a staging table');
select throws_ok($$ delete from pg_temp.staging_receipt $$, '42501', null,
  'a loader cannot delete from a staging table');
select lives_ok($$ select staging.open('receipt') $$, 'staging.open can be called twice');
reset role;
select is(
  pg_temp.rows($$ select relowner = (select oid from pg_roles where rolname = current_user), relpersistence
       from pg_class where oid = 'pg_temp.staging_receipt'::regclass $$),
  '(t,t)', 'the staging table is temporary and belongs to the owner');
select throws_ok($$ select staging.open('no stream') $$, 'P0002', null,
  'an unknown stream has no staging table');
select throws_ok($$ select staging.table_of('level_up') $$, '55000', null,
  'a stream without staging.open has no staging table');

select * from finish();
rollback;
