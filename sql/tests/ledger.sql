-- The constraints of the ledger, for every role: what an erasure, a report or another load would fail on.
begin;
\ir parts/ledger.sql
select plan(10);

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
