-- The ledger: the functions that open, reopen and close files and resolve refused lines, with their counts and errors, and
-- the constraints for every role: what an erasure, a report or another load would fail on.
begin;
\ir parts/files.sql
select plan(71);

create function pg_temp.counts(p_path text) returns text language sql as $$
  select pg_temp.rows(format('select line_count, inserted_count, filled_count, duplicate_count, conflict_count,
    rejected_count, suppressed_count, released_count, blank_count from ingest.source_file where source_file_id = %s',
    pg_temp.file(p_path)))
$$;
create function pg_temp.close(p_files bigint[], p_lines bigint[], p_inserted bigint[], p_duplicates bigint[],
  p_rejected bigint[], p_suppressed bigint[] default '{0}', p_blank bigint[] default '{0}')
returns void language sql as $$
  select ingest.close_files(p_files, array(select sha256(('s' || n)::bytea) from unnest(p_files) n),
    array(select n + 100 from unnest(p_files) n), p_lines, p_inserted, p_duplicates, p_rejected,
    p_suppressed, p_blank)
$$;
create function pg_temp.reject(p_path text, variadic p_lines bigint[]) returns void language sql as $$
  insert into ingest.reject
      (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count, user_id)
    select pg_temp.file(p_path), 'receipt', line, 0, 'malformed_json', 'r', '{', 1, 'u'
      from unnest(p_lines) line
$$;
create function pg_temp.rejects(p_path text, variadic p_lines bigint[]) returns bigint[]
language sql stable as $$
  select array(select reject_id from ingest.reject
    where source_file_id = pg_temp.file(p_path) and line_number = any (p_lines))
$$;

-- Opening.
select is(pg_temp.rows($$ select n - min(n) over ()
       from ingest.open_files((select max(load_id) from ingest.load), 'receipt', '{z,y,x}', 'app',
         '2031-01-01', '2031-01-02', 's', 'unwrap', 'hash', 1, 2, 3, 4) n $$),
  '(0) (1) (2)', 'the numbers of opened files ascend');
select is(pg_temp.rows($$ select path, stream, app_id, observed_at::date, as_of::date, time_unit, unwrap_field,
            purchase_token_mode, max_line_bytes, max_nesting, max_identifier_bytes, max_text_bytes,
            opened_by = pg_current_xact_id(), load_id = (select max(load_id) from ingest.load)
       from ingest.source_file order by source_file_id $$),
  '(z,receipt,app,2031-01-01,2031-01-02,s,unwrap,hash,1,2,3,4,t,t)'
    || ' (y,receipt,app,2031-01-01,2031-01-02,s,unwrap,hash,1,2,3,4,t,t)'
    || ' (x,receipt,app,2031-01-01,2031-01-02,s,unwrap,hash,1,2,3,4,t,t)',
  'the numbers follow the order of the paths, and the options are stored');
select is(pg_temp.rows($$ select path, ingest.is_closed(f) from ingest.source_file f order by source_file_id $$),
  '(z,f) (y,f) (x,f)', 'an opened file is not closed');
select throws_ok(
    format('select ingest.open_files(null, %L, %L, null, null, null, null, null, null, 1, 1, 1, 1)', stream, paths),
    '42704', null, rule)
  from (values ('no stream', '{a}', 'an unknown stream is refused'),
    ('receipt', '{}', 'an empty list of files is refused')) v (stream, paths, rule);

-- Closing.
select throws_ok($$ set constraints ingest.refuse_open_entry immediate $$, '55000', null,
  'an open file is refused at commit');
