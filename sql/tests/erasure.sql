-- The preconditions of erasures and undos, and the roles that can call them.
begin;
select plan(11);

select is_empty(
  $$ select t.name, c.name from ingest.stream s, (values ('user_id'), ('app_id')) c (name),
         lateral (values ('game.' || s.target_table)) t (name)
       where (s.has_user or c.name <> 'user_id') and not exists (select from pg_catalog.pg_attribute a
         where a.attrelid = t.name::regclass and a.attname = c.name and a.attcollation = '"C"'::regcollation) $$,
  'every fact table has the column app_id and, unless its rows belong to no user, user_id');
select is_empty(
  $$ select s.stream, c.name from ingest.stream s, (values ('source_file_id'), ('line_number')) c (name)
       where not exists (select from pg_catalog.pg_attribute a
         where a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = c.name and a.attnotnull) $$,
  'every fact row has its file and line');
select is_empty(
  $$ select s.stream, a.attname from ingest.stream s, pg_catalog.pg_attribute a
       where a.attrelid = format('game.%I', s.target_table)::regclass and a.attnotnull
         and a.atttypid not in ('text'::regtype, 'boolean'::regtype)
         and (a.attname = any (s.compared_columns) and a.attname = any (s.empty_is_absent_columns)
           or a.attname in (select jsonb_array_elements_text(list) from jsonb_each(s.followers) f (leader, list))) $$,
  'an undo can make every filled column absent');

select is((select count(*) from pg_catalog.pg_proc p, aclexplode(p.proacl) a
    where p.pronamespace = 'ingest'::regnamespace and p.prosecdef and a.grantee = 0), 0::bigint,
  'PUBLIC can call no function that runs as its owner');
insert into ingest.load (loader_version) values ('test');
insert into ingest.source_file (load_id, stream, path, sha256, byte_count, line_count, inserted_count, filled_count,
    duplicate_count, conflict_count, rejected_count, blank_count, as_of, time_unit, purchase_token_mode,
    max_line_bytes, max_nesting, max_identifier_bytes, max_text_bytes, opened_by)
  select max(load_id), 'receipt', 'r.jsonl', sha256('r'), 1, 1, 0, 0, 0, 0, 1, 0, now(), 'ms', 'hash', 1, 1, 1, 1,
      pg_current_xact_id()
    from ingest.load;
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count, user_id)
  select max(source_file_id), 'receipt', 1, 0, 'invalid_price', 'r', '{', 1, 'v' from ingest.source_file;
prepare suppress as select ingest.resolve_rejects(
  (select max(source_file_id) from ingest.source_file), '{}', array(select reject_id from ingest.reject));
select throws_ok('suppress', '55000', null, 'a reject is not emptied while there is no tombstone');
select throws_ok($$ select * from ingest.erase_user('', null, sha256('a'), sha256('b'), 1) $$, '55000', null,
  'an empty user id is refused');
select lives_ok($$ select * from ingest.erase_user('u', null, sha256('a'), sha256('b'), 1) $$, 'a user is erased');
select throws_ok($$ select * from ingest.erase_user('v', null, sha256('c'), sha256('other'), 1) $$, '55000', null,
  'an erasure under a second key is refused');
select results_eq($$ select user_hmac, app_id from ingest.erased_user $$,
  $$ values (sha256('a'), null::text) $$, 'each erased user has one tombstone');
execute suppress \gset
select is((select raw from ingest.reject), '', 'a reject is emptied when there is a tombstone');
delete from ingest.erasure_key;
select throws_ok($$ select * from ingest.erase_user('u', null, sha256('a'), sha256('b'), 1) $$, '55000', null,
  'an erasure is refused when the check value of the key is lost');

select * from finish();
rollback;
