-- ingest.erase_user: the rows, lines, conflicts, fills and values that belong to a user, and the remaining ones.
begin;
\ir parts/files.sql
\ir parts/acceptance_functions.sql
select plan(22);
set local timezone = 'Asia/Kolkata';

create function pg_temp.erase(p_user_id text, p_app_id text default null) returns text language sql as $$
  select pg_temp.rows(format($q$ select place, trace_count
      from ingest.erase_user(%L, %L, sha256(%L), sha256('key'))
      where trace_count > 0 and place !~ ' ' $q$,
    p_user_id, p_app_id, concat_ws(' ', p_user_id, p_app_id)))
$$;
create function pg_temp.traces(p_user_id text, p_app_id text default null) returns text language sql as $$
  select pg_temp.rows(format('select place, trace_count from ingest.count_user_traces(%L, %L)
      where trace_count > 0 and place !~ '' ''',
    p_user_id, p_app_id))
$$;
-- All data: for each row or line some words, a key without its brackets and its time.
create function pg_temp.key(p_key jsonb) returns text language sql as $$
  select nullif(regexp_replace(translate(p_key::text, ',[]" ', '/'), '/?2031.*', ''), '')
$$;
create function pg_temp.left_over() returns setof text language sql as $$
  select concat_ws(' ', 'row', payment_seq, user_id) from game.receipt
  union all select concat_ws(' ', 'level', user_id, app_id) from game.level_up
  union all select concat_ws(' ', 'fill', stream, pg_temp.key(natural_key), field) from ingest.fill
  union all select concat_ws(' ', 'conflict', line_number, stream, pg_temp.key(natural_key), field) from ingest.conflict
  union all select concat_ws(' ', 'overlaid', stream, pg_temp.key(natural_key)) from ingest.overlaid_row
  union all select concat_ws(' ', 'reject', line_number, case when raw = '' then 'emptied' end) from ingest.reject
  union all select concat_ws(' ', f.path, r.line_number, case when r.raw = '' then 'emptied' end)
    from ingest.failed_reject r join ingest.failed_file f using (failed_file_id)
$$;
-- The function returns what has changed since its last call; the table keeps what it has seen.
create temporary table seen (line text);
create function pg_temp.changes() returns setof text language plpgsql as $$
declare
  remaining constant text[] := array(select pg_temp.left_over());
begin
  return query (table pg_temp.seen except select unnest(remaining))
    union all (select unnest(remaining) except table pg_temp.seen);
  delete from pg_temp.seen;
  insert into pg_temp.seen select unnest(remaining);
end
$$;
create function pg_temp.erased() returns text language sql as $$
  select pg_temp.rows($q$ select f.path, e.outcome, e.line_count from ingest.erased_line e
    join ingest.source_file f using (source_file_id) order by 1, 2 $q$)
$$;

select pg_temp.load_rows('receipt', 'a', 'app=a | q app=b | r user=v | s | x user=v app=a') \g /dev/null
select pg_temp.load_rows('receipt', 'b', $$
  amount=1 payload=y | q amount=1 | r amount=1 | q currency=USD | p currency=USD store=z | r user=u
  x user=u currency=USD | r user=w currency=USD | r user=u app=c $$) \g /dev/null
select pg_temp.load_rows('level_up', 'levels', $$
  app=a | app=b | v app=a | app=a channel=k | app=b channel=k | v app=a channel=k | app=a channel=l $$) \g /dev/null
select pg_temp.accept(p_stream => 'receipt', p_field => 'currency') \g /dev/null
select pg_temp.accept('{level_up}', p_stream => 'level_up') \g /dev/null
-- A row whose file has no ledger entry.
insert into game.receipt
  select (jsonb_populate_record(r, '{"payment_seq": "lost", "source_file_id": 0}')).*
    from game.receipt r where payment_seq = 'p';
-- A stream with a time and no user in its key.
create table game.made_up (
  at timestamptz primary key, user_id text, app_id text, source_file_id bigint, line_number bigint);
insert into ingest.stream (stream, target_table, key_columns, compared_columns)
  values ('made_up', 'made_up', '{at}', '{user_id}');
select pg_temp.open_file('made_up', 'made up') \g /dev/null
insert into game.made_up select '2031-02-03 04:05:06+00', 'u', 'a', pg_temp.file('made up'), 1;
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  values ('made_up', '["2031-02-03T04:05:06+00:00"]', 'f', pg_temp.file('made up'), 1);
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  values ('made_up', '["2031-02-03T04:05:06+00:00"]', 'f', '1', '2', pg_temp.file('made up'), 1);
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  values ('made_up', '["2031-02-03T04:05:06+00:00"]', '{"f": "1"}');
-- Lines of another user, with the same line numbers as lines above and below.
select pg_temp.load_rows('receipt', 'b2', 'x line_number=6 user=w | x line_number=21 user=w app=c') \g /dev/null
-- Lines that an older version refused.
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  select 'receipt', '["r"]', c.field, c.kept, c.refused, pg_temp.file('b'), c.line
    from (values
      (21, 'user_id', 'v', 'u'),
      (22, 'user_id', 'v', 'u'),
      (22, 'app_id', 'x', 'b'),
      (23, 'user_id', 'u', 'v'),
      (24, 'currency', 'u', 'u')) c (line, field, kept, refused);
-- A conflict with a row that is gone.
insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number)
  values ('level_up', '["a", "u", null, 9, "2031-02-03T04:05:06+00:00"]', 'class_id', '1', '2',
      pg_temp.file('levels'), 29);
-- Refused lines, with and without a known user.
insert into ingest.reject
    (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count, user_id, app_id,
      resolved_at, resolved_order)
  select pg_temp.file('b'), 'receipt', l.line, 0, 'malformed_json', 'r', l.raw::bytea, 1, l.user_id, l.app_id,
      case when l.is_loaded then now() end, case when l.is_loaded then 1 end
    from (values
      (31, 'read', 'u', 'a', false),
      (32, 'read', 'u', 'b', false),
      (33, 'read', 'u', null, false),
      (34, 'read u', 'v', 'a', false),
      (35, '{"userId":"u"}', null, null, false),
      (36, '{"userId":"v","x":"u"}', null, null, false),
      (37, '{"userId":"u', null, null, false),
      (38, '{"userId":"v', null, null, false),
      (39, 'loaded', 'u', null, true)) l (line, raw, user_id, app_id, is_loaded);
insert into ingest.failed_file (load_id, stream, path, reason, sha256)
  select max(load_id), 'receipt', path, 'e', sha256(path::bytea)
    from ingest.load, unnest('{failed,another}'::text[]) path group by path;
insert into ingest.failed_reject
    (failed_file_id, line_number, byte_offset, code, reason, raw, raw_byte_count, user_id, app_id)
  select f.failed_file_id, l.line, 0, 'malformed_json', 'r', l.raw::bytea, 1, l.user_id, l.app_id
    from ingest.failed_file f join (values
      ('failed', 1, 'read', 'u', 'a'),
      ('failed', 2, 'read', 'u', 'b'),
      ('failed', 3, 'read', 'v', 'a'),
      ('failed', 4, '{"userId":"u', null, null),
      ('failed', 5, '{"userId":"v', null, null),
      ('another', 1, '{"userId":"v', null, null),
      ('another', 2, '{"userId":"v', null, null)) l (path, line, raw, user_id, app_id) using (path);
select pg_temp.changes() \g /dev/null
select is(pg_temp.traces('u', 'a'),
  '(game.level_up,1) (game.made_up,1) (game.receipt,2) (ingest.reject,3) (ingest.failed_reject,1)'
    || ' (ingest.conflict,9) (ingest.fill,4) (ingest.overlaid_row,2)',
  'the traces of a user in one application are counted');
select is(pg_temp.traces('u'),
  '(game.level_up,2) (game.made_up,1) (game.receipt,4) (ingest.reject,4) (ingest.failed_reject,2)'
    || ' (ingest.conflict,14) (ingest.fill,6) (ingest.overlaid_row,2)',
  'the traces of a user in all applications are counted');
select is(pg_temp.traces('nobody'), '', 'an unknown user has no traces');
select is(
  pg_temp.rows($$ select place, trace_count from ingest.count_user_traces('nobody', null) where trace_count > 0 $$),
  '("bytes of ingest.reject",4) ("bytes of ingest.failed_reject",4)',
  'before the first erasure the lines without a known user are counted');
select is(pg_temp.erase('u', 'b'),
  '(game.level_up,1) (game.receipt,1) (ingest.reject,3) (ingest.failed_reject,1) (ingest.conflict,6)'
    || ' (ingest.fill,2)', 'an erasure in one application returns its counts');
select set_eq('select pg_temp.changes()', '{
    conflict 21 receipt r user_id, conflict 22 receipt r app_id, conflict 22 receipt r user_id,
    conflict 3 receipt r user_id, conflict 4 receipt q currency, conflict 6 receipt r user_id,
    fill level_up b/u/null/1 channel_id, fill receipt q amount_minor, level u b, row q u, reject 32, reject 33,
    reject 39, failed 2, reject 35, reject 36, reject 37, reject 38, failed 4, failed 5, another 1, another 2,
    reject 35 emptied, reject 36 emptied, reject 37 emptied, reject 38 emptied, failed 4 emptied, failed 5 emptied,
    another 1 emptied, another 2 emptied}'::text[],
  'it deletes the traces in that application, and those without a known application');
select is(pg_temp.erased(),
  '(a,inserted,1) (b,conflict,5) (b,filled,1) (b,rejected,2) (levels,filled,1) (levels,inserted,1)',
  'erased lines of files in the ledger are counted');
select is(pg_temp.erase('u', 'a'),
  '(game.level_up,1) (game.made_up,1) (game.receipt,2) (ingest.reject,1) (ingest.failed_reject,1)'
    || ' (ingest.conflict,6) (ingest.fill,4) (ingest.overlaid_row,2)',
  'a second erasure in another application returns its counts');
select set_eq('select pg_temp.changes()', '{
    conflict 1 made_up f, conflict 29 level_up a/u/null/9 class_id, conflict 5 receipt p currency,
    conflict 7 level_up a/u/null/1 channel_id, conflict 7 receipt x currency, conflict 7 receipt x user_id, failed 1,
    fill level_up a/u/null/1 channel_id, fill made_up f, fill receipt p amount_minor, fill receipt p payload,
    level u a, overlaid level_up a/u/null/1, overlaid made_up, reject 31, row lost u, row p u}'::text[],
  'it deletes the traces in that application');
select is(pg_temp.erased(),
  '(a,inserted,2) (b,conflict,7) (b,filled,2) (b,rejected,3) (levels,conflict,2) (levels,filled,2)'
    || ' (levels,inserted,2) ("made up",conflict,1) ("made up",filled,1) ("made up",inserted,1)',
  'counts of erased lines add up over erasures');
select is(pg_temp.erase('u'), '(game.receipt,1) (ingest.conflict,2)', 'so does one in all applications');
select set_eq('select pg_temp.changes()', '{
    conflict 23 receipt r user_id, conflict 9 receipt r user_id, row s u}'::text[],
  'it deletes all traces of the user');
select set_eq('select pg_temp.left_over()', '{
    conflict 21 receipt x app_id, conflict 21 receipt x user_id, conflict 24 receipt r currency,
    conflict 6 receipt x user_id, conflict 8 receipt r currency, conflict 8 receipt r user_id,
    fill level_up a/v/null/1 channel_id, level v a, reject 34, reject 35 emptied, reject 36 emptied,
    reject 37 emptied, reject 38 emptied, row r v, row x v, failed 3, failed 4 emptied, failed 5 emptied,
    another 1 emptied, another 2 emptied}'::text[], 'and leaves those of others');
select is(pg_temp.traces('u'), '', 'an erased user has no traces');
select is(pg_temp.erase('u'), '', 'a repeated erasure deletes nothing');
select is((select count(*)
       from pg_catalog.pg_locks
       where locktype = 'advisory' and pid = pg_backend_pid() and mode = 'ExclusiveLock'
         and objid::bigint | (classid::bigint << 32) in (
           select ingest.lock_key('stream ' || stream) from ingest.stream union select ingest.lock_key('erasures'))),
  (select count(*) + 1 from ingest.stream), 'an erasure holds the locks of all streams and of failure reports');

-- Tombstones.
select is(pg_temp.rows($$ select user_hmac = sha256('u b'), app_id
       from ingest.erased_user order by app_id nulls last $$),
  '(f,a) (t,b) (f,)', 'each erasure leaves a tombstone');
select is((select check_value from ingest.erasure_key), sha256('key'), 'the check value of the key is stored');
select throws_ok(format('select pg_temp.erase(%L)', id), '55000', 'user id must not be empty', 'no user id is refused')
  from unnest(array['', null]) id;
delete from ingest.erased_user;
select throws_ok($$ select * from ingest.erase_user('u', null, sha256('u'), sha256('other')) $$, '55000',
  'erasure key differs from the key of earlier erasures', 'another key is refused even without tombstones');
insert into ingest.erased_user (user_hmac) values (sha256('u'));
delete from ingest.erasure_key;
select throws_ok($$ select pg_temp.erase('u') $$, '55000',
  'table ingest.erasure_key is empty, but ingest.erased_user is not', 'an erasure needs the check value');

select * from finish();
rollback;
