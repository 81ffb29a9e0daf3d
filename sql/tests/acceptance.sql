-- The preconditions of an acceptance, and the roles that can call it.
begin;
select plan(8);

select is_empty(
  $$ select s.stream, secret from ingest.stream s, unnest(s.secret_columns) secret
       where secret || '_sha256' <> all (s.compared_columns) $$,
  'every secret column has a compared digest column');
select is_empty(
  $$ select s.stream, f.field from ingest.stream s, ingest.acceptable_fields(s.stream) f
       group by s.stream, f.field having count(*) > 1 $$,
  'no column follows two leaders');
select is_empty(
  $$ select s.stream, f.field from ingest.stream s, ingest.acceptable_fields(s.stream) f
       where f.field = any (s.key_columns || s.secret_columns)
         or f.field in ('source_file_id', 'line_number', 'row_digest') $$,
  'keys, secrets and line positions cannot be accepted');
select is_empty(
  $$ select s.stream, c.name from ingest.stream s, unnest(s.compared_columns) c (name)
       where not exists (select from ingest.acceptable_fields(s.stream) f where f.leader = c.name)
         and c.name <> all (s.secret_columns) $$,
  'every other compared column can be accepted');
select is_empty(
  $$ select p.oid::regprocedure from pg_catalog.pg_proc p
       where p.pronamespace = 'ingest'::regnamespace and p.proname in ('accept_conflicts', 'accept_lines',
           'undo_acceptance', 'take_back_lines', 'fold_lines', 'overlay', 'accepted_changes', 'records_of_user')
         and (p.prosecdef or has_function_privilege('public', p.oid, 'execute')) $$,
  'only the owner can accept, and the functions run with the caller''s rights');
select throws_ok($$ select * from ingest.accept_conflicts('{receipt}', null, null, null, null, null) $$,
  '22004', null, 'an acceptance without a condition is refused');
select results_eq(
  $$ select acceptance_id, line_count from ingest.accept_conflicts('{}', null, null, 'receipt', null, null) $$,
  $$ values (null::bigint, 0::bigint) $$, 'without conflicts there is no acceptance');
select is_empty($$ select * from ingest.acceptance $$, 'an acceptance without conflicts is not recorded');

select * from finish();
rollback;