select pg_temp.reject('y', 7), pg_temp.reject('x', 1, 2) \g /dev/null
select throws_ok(
    format('select pg_temp.close(array[pg_temp.file(%L)], array[%s::bigint], array[%s::bigint], array[%s::bigint],
      array[%s::bigint])', path, lines, inserted, duplicates, coalesce(rejected::text, 'null')), code, null, rule)
  from (values
    ('z', 2, 1, 0, 1, '55000', 'a count of refused lines above the stored ones'),
    ('y', 1, 1, 0, 0, '55000', 'a count of refused lines below the stored ones'),
    ('y', 1, 1, 0, null, '55000', 'a NULL count of refused lines'),
    ('z', 1, 2, -1, 0, '55000', 'a negative count of duplicates'),
    ('z', 1, -1, 2, 0, '55000', 'a negative count of new rows'),
    ('z', 9, 1, 2, 0, '23514', 'a sum of outcomes other than the lines')
  ) v (path, lines, inserted, duplicates, rejected, code, rule);
select throws_ok(
  $$ select pg_temp.close(array[pg_temp.file('z'), 0], '{1,1}', '{1,1}', '{0,0}', '{0,0}', '{0,0}', '{0,0}') $$,
  '42501', null, 'an unknown file is refused, even in a list with known ones');
select pg_temp.close(array[pg_temp.file('z'), pg_temp.file('y')], '{10,1}', '{1,0}', '{2,0}', '{0,1}', '{3,0}',
  '{4,0}') \g /dev/null
select is(pg_temp.counts('z'), '(10,1,0,2,0,0,3,0,4)', 'closing a file stores each count');
select is(pg_temp.counts('y'), '(1,0,0,0,0,1,0,0,0)', 'closing several files stores the counts of each');
select is(pg_temp.counts('x'), '(0,0,0,0,0,0,0,0,0)', 'other files keep their counts');
select is(pg_temp.rows($$ select path, ingest.is_closed(f), sha256 = sha256(('s' || source_file_id)::bytea),
            byte_count = source_file_id + 100
       from ingest.source_file f order by source_file_id $$),
  '(z,t,t,t) (y,t,t,t) (x,f,f,f)', 'closing a file stores its digest and size');
select throws_ok($$ select pg_temp.close(array[pg_temp.file('z')], '{10}', '{0}', '{0}', '{0}') $$,
  '55000', null, 'a closed file cannot be closed again');
select pg_temp.load_rows('receipt', 'merged', '-') \g /dev/null
select pg_temp.open_file('receipt', 'half') \g /dev/null
select pg_temp.stage('receipt', pg_temp.file('half'), '{}', '{"payment_seq": "q"}') \g /dev/null
select staging.merge('receipt', pg_temp.file('half')) \g /dev/null
select is(pg_temp.counts('half'), '(2,1,0,1,0,0,0,0,0)', 'a merge counts the lines of an open file');
select pg_temp.close(array[pg_temp.file('half')], '{5}', '{1}', '{2}', '{0}') \g /dev/null
select is(pg_temp.counts('half'), '(5,2,0,3,0,0,0,0,0)', 'closing adds the other lines to the counts of the merge');
select pg_temp.close(array[pg_temp.file('x')], '{2}', '{0}', '{0}', '{2}') \g /dev/null
select lives_ok($$ set constraints ingest.refuse_open_entry immediate $$, 'closed files pass the check at commit');
set constraints all deferred;

-- Files of other transactions.
create function pg_temp.forget(p_path text) returns void language sql as $$
  update ingest.source_file set opened_by = null where path = p_path
$$;
select pg_temp.open_file('receipt', 'foreign'), pg_temp.forget('foreign'), pg_temp.open_file('receipt',
  'undone') \g /dev/null
update ingest.source_file set undone_at = now() where path = 'undone';
select throws_ok(format('select pg_temp.close(array[pg_temp.file(%L)], ''{1}'', ''{1}'', ''{0}'', ''{0}'')', path),
    '42501', null, path || ': such a file cannot be closed')
  from unnest('{foreign, undone}'::text[]) path;
update ingest.source_file set undone_at = now() where path = 'half';
select throws_ok(format('select ingest.reopen_file(%s)', coalesce(pg_temp.file(path), 0)), '42704', null,
    rule || ' cannot be reopened')
  from (values ('undone', 'an undone file'), ('foreign', 'a file that was never closed'),
    ('half', 'a closed and undone file'), ('nothing', 'an unknown file')) v (path, rule);
update ingest.source_file set undone_at = null where path = 'half';
delete from ingest.source_file where path in ('foreign', 'undone');

-- Replays.
select pg_temp.forget(path) from unnest('{z,y,x,merged,half}'::text[]) path \g /dev/null
select throws_ok($$ select ingest.resolve_rejects(pg_temp.file('x'), pg_temp.rejects('x', 1), '{}') $$,
  '42501', null, 'rejects of a file that is not open cannot be resolved');
select throws_ok($$ select ingest.count_rows('receipt', pg_temp.file('x'), 0, 0) $$, '42501', null,
  'the counts of a file that is not open cannot change');
select ingest.reopen_file(pg_temp.file('x')) \g /dev/null
select is(pg_temp.rows($$ select path from ingest.source_file where opened_by = pg_current_xact_id() order by path $$),
  '(x)', 'reopening a file opens only that file');
select throws_ok(format('select ingest.resolve_rejects(%s, %s, %s)', file, loaded, suppressed), code, null, rule)
  from (values
    ('null', '''{}''', '''{}''', '42501', 'a NULL file is refused'),
    ('pg_temp.file(''x'')', 'null', '''{}''', '23502', 'a NULL list of loaded lines is refused'),
    ('pg_temp.file(''x'')', '''{}''', 'null', '23502', 'a NULL list of suppressed lines is refused'),
    ('pg_temp.file(''x'')', 'pg_temp.rejects(''y'', 7)', '''{}''', '55000', 'rejects of another file stay'),
    ('pg_temp.file(''x'')', '''{}''', 'pg_temp.rejects(''x'', 2)', '55000',
      'a reject cannot be suppressed without a tombstone')) v (file, loaded, suppressed, code, rule);
insert into ingest.erased_user (user_hmac) values (sha256('u'));
select ingest.resolve_rejects(pg_temp.file('x'), pg_temp.rejects('x', 1), '{}') \g /dev/null
select is(pg_temp.counts('x'), '(2,0,0,0,0,1,0,1,0)', 'a loaded line is counted as released');
select ingest.resolve_rejects(pg_temp.file('x'), '{}', pg_temp.rejects('x', 2)) \g /dev/null
select is(pg_temp.counts('x'), '(2,0,0,0,0,0,1,1,0)', 'a suppressed line is counted as suppressed');
select is(pg_temp.rows($$ select line_number, resolved_at is not null, resolved_order > source_file_id, raw, user_id
       from ingest.reject order by source_file_id, line_number $$),
  '(7,f,,"\\x7b",u) (1,t,t,"\\x7b",u) (2,t,t,"\\x",)',
  'a suppressed reject is emptied, and the others keep their lines');
select is((select count(distinct resolved_order) from ingest.reject), 2::bigint, 'each replay has its own number');
select throws_ok($$ select ingest.resolve_rejects(pg_temp.file('x'), pg_temp.rejects('x', 1), '{}') $$,
  '55000', null, 'a resolved reject cannot be resolved again');
select throws_ok($$ set constraints ingest.refuse_open_entry immediate $$, '55000', null,
  'a released line without an outcome is refused at commit');
select throws_ok(format('select ingest.count_rows(''receipt'', pg_temp.file(''x''), %s, %s)', inserted, duplicates), code, null,
    rule)
  from (values
    (2, -1, '22003', 'a negative count of replayed duplicates is refused'),
    (-1, 2, '22003', 'a negative count of replayed rows is refused'),
    (1, 1, '23514', 'a count above the released lines is refused')) v (inserted, duplicates, code, rule);
select ingest.count_rows('receipt', pg_temp.file('x'), 1, 0) \g /dev/null
select is(pg_temp.counts('x'), '(2,1,0,0,0,0,1,0,0)', 'a replayed row is counted');
select pg_temp.reject('y', 8) \g /dev/null
update ingest.source_file set line_count = line_count + 1, rejected_count = rejected_count + 1 where path = 'y';
select ingest.reopen_file(pg_temp.file('y')), ingest.resolve_rejects(pg_temp.file('y'), pg_temp.rejects('y', 7,
  8), '{}'),
  ingest.count_rows('receipt', pg_temp.file('y'), 0, 1) \g /dev/null
select is(pg_temp.counts('y'), '(2,0,0,1,0,0,0,1,0)', 'a replayed duplicate is counted');
select pg_temp.stage('receipt', pg_temp.file('y'), '{"line_number": 8}'), staging.merge('receipt',
  pg_temp.file('y')) \g /dev/null
select is(pg_temp.counts('y'), '(2,0,0,2,0,0,0,0,0)', 'a merge counts released lines');
select is(pg_temp.counts('z'), '(10,1,0,2,0,0,3,0,4)', 'other files keep their counts');

-- Files without a record.
create function pg_temp.load_empty(p_path text, p_canonical_path text, p_stream text default 'receipt',
  p_records bigint default 0) returns void language sql as $$
  select ingest.close_files(array[pg_temp.open_file(p_stream, p_path)], array[sha256('empty')], '{3}',
    array[2 + p_records], '{0}', '{0}', '{0}', array[p_records], '{2}', array[p_canonical_path])
$$;
select pg_temp.load_empty('a', '/in/a'), pg_temp.load_empty('b', '/in/b'), pg_temp.load_empty('c', '/in/a', 'level_up')
  \g /dev/null
select is(pg_temp.rows($$ select path, stream, empty_path, line_count, blank_count from ingest.source_file
    where path in ('a', 'b', 'c') order by path $$),
  '(a,receipt,/in/a,2,2) (b,receipt,/in/b,2,2) (c,level_up,/in/a,2,2)',
  'the path and the stream tell files with the same bytes and no record apart');
select throws_ok($$ select pg_temp.load_empty('d', '/in/a') $$, '23505', null,
  'the same path with the same bytes is refused');
update ingest.source_file set undone_at = now() where path = 'a';
select lives_ok($$ select pg_temp.load_empty('d', '/in/a') $$, 'the path of an undone file can be loaded again');
select pg_temp.load_empty('e', '/in/e', p_records => 1) \g /dev/null
select is((select empty_path from ingest.source_file where path = 'e'), '',
  'a file with a record has no path as its identity');
select throws_ok($$ select pg_temp.load_empty('f', '/in/f', p_records => 1) $$, '23505', null,
  'the same bytes with a record are refused under any path');
select throws_ok($$ update ingest.source_file set empty_path = '/in/e' where path = 'e' $$, '23514', null,
  'only a file without a record has a path as its identity');

-- Failures of files.
insert into ingest.failed_file (load_id, stream, path, reason, sha256)
  select max(load_id), f.stream, f.path, 'r', sha256(f.content::bytea)
    from ingest.load, (values
      ('receipt', 'p', '1'),
      ('receipt', 'q', '2'),
      ('receipt', 'o', '3'),
      ('level_up', 'p', '2')) f (stream, path, content)
    group by f.stream, f.path, f.content order by f.content, f.stream;
insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code, reason, raw, raw_byte_count)
  select failed_file_id, 1, 0, 'malformed_json', 'r', '{', 1 from ingest.failed_file;
