-- What an erasure and an undo may rely on, and who may call them.
begin;
select plan(9);

select is_empty(
  $$ select t.name, c.name from ingest.stream s, (values ('user_id'), ('app_id')) c (name),
         lateral (values ('game.' || s.target_table), ('staging.' || s.stream)) t (name)
       where not exists (select from pg_catalog.pg_attribute a
         where a.attrelid = t.name::regclass and a.attname = c.name and a.attcollation = '"C"'::regcollation) $$,
  'every stream says whose a row is');
select is_empty(
  $$ select s.stream, c.name from ingest.stream s, (values ('source_file_id'), ('line_number')) c (name)
       where not exists (select from pg_catalog.pg_attribute a
         where a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = c.name and a.attnotnull) $$,
  'every row says which line it came from');
select is_empty(
  $$ select s.stream, a.attname from ingest.stream s, pg_catalog.pg_attribute a
       where a.attrelid = format('game.%I', s.target_table)::regclass and a.attnotnull
         and a.atttypid not in ('text'::regtype, 'boolean'::regtype)
         and (a.attname = any (s.compared_columns) and a.attname = any (s.empty_is_absent_columns)
           or a.attname in (select jsonb_array_elements_text(list) from jsonb_each(s.followers) f (leader, list))) $$,
  'what a fill brings can be made absent again');

select is((select count(*) from pg_catalog.pg_proc p, aclexplode(p.proacl) a
    where p.pronamespace = 'ingest'::regnamespace and p.prosecdef and a.grantee = 0), 0::bigint,
  'no function that runs as its owner is for everybody');
select throws_ok($$ select * from ingest.erase_user('', null, sha256('a'), sha256('b')) $$, '55000', null,
  'nobody is no user');
select lives_ok($$ select * from ingest.erase_user('u', null, sha256('a'), sha256('b')) $$, 'a user is erased');
select throws_ok($$ select * from ingest.erase_user('v', null, sha256('c'), sha256('other')) $$, '55000', null,
  'under one key only');
select results_eq($$ select user_hmac, app_id from ingest.erased_user $$,
  $$ values (sha256('a'), null::text) $$, 'and a tombstone is left of each, once');
select isnt(ingest.user_pattern('u'), null, 'an id of one letter has a pattern');

select * from finish();
rollback;
