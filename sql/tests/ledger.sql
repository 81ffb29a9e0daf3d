-- The constraints of the ledger, for every role.
begin;
select plan(19);

insert into ingest.load (loader_version) values ('test');
create temporary table entry as select currval(pg_get_serial_sequence('ingest.load', 'load_id')) as load_id;

create function pg_temp.enter(
  bytes text, lines bigint, inserted bigint, filled bigint default 0, duplicates bigint default 0,
  conflicts bigint default 0, rejected bigint default 0, suppressed bigint default 0,
  blank bigint default 0, p_app_id text default null, p_observed_at timestamptz default null,
  p_stream text default 'receipt')
returns bigint language sql as $$
  insert into ingest.source_file (load_id, stream, path, sha256, byte_count, line_count,
      inserted_count, filled_count, duplicate_count, conflict_count, rejected_count,
      suppressed_count, blank_count, app_id, observed_at, as_of, time_unit, purchase_token_mode,
      max_line_bytes, max_nesting, max_identifier_bytes, max_text_bytes)
    select load_id, p_stream, 'a.jsonl', sha256(bytes::bytea), 1, lines, inserted, filled,
        duplicates, conflicts, rejected, suppressed, blank, p_app_id, p_observed_at, now(), 'ms',
        'hash', 1, 1, 1, 1
      from entry
    returning source_file_id
$$;

select lives_ok($$ select pg_temp.enter('a', 28, 1, 2, 3, 4, 5, 6, 7) $$, 'outcomes that add up are accepted');
select throws_ok($$ select pg_temp.enter('b', 29, 1, 2, 3, 4, 5, 6, 7) $$, '23514', null,
  'a line without an outcome is refused');
select throws_like($$ select pg_temp.enter('b', 27, 1, 2, 3, 4, 5, 6, 7) $$,
  '%outcomes_add_up%', 'a line with two outcomes violates outcomes_add_up');
select throws_ok($$ select pg_temp.enter('b', 0, 1, -1) $$, '23514', null, 'a negative count is refused');

select throws_ok($$ select pg_temp.enter('a', 0, 0) $$, '23505', null, 'the same bytes cannot be loaded twice');
select lives_ok($$ select pg_temp.enter('a', 0, 0, p_app_id => 'x') $$,
  'the same bytes with another application are another file');
select throws_ok($$ select pg_temp.enter('a', 0, 0, p_app_id => 'x') $$, '23505', null,
  'the same bytes with the same application cannot be loaded twice');
select lives_ok($$ select pg_temp.enter('a', 0, 0, p_observed_at => now()) $$,
  'the same bytes with another observed_at are another file');
select lives_ok($$ select pg_temp.enter('a', 0, 0, p_stream => 'level_up') $$,
  'the same bytes in another stream are another file');

update ingest.source_file set undone_at = now() where undone_at is null;
select lives_ok($$ select pg_temp.enter('a', 0, 0) $$, 'an undone file can be loaded again');

set constraints all immediate;
select throws_ok(
  $$ insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count) values (0, 'receipt', 1, 0, 'missing_field', 'x', '', 0) $$,
  '23503', null, 'a reject needs a loaded file');
select throws_ok(
  $$ insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number) values ('receipt', '["p"]', 'user_id', 'a', 'b', 0, 1) $$,
  '23503', null, 'a conflict needs a loaded file');

-- Checks refuse the values that an erasure, a report or another load would fail on.
create function pg_temp.violated(p_statement text) returns text language plpgsql as $$
declare
  failed text;
begin
  execute p_statement using (select max(load_id) from ingest.load);
  return 'taken';
exception when check_violation then
  get stacked diagnostics failed = constraint_name;
  return failed;
end
$$;
create function pg_temp.failure(p_column text, p_value text) returns text language sql as $$
  select pg_temp.violated(format(
    'insert into ingest.failed_file (load_id, path, reason, %I) values ($1, ''a'', ''b'', %L)', p_column, p_value))
$$;
select is(concat_ws(' ', pg_temp.failure('failed_at', 'infinity'), pg_temp.failure('first_failed_at', '-infinity')),
  'failed_file_times_finite failed_file_times_finite', 'a failure has a time');
select is(
  concat_ws(' ', pg_temp.failure('attempt_count', '1000000001'), pg_temp.failure('byte_count', '-1'),
    pg_temp.failure('line_count', '-1'), pg_temp.failure('rejected_count', '-1')),
  'failed_file_counts_bounded failed_file_counts_bounded failed_file_counts_bounded failed_file_counts_bounded',
  'its counts add up with those of other failures');
select is(pg_temp.failure('attempt_count', '1000000000'), 'taken', 'up to a thousand million attempts');
create function pg_temp.run(p_column text, p_value text) returns text language sql as $$
  select pg_temp.violated(format(
    'insert into ingest.load (loader_version, %I) values (''test'', %L)', p_column, p_value))
$$;
select is(
  concat_ws(' ', pg_temp.run('started_at', 'infinity'), pg_temp.run('seen_at', 'infinity'),
    pg_temp.run('finished_at', '-infinity')),
  'load_times_finite load_times_finite load_times_finite', 'a run has times');
select is(concat_ws(' ', pg_temp.run('first_day', 'infinity'), pg_temp.run('last_day', 'infinity')),
  'load_days_finite load_days_finite', 'and days');
create function pg_temp.failed_line(p_bytes integer) returns text language sql as $$
  select pg_temp.violated(format($insert$
    insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code, reason, raw, raw_byte_count)
      select max(failed_file_id), 1, 0, 'x', 'x', convert_to(repeat('x', %s), 'UTF8'), 1 from ingest.failed_file
  $insert$, p_bytes))
$$;
select is(concat_ws(' ', pg_temp.failed_line(1048577), pg_temp.failed_line(1048576)), 'failed_reject_raw_bounded taken',
  'a refused line is kept up to 1 MiB at most');
select is(
  pg_temp.violated($$ insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw,
      raw_byte_count) select max(source_file_id), 'receipt', 1, 0, 'x', 'x', convert_to(repeat('x', 1048577), 'UTF8'), 1
    from ingest.source_file $$),
  'reject_raw_bounded', 'in a loaded file, too');

select * from finish();
rollback;