update ingest.failed_file set first_failed_at = failed_at - interval '2 days', attempt_count = 3 where path = 'q';
update ingest.failed_file set line_count = 1;
select ingest.clear_failures('p', 'receipt', sha256('2')), ingest.clear_failures('p', 'receipt', null),
  ingest.clear_failures('e', 'receipt', sha256('empty'), 'p') \g /dev/null
select is((select (count(*), (select count(*) from ingest.failed_reject)) from ingest.failed_file), (4::bigint, 4::bigint),
  'failures of bytes that are not loaded stay, whatever other path has loaded ones');
insert into ingest.failed_file (load_id, stream, path, reason, sha256)
  select max(load_id), 'receipt', 'p', 'again', sha256('2') from ingest.load;
select ingest.clear_failures('p', 'receipt', sha256('2')) \g /dev/null
select is(pg_temp.rows($$ select stream, path, attempt_count, first_failed_at = now() - interval '2 days', reason
    from ingest.failed_file order by 1, 2 $$),
  '(level_up,p,1,f,r) (receipt,o,1,f,r) (receipt,p,5,t,again)',
  'a further failure takes the place of those with the path or the digest, and counts their attempts from the first one on');
select is((select count(*) from ingest.failed_reject), 2::bigint, 'their refused lines are deleted too');
update ingest.failed_file set path = 'e', sha256 = sha256('3'), line_count = 1 where path = 'p' and stream = 'receipt';
select ingest.clear_failures('e', 'receipt', sha256('2'), '/in/e') \g /dev/null
select is((select count(*) from ingest.failed_file where path = 'e'), 1::bigint,
  'a failure stays while its path is loaded, but not with the bytes of this call');
select ingest.clear_failures('e', 'receipt', sha256('empty'), '/in/e') \g /dev/null
select is(pg_temp.rows($$ select stream, path from ingest.failed_file order by 1, 2 $$),
  '(level_up,p) (receipt,o)', 'the failures of the path of a loaded file end with it');
update ingest.failed_file set sha256 = sha256('empty') where path = 'o';
select ingest.clear_failures('none', 'receipt', sha256('empty')) \g /dev/null
select is(pg_temp.rows($$ select stream, path from ingest.failed_file order by 1, 2 $$),
  '(level_up,p)', 'the failures of loaded bytes end under any path');
insert into ingest.failed_file (load_id, stream, path, reason, canonical_path)
  select max(load_id), f.stream, f.path, 'r', f.canonical_path
    from ingest.load, (values
      ('receipt', 'in/r', '/data/in/r'),
      ('receipt', 'in/r', '/other/in/r'),
      ('receipt', '/data/in/r', null),
      ('level_up', 'in/r', '/data/in/r')) f (stream, path, canonical_path)
    group by f.stream, f.path, f.canonical_path;
select ingest.clear_failures('../in/r', 'receipt', null, '/data/in/r') \g /dev/null
select is(pg_temp.rows($$ select stream, path, canonical_path from ingest.failed_file order by 1, 2, 3 $$),
  '(level_up,in/r,/data/in/r) (level_up,p,) (receipt,in/r,/other/in/r)',
  'failures are deleted by the canonical path, and those without one by the path as given');

-- This function names the constraint that refuses the statement, else it returns 'taken' and the statement's rows stay.
create function pg_temp.refused_by(p_statement text) returns text language plpgsql as $$
declare
  name text;
begin
  execute p_statement using (select max(load_id) from ingest.load);
  set constraints all immediate;
  return 'taken';
exception when integrity_constraint_violation then
  get stacked diagnostics name = constraint_name;
  return name;
end
$$;

-- Entries of files: the counts are inserted, filled, duplicates, conflicts, rejected, suppressed and blank.
create function pg_temp.enter(p_bytes text, p_lines bigint, p_counts bigint[], p_app_id text default null,
  p_observed_at timestamptz default null, p_stream text default 'receipt') returns text language sql as $$
  select pg_temp.refused_by(format('insert into ingest.source_file (load_id, stream, path, sha256, byte_count,
      line_count, inserted_count, filled_count, duplicate_count, conflict_count, rejected_count, suppressed_count,
      blank_count, app_id, observed_at, as_of, time_unit, purchase_token_mode, max_line_bytes, max_nesting,
      max_identifier_bytes, max_text_bytes)
    values ($1, %L, ''a.jsonl'', %L, 1, %s, %s, %L, %L, now(), ''ms'', ''hash'', 1, 1, 1, 1)', p_stream,
    sha256(p_bytes::bytea), p_lines, array_to_string(p_counts, ','), p_app_id, p_observed_at))
$$;
select is(pg_temp.enter(bytes, lines, counts), refused_by, rule)
  from (values
    ('a', 28, '{1,2,3,4,5,6,7}'::bigint[], 'taken', 'outcomes that add up are accepted'),
    ('b', 29, '{1,2,3,4,5,6,7}', 'outcomes_add_up', 'a line without an outcome is refused'),
    ('b', 27, '{1,2,3,4,5,6,7}', 'outcomes_add_up', 'a line with two outcomes is refused')
  ) v (bytes, lines, counts, refused_by, rule);
select is(pg_temp.enter('b', 0, '{1,-1,0,0,0,0,0}'), 'source_file_filled_count_check', 'a negative count is refused');
\set nothing '''{0,0,0,0,0,0,0}'''
select is(
  concat_ws(' ', pg_temp.enter('a', 0, :nothing), pg_temp.enter('a', 0, :nothing, 'x'),
    pg_temp.enter('a', 0, :nothing, 'x'), pg_temp.enter('a', 0, :nothing, null, now()),
    pg_temp.enter('a', 0, :nothing, p_stream => 'level_up')),
  'source_file_identity taken source_file_identity taken taken',
  'the same bytes are loaded once for each application, observation time and stream');
update ingest.source_file set undone_at = now() where undone_at is null;
select is(pg_temp.enter('a', 0, :nothing), 'taken', 'an undone file can be loaded again');
select is(
  pg_temp.refused_by($$ insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw,
    raw_byte_count) values (0, 'receipt', 1, 0, 'missing_field', 'x', '', 0) $$) || ' '
    || pg_temp.refused_by($$ insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id,
      line_number) values ('receipt', '["p"]', 'user_id', 'a', 'b', 0, 1) $$),
  'reject_source_file_id_fkey conflict_source_file_id_fkey', 'a refused line and a conflict need a loaded file');

-- Failures and runs with one value besides those that they need.
create function pg_temp.with_value(p_table text, p_column text, p_value text) returns text language sql as $$
  select pg_temp.refused_by(format(case p_table
    when 'load' then 'insert into ingest.load (loader_version, %I) values (''test'', %L)'
    else 'insert into ingest.failed_file (load_id, path, reason, %I) values ($1, ''a'', ''b'', %L)' end, p_column,
    p_value))
$$;
select is_empty($$
  select v.name, v.field, v.value, w.refused_by
    from (values
      ('failed_file', 'failed_at', 'infinity', 'failed_file_times_finite'),
      ('failed_file', 'first_failed_at', '-infinity', 'failed_file_times_finite'),
      ('failed_file', 'attempt_count', '1000000001', 'failed_file_counts_bounded'),
      ('failed_file', 'attempt_count', '1000000000', 'taken'),
      ('failed_file', 'byte_count', '-1', 'failed_file_counts_bounded'),
      ('failed_file', 'line_count', '-1', 'failed_file_counts_bounded'),
      ('failed_file', 'rejected_count', '-1', 'failed_file_counts_bounded'),
      ('load', 'started_at', 'infinity', 'load_times_finite'), ('load', 'seen_at', 'infinity', 'load_times_finite'),
      ('load', 'finished_at', '-infinity', 'load_times_finite'),
      ('load', 'first_day', 'infinity', 'load_days_finite'), ('load', 'last_day', 'infinity', 'load_days_finite')
    ) v (name, field, value, refused_by), pg_temp.with_value(v.name, v.field, v.value) w (refused_by)
    where w.refused_by <> v.refused_by $$,
  'a failure and a run have times and days, and counts that add up with those of others');
create function pg_temp.failed_line(p_bytes integer) returns text language sql as $$
  select pg_temp.refused_by(format('insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code,
      reason, raw, raw_byte_count)
    select max(failed_file_id), 1, 0, ''x'', ''x'', convert_to(repeat(''x'', %s), ''UTF8''), 1
      from ingest.failed_file', p_bytes))
$$;
select is(concat_ws(' ', pg_temp.failed_line(1048577), pg_temp.failed_line(1048576)), 'failed_reject_raw_bounded taken',
  'a refused line is kept up to 1 MiB at most');
select is(
  pg_temp.refused_by($$ insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw,
      raw_byte_count) select max(source_file_id), 'receipt', 1, 0, 'x', 'x', convert_to(repeat('x', 1048577), 'UTF8'), 1
    from ingest.source_file $$), 'reject_raw_bounded', 'in a loaded file, too');

select * from finish();
rollback;
