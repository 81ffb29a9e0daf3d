-- The schema after all migrations, for reading and for diffs. Made by scripts/describe-schema.
-- PostgreSQL database dump

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

-- Name: game; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA game;

-- Name: SCHEMA game; Type: COMMENT; Schema: -; Owner: -

COMMENT ON SCHEMA game IS 'Fact tables, one for each stream, and reference tables.';

-- Name: ingest; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA ingest;

-- Name: SCHEMA ingest; Type: COMMENT; Schema: -; Owner: -

COMMENT ON SCHEMA ingest IS 'The ledger: runs, loaded files, refused lines, conflicts and erasures.';

-- Name: report; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA report;

-- Name: SCHEMA report; Type: COMMENT; Schema: -; Owner: -

COMMENT ON SCHEMA report IS 'Views for analysts, and nothing else.';

-- Name: rollup; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA rollup;

-- Name: SCHEMA rollup; Type: COMMENT; Schema: -; Owner: -

COMMENT ON SCHEMA rollup IS 'Tables behind the views of report: what a refresh computes from the facts.';

-- Name: staging; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA staging;

-- Name: SCHEMA staging; Type: COMMENT; Schema: -; Owner: -

COMMENT ON SCHEMA staging IS 'Functions that stage and merge rows on their way into game; see staging.open.';

-- Name: merge_counts; Type: TYPE; Schema: staging; Owner: -

CREATE TYPE staging.merge_counts AS (
	inserted bigint,
	filled bigint,
	duplicates bigint,
	conflicts bigint
);

-- Name: TYPE merge_counts; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TYPE staging.merge_counts IS 'Outcome counts of one merge. They add up to the number of staged rows.';

-- Name: accept_conflicts(text[], text, bigint, text, jsonb, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.accept_conflicts(p_streams text[], p_file text, p_load_id bigint, p_stream text, p_natural_key jsonb, p_field text) RETURNS TABLE(acceptance_id bigint, line_count bigint, row_count bigint, value_count bigint, rowless_count bigint, foreign_count bigint, incomplete_count bigint, superseded_count bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  number bigint;
  one_stream text;
  chosen record;
  accepted record;
begin
  if coalesce(p_file, p_load_id::text, p_stream, p_natural_key::text, p_field) is null then
    raise exception 'no condition selects the conflicts to accept'
      using errcode = 'null_value_not_allowed';
  end if;
  insert into ingest.acceptance (streams, asked_file, asked_load_id, asked_stream, asked_field,
      is_asked_by_key)
    values (p_streams, p_file, p_load_id, p_stream, p_field, p_natural_key is not null)
    returning acceptance.acceptance_id into number;
  line_count := 0;
  row_count := 0;
  value_count := 0;
  rowless_count := 0;
  foreign_count := 0;
  incomplete_count := 0;
  superseded_count := 0;
  foreach one_stream in array p_streams loop
    -- Any conflict of a line can select the line; only one of them has refused_row.
    select array_agg(k.conflict_id) filter (where n.newest is null or n.newest < k.conflict_id) as conflicts,
        count(*) filter (where k.conflict_id is null) as incomplete,
        count(*) filter (where n.newest > k.conflict_id) as superseded
      into chosen
      from (
        select distinct c.source_file_id, c.line_number
          from ingest.conflict c join ingest.source_file f using (source_file_id)
          where c.stream = one_stream and c.acceptance_id is null
            and (p_file is null or f.path = p_file or right(f.path, length(p_file) + 1) = '/' || p_file
              or f.source_file_id::text = p_file)
            and (p_load_id is null or f.load_id = p_load_id)
            and (p_stream is null or c.stream = p_stream)
            and (p_natural_key is null or c.natural_key = p_natural_key)
            and (p_field is null or c.field = p_field)
      ) l
      left join ingest.conflict k on k.stream = one_stream and k.source_file_id = l.source_file_id
        and k.line_number = l.line_number and k.refused_row is not null
      left join (
        select a.natural_key, max(a.conflict_id) as newest
          from ingest.conflict a
          where p_file is null and p_load_id is null and p_natural_key is null
            and a.stream = one_stream and a.acceptance_id is not null and a.refused_row is not null
          group by a.natural_key
      ) n on n.natural_key = k.natural_key;
    superseded_count := superseded_count + chosen.superseded;
    incomplete_count := incomplete_count + chosen.incomplete;
    select * into accepted from ingest.accept_lines(one_stream, number,
      coalesce(chosen.conflicts, '{}'));
    line_count := line_count + accepted.line_count;
    row_count := row_count + accepted.row_count;
    value_count := value_count + accepted.value_count;
    rowless_count := rowless_count + accepted.rowless_count;
    foreign_count := foreign_count + accepted.foreign_count;
  end loop;
  if line_count = 0 then
    delete from ingest.acceptance a where a.acceptance_id = number;
  else
    acceptance_id := number;
    update ingest.acceptance a
      set line_count = accept_conflicts.line_count, row_count = accept_conflicts.row_count,
        value_count = accept_conflicts.value_count
      where a.acceptance_id = number;
  end if;
  return next;
end
$$;

-- Name: FUNCTION accept_conflicts(p_streams text[], p_file text, p_load_id bigint, p_stream text, p_natural_key jsonb, p_field text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.accept_conflicts(p_streams text[], p_file text, p_load_id bigint, p_stream text, p_natural_key jsonb, p_field text) IS 'Writes the values of the selected open conflicts'' lines to the stored rows and records the previous values. acceptance_id is NULL when no line was accepted. For the owner.';

-- Name: accept_lines(text, bigint, bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.accept_lines(p_stream text, p_acceptance_id bigint, p_conflicts bigint[]) RETURNS TABLE(line_count bigint, row_count bigint, value_count bigint, rowless_count bigint, foreign_count bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO, YMD'
    SET bytea_output TO 'hex'
    AS $_$
declare
  registered ingest.stream;
  target regclass;
  same_key text := ingest.natural_key_condition(p_stream);
  is_foreign text;      -- refused line k has another owner than stored row t, or another currency and no amount
  fields text;          -- one row per column: leader, column, stored value
  assignments text;     -- SET list: values of k for t
  turn bigint[];        -- the lines of one round
  settled record;
  failed_constraint text;
begin
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
  line_count := 0;
  row_count := 0;
  value_count := 0;
  rowless_count := 0;
  foreign_count := 0;

  select coalesce(string_agg(
      format('coalesce(nullif(t.%1$I, '''') <> k.refused_row ->> %1$L, false)', c), ' or '), 'false')
    into is_foreign
    from unnest(registered.compared_columns) c where c in ('user_id', 'app_id');
  if registered.compared_columns @> array['currency', 'amount_minor'] then
    is_foreign := is_foreign || ' or t.amount_minor is not null and not k.refused_row ? ''amount_minor''
      and coalesce(t.currency <> k.refused_row ->> ''currency'', false)';
  end if;
  select string_agg(format('(%L, %L, (m.stored).%I::text)', f.leader, f.field, f.field), ', '),
      string_agg(format('%1$I = case when k.refused_row ? %2$L then (k.refused_row ->> %1$L)::%3$s else t.%1$I end',
        f.field, f.leader, format_type(a.atttypid, a.atttypmod)), ', ')
    into fields, assignments
    from ingest.acceptable_fields(p_stream) f
    join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = f.field;
  -- The refused token is not stored, and the stored token does not match the new digest.
  assignments := concat_ws(', ', assignments, 'row_digest = null', (
    select string_agg(format(
        '%1$I = case when k.refused_row ? %2$L and t.%2$I::text is distinct from k.refused_row ->> %2$L
           then null else t.%1$I end', secret, secret || '_sha256'), ', ')
      from unnest(registered.secret_columns) secret));

  -- The DETAIL of a constraint error would show the whole row, so the error is raised again without it.
  begin
    for turn in
      select array_agg(r.conflict_id)
        from (select c.conflict_id,
              row_number() over (partition by c.natural_key order by c.conflict_id) as round
            from ingest.conflict c where c.conflict_id = any (p_conflicts)) r
        group by r.round order by r.round
    loop
      execute format(
        'with line as materialized (
           select c.conflict_id, c.natural_key, c.refused_row, c.source_file_id, c.line_number
             from ingest.conflict c where c.conflict_id = any ($1)
         ), met as materialized (
           select k.*, t as stored, %1$s as is_foreign from line k join %2$s t on %3$s
         ), given as materialized (
           select m.conflict_id, m.natural_key, m.source_file_id, m.line_number, v.leader, v.field,
               v.before, m.refused_row ->> v.field as after,
               bool_or(v.before is distinct from m.refused_row ->> v.field)
                 over (partition by m.conflict_id, v.leader) as is_changed
             from met m, lateral (values %4$s) v (leader, field, before)
             where not m.is_foreign and m.refused_row ? v.leader
         ), recorded as (
           -- An undo can remove an earlier fill or accepted value of the column, so an equal value is recorded too.
           insert into ingest.accepted_value
               (acceptance_id, stream, natural_key, field, before, after, source_file_id, line_number)
             select $2, %5$L, g.natural_key, g.field, g.before, g.after, g.source_file_id, g.line_number
               from given g
               where g.is_changed
                 or exists (select 1 from ingest.fill f
                   where f.stream = %5$L and f.natural_key = g.natural_key and f.field = g.leader)
                 or exists (select 1 from ingest.accepted_value a
                   where (a.stream || '' '' || a.field || '' '' || a.natural_key::text collate "C")
                     = %5$L || '' '' || g.leader || '' '' || g.natural_key::text)
               order by g.conflict_id, g.field
         ), changed as (
           update %2$s t set %6$s from met k
             where k.conflict_id in (select g.conflict_id from given g where g.is_changed) and %3$s
         ), marked as (
           update ingest.conflict c set acceptance_id = $2 from met m
             where not m.is_foreign and c.stream = %5$L and c.source_file_id = m.source_file_id
               and c.line_number = m.line_number
         )
         select count(*) filter (where not m.is_foreign) as lines,
             count(*) filter (where m.is_foreign) as foreign_lines,
             count(*) filter (where m.conflict_id is null) as rowless,
             (select count(*) from given g where g.before is distinct from g.after) as changes
           from line l left join met m on m.conflict_id = l.conflict_id',
        is_foreign, target, same_key, fields, p_stream, assignments)
        into settled using turn, p_acceptance_id;
      line_count := line_count + settled.lines;
      value_count := value_count + settled.changes;
      rowless_count := rowless_count + settled.rowless;
      foreign_count := foreign_count + settled.foreign_lines;
    end loop;
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics failed_constraint = constraint_name;
    raise exception 'a stored row of stream % cannot hold the values of a refused line%', p_stream,
        coalesce(' (constraint ' || nullif(failed_constraint, '') || ')', '')
      using errcode = sqlstate;
  end;
  select count(distinct c.natural_key) into row_count
    from ingest.conflict c where c.acceptance_id = p_acceptance_id and c.stream = p_stream;
  return next;
end
$_$;

-- Name: FUNCTION accept_lines(p_stream text, p_acceptance_id bigint, p_conflicts bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.accept_lines(p_stream text, p_acceptance_id bigint, p_conflicts bigint[]) IS 'Writes the values of refused lines of one stream to the stored rows, in the order of refusal. Part of ingest.accept_conflicts.';

-- Name: acceptable_fields(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.acceptable_fields(p_stream text) RETURNS TABLE(leader text, field text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select c.leader, f.field
    from ingest.stream s, unnest(s.compared_columns) c (leader),
      lateral (select c.leader
        union all select jsonb_array_elements_text(s.followers -> c.leader)) f (field)
    where s.stream = p_stream and c.leader <> all (s.secret_columns)
$$;

-- Name: FUNCTION acceptable_fields(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.acceptable_fields(p_stream text) IS 'The columns that an acceptance can set, each with its leader: the compared column itself, or the one that it follows.';

-- Name: accepted_values_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.accepted_values_of_user(p_user_id text, p_app_id text) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format(
      'select k.accepted_value_id from ingest.accepted_value k where k.stream = %L and %s',
      registered.stream, ingest.user_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;

-- Name: FUNCTION accepted_values_of_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.accepted_values_of_user(p_user_id text, p_app_id text) IS 'The accepted values of a user''s rows, in one application or in all (NULL).';

-- Name: analyze_if_grown(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.analyze_if_grown(p_stream text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET default_statistics_target TO '50'
    AS $$
declare
  target regclass;
  grown regclass[];
  -- Rows of the partitioned table: the planner's number, and an estimate from the sizes of the partitions.
  whole real;
  estimate real;
  leaf_name text;
  grown_pages bigint;
  all_bytes bigint;
begin
  select format('game.%I', target_table)::regclass into strict target
    from ingest.stream where stream = p_stream;

  with leaf as (
    select c.oid, pg_relation_size(c.oid) / current_setting('block_size')::integer as pages,
        nullif(c.relpages, 0) as known_pages, nullif(c.reltuples, -1) as known_rows
      from pg_class c
      where c.relkind = 'r'
        and (c.oid = target or c.oid in (select relid from pg_partition_tree(target) where isleaf))
  ), density as (
    select sum(known_rows) / sum(known_pages) as rows_per_page from leaf where known_rows is not null
  )
  select coalesce(array_agg(oid::regclass) filter (where pages * current_setting('block_size')::bigint >= 8388608
        and (known_rows is null or pages > 1.1 * coalesce(known_pages, 0))), '{}'),
      sum(pages * coalesce(known_rows / known_pages, rows_per_page)), max(pages),
      sum(pages) * current_setting('block_size')::bigint
    into grown, estimate, grown_pages, all_bytes
    from leaf, density;
  if cardinality(grown) = 0 then
    return 0;
  end if;

  select reltuples into whole from pg_class where oid = target and relkind = 'p';
  -- With missing or old statistics, ANALYZE of the parent also covers the partitions. Below 64 MiB it is not worth
  -- its time: every plan reads such a table quickly, and ANALYZE of the whole would take as long as that of the month.
  if whole is not null and all_bytes >= 67108864 and (whole < 0 or estimate is null or estimate > 1.1 * whole) then
    grown := array[target];
  end if;
  -- The sample grows with the table, so ANALYZE takes the same share of a load of any size. It is at most half of
  -- PostgreSQL's default sample, which takes less than half the time and detects a growth by a tenth equally well.
  perform set_config('default_statistics_target', greatest(10, least(50, grown_pages / 450))::text, true);
  for leaf_name in
    select format('%I.%I', c.relnamespace::regnamespace, c.relname) from pg_class c where c.oid = any (grown)
  loop
    begin
      -- A table that another session has locked is skipped: that session is probably running ANALYZE itself, and the
      -- next load analyzes the table otherwise.
      execute format('analyze (skip_locked) %s', leaf_name);
    exception when undefined_table then
      -- Another session has dropped the month.
      null;
    end;
  end loop;
  return cardinality(grown);
end
$$;

-- Name: FUNCTION analyze_if_grown(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.analyze_if_grown(p_stream text) IS 'Analyzes the tables of a stream that have grown by a tenth since VACUUM or ANALYZE last recorded their size, and returns their number.';

-- Name: brings_rows_of(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.brings_rows_of(p_file_stream text, p_stream text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select p_file_stream = p_stream
    or exists (select 1 from ingest.stream s where s.stream = p_file_stream and s.embedded_stream = p_stream)
$$;

-- Name: FUNCTION brings_rows_of(p_file_stream text, p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.brings_rows_of(p_file_stream text, p_stream text) IS 'True when a file of the first stream can bring rows of the second: its own, or those of records within its lines.';

-- Name: clear_failures(text, text, bytea, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.clear_failures(p_path text, p_stream text, p_sha256 bytea, p_canonical_path text DEFAULT NULL::text, OUT first_failed_at timestamp with time zone, OUT attempt_count bigint) RETURNS record
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  delete from ingest.failed_reject where failed_file_id in (
    select failed_file_id from ingest.failed_file
      where stream is not distinct from p_stream
        and (coalesce(canonical_path, path) in (p_path, p_canonical_path) or sha256 = p_sha256));
  with cleared as (
    delete from ingest.failed_file f
      where f.stream is not distinct from p_stream
        and (coalesce(f.canonical_path, f.path) in (p_path, p_canonical_path) or f.sha256 = p_sha256)
      returning f.first_failed_at, f.attempt_count
  )
  select min(c.first_failed_at), coalesce(sum(c.attempt_count), 0)::bigint from cleared c;
$$;

-- Name: FUNCTION clear_failures(p_path text, p_stream text, p_sha256 bytea, p_canonical_path text, OUT first_failed_at timestamp with time zone, OUT attempt_count bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.clear_failures(p_path text, p_stream text, p_sha256 bytea, p_canonical_path text, OUT first_failed_at timestamp with time zone, OUT attempt_count bigint) IS 'Deletes the failures of a file that was loaded or failed again: those with its path, however it was written, and those with its digest under any path. Returns when the first of their attempts failed and how many did, for the entry of a further failure.';

-- Name: close_files(bigint[], bytea[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], text[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.close_files(p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[], p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[], p_canonical_paths text[] DEFAULT NULL::text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
declare
  closed_count bigint;
begin
  if exists (
    select 1 from unnest(p_source_file_ids) n (number)
      where not exists (select 1 from ingest.source_file f
        where f.source_file_id = n.number and f.undone_at is null and f.opened_by = pg_current_xact_id()))
  then
    raise exception 'this transaction has not opened all of these files: %', p_source_file_ids
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  if exists (
    select 1 from unnest(p_source_file_ids, p_rejected) c (number, rejected)
      where c.rejected is distinct from
        (select count(*) from ingest.reject r where r.source_file_id = c.number))
  then
    raise exception 'count of refused lines differs from the rows in ingest.reject for one of the files %',
        p_source_file_ids
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  update ingest.source_file f set sha256 = c.sha256, byte_count = c.bytes, line_count = c.lines,
      inserted_count = inserted_count + c.inserted, duplicate_count = duplicate_count + c.duplicates,
      rejected_count = c.rejected, suppressed_count = c.suppressed, blank_count = c.blank,
      empty_path = case when c.lines = c.blank then coalesce(c.path, '') else '' end
    from unnest(p_source_file_ids, p_sha256, p_byte_counts, p_line_counts, p_inserted, p_duplicates,
      p_rejected, p_suppressed, p_blank, p_canonical_paths)
      c (number, sha256, bytes, lines, inserted, duplicates, rejected, suppressed, blank, path)
    where f.source_file_id = c.number and not ingest.is_closed(f)
      and c.inserted >= 0 and c.duplicates >= 0;
  get diagnostics closed_count = row_count;
  if closed_count <> cardinality(p_source_file_ids) then
    raise exception 'one of the files % is not open, or one of its counts is negative',
        p_source_file_ids
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;

-- Name: FUNCTION close_files(p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[], p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[], p_canonical_paths text[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.close_files(p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[], p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[], p_canonical_paths text[]) IS 'Completes the ledger entries of files that this transaction has opened: digests, line counts, and the outcomes that no merge has counted.';

-- Name: condition_of_user(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.condition_of_user(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select '(t.user_id = $1 and ($2::text is null or t.app_id = $2)'
      || coalesce((
        select format(
            ' or t.%1$I in (%2$s) or (%3$s) in (
               select %4$s from ingest.accepted_value k
                 where k.stream = %5$L and k.field = %1$L and k.before in (%2$s))',
            e.key_columns[1], ingest.embedded_keys_of_user(p_stream), k.columns, k.values, p_stream)
          from ingest.stream e
          cross join lateral (
            select string_agg(format('t.%I', c.name), ', ' order by c.position) as columns,
                string_agg(format('(k.natural_key ->> %s)::%s', c.position - 1,
                  format_type(a.atttypid, a.atttypmod)), ', ' order by c.position) as values
              from unnest(s.key_columns) with ordinality c (name, position)
              join pg_catalog.pg_attribute a
                on a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = c.name
          ) k
          where e.stream = s.embedded_stream), '')
      || ')'
    from ingest.stream s where s.stream = p_stream
$_$;

-- Name: FUNCTION condition_of_user(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.condition_of_user(p_stream text) IS 'SQL condition that t, a row of a stream''s table, belongs to user $1, in application $2 or in all (NULL).';

-- Name: conflicts_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.conflicts_of_user(p_user_id text, p_app_id text) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
declare
  registered ingest.stream;
  found_conflicts bigint[] := '{}';
begin
  -- The receipts come before the events that carry them.
  for registered in select * from ingest.stream order by embedded_stream nulls first, stream loop
    execute format(
      'select $3 || array(select k.conflict_id from ingest.conflict k
         where k.stream = %1$L and (%2$s or %5$s or exists (
           select 1 from ingest.conflict u
             where u.stream = k.stream and u.source_file_id = k.source_file_id
               and u.line_number = k.line_number
               and (u.refused_row ->> ''user_id'' = $1
                   and ($2::text is null or $2 = coalesce(u.refused_row ->> ''app_id'',
                     (select nullif(t.app_id, '''') from game.%3$I t where %4$s), $2))
                 or u.field = ''user_id'' and u.kept = $1 and $2::text is null
                 or u.field = ''user_id'' and u.refused = $1
                   and not exists (select 1 from ingest.conflict r
                     where r.stream = u.stream and r.source_file_id = u.source_file_id
                       and r.line_number = u.line_number and r.refused_row is not null)
                   and ($2::text is null or $2 = coalesce(
                     (select a.refused from ingest.conflict a where a.source_file_id = k.source_file_id
                       and a.line_number = k.line_number and a.field = ''app_id''),
                     (select nullif(t.app_id, '''') from game.%3$I t where %4$s), $2))))))',
      registered.stream, ingest.user_key_condition(registered.stream), registered.target_table,
      ingest.natural_key_condition(registered.stream), ingest.embedded_conflict_condition(registered.stream))
      into found_conflicts using p_user_id, p_app_id, found_conflicts;
  end loop;
  return query select unnest(found_conflicts);
end
$_$;

-- Name: FUNCTION conflicts_of_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.conflicts_of_user(p_user_id text, p_app_id text) IS 'The conflicts of a user''s rows and lines, in one application or in all (NULL).';

-- Name: count_embedded(bigint[], bigint[], bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.count_embedded(p_source_file_ids bigint[], p_inserted bigint[], p_duplicates bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  counted bigint;
begin
  insert into ingest.embedded_count as e (source_file_id, stream, inserted_count, duplicate_count)
    select f.source_file_id, s.embedded_stream, c.inserted, c.duplicates
      from unnest(p_source_file_ids, p_inserted, p_duplicates) c (number, inserted, duplicates)
      join ingest.source_file f on f.source_file_id = c.number
      join ingest.stream s on s.stream = f.stream
      where f.opened_by = pg_current_xact_id() and s.embedded_stream is not null
        and c.inserted >= 0 and c.duplicates >= 0
    on conflict (source_file_id, stream) do update
      set inserted_count = e.inserted_count + excluded.inserted_count,
        duplicate_count = e.duplicate_count + excluded.duplicate_count;
  get diagnostics counted = row_count;
  if counted <> cardinality(p_source_file_ids) then
    raise exception 'this transaction has not opened all of the files %, their stream embeds no other one, or a count is negative',
        p_source_file_ids
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
end
$$;

-- Name: FUNCTION count_embedded(p_source_file_ids bigint[], p_inserted bigint[], p_duplicates bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.count_embedded(p_source_file_ids bigint[], p_inserted bigint[], p_duplicates bigint[]) IS 'Counts the outcomes, other than those of merges, of the records within lines of files that this transaction has opened.';

-- Name: count_replayed(bigint, bigint, bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.count_replayed(p_source_file_id bigint, p_inserted bigint, p_duplicates bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform ingest.require_open_file(stream, source_file_id)
    from ingest.source_file where source_file_id = p_source_file_id;
  update ingest.source_file f set
      inserted_count = inserted_count + p_inserted, duplicate_count = duplicate_count + p_duplicates,
      released_count = released_count - p_inserted - p_duplicates
    where source_file_id = p_source_file_id and ingest.is_closed(f)
      and p_inserted >= 0 and p_duplicates >= 0;
  if not found then
    raise exception 'file % was not reopened, or a count is negative', p_source_file_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;

-- Name: FUNCTION count_replayed(p_source_file_id bigint, p_inserted bigint, p_duplicates bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.count_replayed(p_source_file_id bigint, p_inserted bigint, p_duplicates bigint) IS 'Counts the new outcomes of a reopened file''s released lines that went through no merge.';

-- Name: count_user_traces(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.count_user_traces(p_user_id text, p_app_id text) RETURNS TABLE(place text, trace_count bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream where has_user order by stream loop
    return query execute format(
      'select %2$L, count(*) from game.%1$I t where %3$s',
      registered.target_table, 'game.' || registered.target_table, ingest.condition_of_user(registered.stream))
      using p_user_id, p_app_id;
  end loop;
  return query
    select 'ingest.reject', count(*) from ingest.rejects_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.failed_reject', count(*) from ingest.failed_rejects_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.conflict', count(*) from ingest.conflicts_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.fill', count(*) from ingest.fills_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.accepted_value', count(*) from ingest.accepted_values_of_user(p_user_id, p_app_id);
end
$_$;

-- Name: FUNCTION count_user_traces(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.count_user_traces(p_user_id text, p_app_id text) IS 'The number of rows that an erasure of a user would delete from each table, in one application or in all (NULL).';

-- Name: counted_apps(text, bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.counted_apps(p_stream text, p_source_file_id bigint) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select format(
      'insert into ingest.file_app as f (source_file_id, app_id, first_event_at, newest_event_at)
         select %1$s, e.app_id, min(e.event_at), max(e.event_at)
           from (select app_id, %2$s as event_at from %%s) e
           where %3$s
           group by e.app_id
         on conflict (source_file_id, app_id) do update
           set first_event_at = least(f.first_event_at, excluded.first_event_at),
             newest_event_at = greatest(f.newest_event_at, excluded.newest_event_at)
           where (f.first_event_at, f.newest_event_at) is distinct from
             (least(f.first_event_at, excluded.first_event_at), greatest(f.newest_event_at, excluded.newest_event_at))',
      p_source_file_id,
      case when s.time_column is null then 'null::timestamptz'
        when s.time_source_column is null then quote_ident(s.time_column)
        else format('case when %I <> ''load_start'' then %I end', s.time_source_column, s.time_column) end,
      case when f.stream = p_stream then 'true' else 'false' end)
    from ingest.stream s, ingest.source_file f
    where s.stream = p_stream and f.source_file_id = p_source_file_id
$_$;

-- Name: FUNCTION counted_apps(p_stream text, p_source_file_id bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.counted_apps(p_stream text, p_source_file_id bigint) IS 'The statement that adds accepted rows of a file, in place of %s, to ingest.file_app. Part of staging.merge.';

-- Name: drop_month(text, date); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.drop_month(p_stream text, p_month date) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  dropped regclass;
  place integer;
  newest bigint;
  registered ingest.stream;
begin
  perform ingest.share_catalog();
  select partition into dropped from ingest.month_partitions(p_stream) where month = p_month;
  if dropped is null then
    return false;
  end if;
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  place := array_position(registered.key_columns, registered.partition_column) - 1;
  -- The reports say until when they go, so they must contain all rows of the month.
  select max(f.source_file_id) into newest from ingest.source_file f where f.stream = p_stream;
  if newest > (select s.source_file_id from rollup.refresh_state s where s.stream = p_stream) then
    raise exception 'the reports lack files of stream %', p_stream
      using errcode = 'object_not_in_prerequisite_state', hint = 'Run gamebase-ingest refresh.';
  end if;
  execute format(
    'insert into rollup.touched_row
         (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
       select %s from %s r', rollup.noted_values(p_stream), dropped);
  if p_stream in ('level_up', 'game_user') then
    execute format(
      'insert into ingest.kept_observation as k
           (app_id, user_id, stream, source_file_id, first_observed_at, last_observed_at)
         select r.app_id, r.user_id, %1$L, r.source_file_id, min(r.%2$I), max(r.%2$I)
           from %3$s r
           where %4$s
           group by r.app_id, r.user_id, r.source_file_id
         on conflict (app_id, user_id, stream, source_file_id) do update
           set first_observed_at = least(k.first_observed_at, excluded.first_observed_at),
             last_observed_at = greatest(k.last_observed_at, excluded.last_observed_at)',
      p_stream, registered.time_column, dropped,
      case when registered.time_source_column is null then 'true'
        else format('r.%I <> ''load_start''', registered.time_source_column) end);
  end if;
  insert into rollup.dropped_month (stream, month, source_file_id)
    values (p_stream, p_month, coalesce(newest, 0))
    on conflict (stream, month) do update set source_file_id = excluded.source_file_id;
  delete from ingest.fill f
    where f.stream = p_stream
      and (f.natural_key ->> place)::timestamptz >= p_month::timestamp at time zone 'UTC'
      and (f.natural_key ->> place)::timestamptz < (p_month + interval '1 month') at time zone 'UTC';
  delete from ingest.accepted_value v
    where v.stream = p_stream
      and (v.natural_key ->> place)::timestamptz >= p_month::timestamp at time zone 'UTC'
      and (v.natural_key ->> place)::timestamptz < (p_month + interval '1 month') at time zone 'UTC';
  update ingest.conflict c set acceptance_id = null
    where c.acceptance_id is not null and c.stream = p_stream
      and (c.natural_key ->> place)::timestamptz >= p_month::timestamp at time zone 'UTC'
      and (c.natural_key ->> place)::timestamptz < (p_month + interval '1 month') at time zone 'UTC';
  -- Without cascade: a view on this partition stops the drop with an error and is kept.
  execute format('drop table %s', dropped);
  return true;
end
$_$;

-- Name: FUNCTION drop_month(p_stream text, p_month date); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.drop_month(p_stream text, p_month date) IS 'Drops the partition of a stream''s table for a month, given by its first day, with the fills and accepted values of its rows. Returns false when there is no partition. For the owner.';

-- Name: embedded_conflict_condition(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.embedded_conflict_condition(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select coalesce(
    (select format(
        'exists (
           select 1 from ingest.conflict u
             where u.source_file_id = k.source_file_id and u.line_number = k.line_number
               and (u.refused_row ->> %L in (%s) or u.conflict_id = any ($3)))',
        e.key_columns[1], ingest.embedded_keys_of_user(p_stream))
      from ingest.stream s join ingest.stream e on e.stream = s.embedded_stream
      where s.stream = p_stream),
    'false')
$_$;

-- Name: FUNCTION embedded_conflict_condition(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.embedded_conflict_condition(p_stream text) IS 'SQL condition that the line of conflict k carries a record of user $1, in application $2 or in all (NULL), which is stored or has one of the conflicts $3; false for a stream whose lines carry none.';

-- Name: embedded_keys_of_user(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.embedded_keys_of_user(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select format('select e.%I from game.%I e where e.user_id = $1 and ($2::text is null or e.app_id = $2)',
      e.key_columns[1], e.target_table)
    from ingest.stream s join ingest.stream e on e.stream = s.embedded_stream
    where s.stream = p_stream
$_$;

-- Name: FUNCTION embedded_keys_of_user(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.embedded_keys_of_user(p_stream text) IS 'SQL query of the keys of the records of user $1, in application $2 or in all (NULL), that lines of a stream may carry; NULL for a stream whose lines carry none.';

-- Name: ensure_partition(text, date); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.ensure_partition(p_stream text, p_month date) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO, YMD'
    SET default_tablespace TO ''
    AS $_$
declare
  month_start timestamptz := date_trunc('month', p_month)::timestamp at time zone 'UTC';
  month_end timestamptz := (date_trunc('month', p_month) + interval '1 month')::timestamp at time zone 'UTC';
  parent text;
  partition text;
  unobserved text;
  made regclass;
begin
  select target_table, target_table || to_char(p_month, '_YYYY_MM')
    into parent, partition
    from ingest.stream
    where stream = p_stream and partition_column is not null;
  if parent is null then
    raise exception 'stream % is not partitioned', p_stream using errcode = 'undefined_object';
  end if;
  -- A year BC would get the partition name of a year AD, and ingest.month_partitions does not recognize a name with a
  -- year of five digits.
  if p_month between date '0001-01-01' and date '9999-12-31' is not true then
    raise exception 'month is out of range: partitions exist for the years 1 to 9999 only'
      using errcode = 'datetime_field_overflow';
  end if;
  made := to_regclass(format('game.%I', partition));
  if made is null then
    -- Migrations and grants change the same catalog rows, so this waits for their lock.
    perform ingest.share_catalog();
    perform pg_advisory_xact_lock(hashtextextended('gamebase-ingest partition ' || partition, 0));
    -- Another session may have created the table while this one waited. A query of pg_class sees it; to_regclass
    -- would return its cached result that no such table exists.
    select oid into made from pg_catalog.pg_class
      where relnamespace = 'game'::regnamespace and relname = partition;
  end if;
  if made is not null then
    if not exists (select 1 from pg_catalog.pg_inherits
        where inhrelid = made and inhparent = format('game.%I', parent)::regclass and not inhdetachpending)
    then
      raise exception 'table game.% exists but is not a partition of game.%, so no row of that month can be loaded',
          partition, parent
        using errcode = 'object_not_in_prerequisite_state', hint = format(
          'Attach it with "alter table game.%1$I attach partition game.%2$I for values from (%3$L) to (%4$L)", or rename or drop it.',
          parent, partition, month_start, month_end);
    end if;
    return false;
  end if;
  execute format('create table game.%I (like game.%I including all)', partition, parent);
  -- "including all" does not copy the statistics target of 0, which makes ANALYZE skip a column.
  for unobserved in
    select attname from pg_catalog.pg_attribute
      where attrelid = format('game.%I', parent)::regclass and attnum > 0 and not attisdropped
        and attstattarget = 0
  loop
    execute format('alter table game.%I alter column %I set statistics 0', partition, unobserved);
  end loop;
  -- It does not copy the replica identity either. Without one, an update of a published row fails.
  if (select relreplident from pg_catalog.pg_class where oid = format('game.%I', parent)::regclass) = 'f' then
    execute format('alter table game.%I replica identity full', partition);
  end if;
  execute format('comment on table game.%I is %L', partition,
    format('One row per row of game.%s in %s, UTC. Made by: ingest.ensure_partition.',
      parent, to_char(p_month, 'YYYY-MM')));
  execute format('alter table game.%I attach partition game.%I for values from (%L) to (%L)',
    parent, partition, month_start, month_end);
  return true;
end
$_$;

-- Name: FUNCTION ensure_partition(p_stream text, p_month date); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.ensure_partition(p_stream text, p_month date) IS 'Creates the partition of a stream''s table for the month of a date (UTC). Returns true when it did not exist.';

-- Name: erase_user(text, text, bytea, bytea, bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.erase_user(p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea, p_user_filter bigint) RETURNS TABLE(place text, trace_count bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  registered ingest.stream;
  conflicts bigint[];
  fills bigint[];
  accepted_values bigint[];
  -- Keeps the counts of a file balanced with its rows; erased has one row for each erased line, or record within a line.
  -- Erased rows without a ledger entry are not counted.
  counted constant text := '
    erased as (%2$s), lines as (
      insert into ingest.erased_line (source_file_id, outcome, line_count)
        select source_file_id, %1$L, count(*) from erased join ingest.source_file using (source_file_id, stream)
          group by source_file_id
        on conflict (source_file_id, outcome)
          do update set line_count = erased_line.line_count + excluded.line_count
    ), records as (
      insert into ingest.erased_record (source_file_id, stream, outcome, record_count)
        select source_file_id, stream, %1$L, count(*) from erased join ingest.embedded_count using (source_file_id, stream)
          where %1$L <> ''rejected''
          group by source_file_id, stream
        on conflict (source_file_id, stream, outcome)
          do update set record_count = erased_record.record_count + excluded.record_count
    )';
begin
  if coalesce(p_user_id, '') = '' then
    raise exception 'user id must not be empty' using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Before all other locks, as a migration takes it.
  perform ingest.share_catalog();
  for registered in select * from ingest.stream order by stream loop
    perform ingest.hold_stream(registered.stream);
  end loop;
  lock table rollup.refresh_lock in exclusive mode;
  perform ingest.hold_erasures();
  -- Under a new key the loader would never find the existing tombstones.
  if not exists (select 1 from ingest.erasure_key) and exists (select 1 from ingest.erased_user) then
    raise exception 'table ingest.erasure_key is empty, but ingest.erased_user is not'
      using errcode = 'object_not_in_prerequisite_state',
        hint = 'Restore the row of ingest.erasure_key from a backup of the database.';
  end if;
  insert into ingest.erasure_key (check_value) values (p_key_check) on conflict (is_current) do nothing;
  if (select check_value from ingest.erasure_key) <> p_key_check then
    raise exception 'erasure key differs from the key of earlier erasures'
      using errcode = 'object_not_in_prerequisite_state';
  end if;

  -- Before the rows are deleted, because they give the owner of the conflicts, fills and accepted values of a key.
  conflicts := array(select ingest.conflicts_of_user(p_user_id, p_app_id));
  fills := array(select ingest.fills_of_user(p_user_id, p_app_id));
  accepted_values := array(select ingest.accepted_values_of_user(p_user_id, p_app_id));
  -- In this order, events are deleted before the receipts by which they are found.
  for registered in select * from ingest.stream where has_user order by stream loop
    place := 'game.' || registered.target_table;
    execute format(
      'with gone as (
         delete from game.%I t where %s returning t.source_file_id
       ), %s
       select count(*) from gone',
      registered.target_table, ingest.condition_of_user(registered.stream),
      format(counted, 'inserted', format('select source_file_id, %L as stream from gone', registered.stream)))
      into trace_count using p_user_id, p_app_id;
    return next;
  end loop;

  -- A refused line that a replay has loaded counts under its new outcome instead.
  place := 'ingest.reject';
  execute format(
    'with gone as (
       delete from ingest.reject where reject_id in (select ingest.rejects_of_user($1, $2))
         returning source_file_id, stream, resolved_at
     ), %s
     select count(*) from gone',
    format(counted, 'rejected', 'select source_file_id, stream from gone where resolved_at is null'))
    into trace_count using p_user_id, p_app_id;
  return next;

  place := 'ingest.failed_reject';
  delete from ingest.failed_reject r
    using ingest.failed_rejects_of_user(p_user_id, p_app_id) u
    where r.failed_file_id = u.failed_file_id and r.line_number = u.line_number;
  get diagnostics trace_count = row_count;
  return next;

  place := 'ingest.conflict';
  execute format(
    'with gone as (
       delete from ingest.conflict where conflict_id = any ($1) returning source_file_id, stream, line_number
     ), %s
     select count(*) from gone',
    format(counted, 'conflict', 'select distinct source_file_id, stream, line_number from gone'))
    into trace_count using conflicts;
  return next;

  place := 'ingest.fill';
  execute format(
    'with gone as (
       delete from ingest.fill where fill_id = any ($1) returning source_file_id, stream, line_number
     ), %s
     select count(*) from gone',
    format(counted, 'filled', 'select distinct source_file_id, stream, line_number from gone'))
    into trace_count using fills;
  return next;

  -- Not counted in ingest.erased_line, because the outcome of the line is a conflict.
  place := 'ingest.accepted_value';
  delete from ingest.accepted_value where accepted_value_id = any (accepted_values);
  get diagnostics trace_count = row_count;
  return next;

  insert into ingest.erased_user (user_hmac, app_id, user_filter)
    values (p_user_hmac, p_app_id, p_user_filter)
    on conflict (user_hmac, app_id) do update set user_filter = excluded.user_filter
      where erased_user.user_filter is null;

  perform rollup.forget_user(p_user_id, p_app_id);
  perform rollup.wipe_working_tables();
end
$_$;

-- Name: FUNCTION erase_user(p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea, p_user_filter bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.erase_user(p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea, p_user_filter bigint) IS 'Deletes a user''s rows, refused lines, conflicts, fills and accepted values, writes a tombstone, removes the user from the reports, and returns the number of deleted rows by table.';

-- Name: failed_rejects_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.failed_rejects_of_user(p_user_id text, p_app_id text) RETURNS TABLE(failed_file_id bigint, line_number bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select r.failed_file_id, r.line_number
    from ingest.failed_reject r join ingest.failed_file f using (failed_file_id), (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
      when exists (select 1 from ingest.stream s where s.stream = f.stream and s.embedded_stream is not null)
      then encode(r.raw, 'escape') ~ p.pattern
      else ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, null, p_app_id) end
$$;

-- Name: FUNCTION failed_rejects_of_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.failed_rejects_of_user(p_user_id text, p_app_id text) IS 'The refused lines of a user in failed files, in one application or in all (NULL).';

-- Name: fills_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.fills_of_user(p_user_id text, p_app_id text) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format('select k.fill_id from ingest.fill k where k.stream = %L and %s',
      registered.stream, ingest.user_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;

-- Name: FUNCTION fills_of_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.fills_of_user(p_user_id text, p_app_id text) IS 'The fills of a user''s rows, in one application or in all (NULL).';

-- Name: find_line(text, bigint, bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.find_line(p_stream text, p_source_file_id bigint, p_line_number bigint) RETURNS SETOF jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
begin
  return query execute format(
    'select %s from game.%I t where t.source_file_id = $1 and t.line_number = $2',
    ingest.natural_key_array(p_stream, 't'),
    (select s.target_table from ingest.stream s where s.stream = p_stream))
    using p_source_file_id, p_line_number;
end
$_$;

-- Name: FUNCTION find_line(p_stream text, p_source_file_id bigint, p_line_number bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.find_line(p_stream text, p_source_file_id bigint, p_line_number bigint) IS 'The natural key of the row that a line brought. Returns no row when the line brought none or the row is gone.';

-- Name: find_row(text, jsonb); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.find_row(p_stream text, p_natural_key jsonb) RETURNS TABLE(natural_key jsonb, source_file_id bigint, line_number bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
begin
  return query execute format(
    'select %s, t.source_file_id, t.line_number
       from game.%I t, (select $1 as natural_key offset 0) k where %s',
    ingest.natural_key_array(p_stream, 't'),
    (select s.target_table from ingest.stream s where s.stream = p_stream),
    ingest.natural_key_condition(p_stream))
    using p_natural_key;
end
$_$;

-- Name: FUNCTION find_row(p_stream text, p_natural_key jsonb); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.find_row(p_stream text, p_natural_key jsonb) IS 'The stored row with a natural key, given as in conflicts and fills, with the file and line that brought it. Returns no row when the key is not stored.';

-- Name: forget_statistics(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.forget_statistics() RETURNS TABLE(place text, trace_count bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  stored record;
  is_empty boolean;
begin
  lock table rollup.refresh_lock in exclusive mode;
  for stored in
    select c.oid, c.relispartition, format('%I.%I', c.relnamespace::regnamespace, c.relname) as name
      from pg_catalog.pg_class c
      where c.relkind in ('r', 'p', 'm')
        and c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace, 'report'::regnamespace,
          'rollup'::regnamespace, 'staging'::regnamespace)
      order by c.oid
  loop
    begin
      execute format('select not exists (select 1 from %s)', stored.name) into is_empty;
      -- ANALYZE of a partitioned table includes its partitions.
      if not is_empty and not stored.relispartition then
        execute format('analyze %s', stored.name);
      end if;
    exception when undefined_table then
      continue;
    end;
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      delete from pg_catalog.pg_statistic st using pg_catalog.pg_attribute a
        where st.starelid = stored.oid and a.attrelid = stored.oid and a.attnum = st.staattnum
          and (is_empty or a.attstattarget = 0);
    else
      select 'statistics of ' || stored.name, count(*) into place, trace_count
        from pg_catalog.pg_stats st
        join pg_catalog.pg_attribute a on a.attrelid = stored.oid and a.attname = st.attname
        where format('%I.%I', st.schemaname, st.tablename) = stored.name
          and (is_empty or a.attstattarget = 0);
      if trace_count > 0 then
        return next;
      end if;
    end if;
  end loop;
end
$$;

-- Name: FUNCTION forget_statistics(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.forget_statistics() IS 'Renews the statistics of all tables. Returns the tables whose statistics it has no right to delete, with the number of columns.';

-- Name: hold_erasures(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.hold_erasures() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select pg_advisory_xact_lock(ingest.lock_key('erasures'))
$$;

-- Name: FUNCTION hold_erasures(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.hold_erasures() IS 'Takes the lock against sessions that write refused lines of a failed file, and holds it until the transaction ends.';

-- Name: hold_stream(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.hold_stream(p_stream text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select pg_advisory_xact_lock(ingest.lock_key('stream ' || p_stream))
$$;

-- Name: FUNCTION hold_stream(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.hold_stream(p_stream text) IS 'Takes the stream''s lock against loads, replays and undos, and holds it until the transaction ends.';

-- Name: holds_stream(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.holds_stream(p_stream text) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (
    select 1
      from pg_catalog.pg_locks l
      where l.pid = pg_backend_pid() and l.locktype = 'advisory' and l.granted and l.mode = 'ExclusiveLock'
        -- A key of 64 bits is shown as two halves.
        and l.objsubid = 1 and (l.classid::bigint << 32) | l.objid::bigint = ingest.lock_key('stream ' || p_stream))
$$;

-- Name: FUNCTION holds_stream(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.holds_stream(p_stream text) IS 'True when this transaction holds the stream''s lock against loads, replays and undos.';

SET default_tablespace = '';

SET default_table_access_method = heap;

-- Name: source_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.source_file (
    source_file_id bigint NOT NULL,
    load_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL,
    sha256 bytea NOT NULL,
    byte_count bigint NOT NULL,
    line_count bigint NOT NULL,
    inserted_count bigint NOT NULL,
    filled_count bigint NOT NULL,
    duplicate_count bigint NOT NULL,
    conflict_count bigint NOT NULL,
    rejected_count bigint NOT NULL,
    suppressed_count bigint DEFAULT 0 NOT NULL,
    released_count bigint DEFAULT 0 NOT NULL,
    blank_count bigint NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL,
    opened_by xid8,
    undone_at timestamp with time zone,
    app_id text COLLATE pg_catalog."C",
    observed_at timestamp with time zone,
    as_of timestamp with time zone NOT NULL,
    time_unit text NOT NULL,
    unwrap_field text,
    purchase_token_mode text NOT NULL,
    max_line_bytes bigint NOT NULL,
    max_nesting integer NOT NULL,
    max_identifier_bytes integer NOT NULL,
    max_text_bytes bigint NOT NULL,
    empty_path text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT empty_path_of_empty_file CHECK (((empty_path = ''::text) OR (line_count = blank_count))),
    CONSTRAINT outcomes_add_up CHECK ((line_count = (((((((inserted_count + filled_count) + duplicate_count) + conflict_count) + rejected_count) + suppressed_count) + released_count) + blank_count))),
    CONSTRAINT source_file_blank_count_check CHECK ((blank_count >= 0)),
    CONSTRAINT source_file_byte_count_check CHECK ((byte_count >= 0)),
    CONSTRAINT source_file_conflict_count_check CHECK ((conflict_count >= 0)),
    CONSTRAINT source_file_duplicate_count_check CHECK ((duplicate_count >= 0)),
    CONSTRAINT source_file_filled_count_check CHECK ((filled_count >= 0)),
    CONSTRAINT source_file_inserted_count_check CHECK ((inserted_count >= 0)),
    CONSTRAINT source_file_rejected_count_check CHECK ((rejected_count >= 0)),
    CONSTRAINT source_file_released_count_check CHECK ((released_count >= 0)),
    CONSTRAINT source_file_sha256_check CHECK ((octet_length(sha256) = 32)),
    CONSTRAINT source_file_suppressed_count_check CHECK ((suppressed_count >= 0))
);

-- Name: TABLE source_file; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.source_file IS 'One row per loaded file, written in the transaction that loads its rows. The outcome counts add up to line_count.';

-- Name: COLUMN source_file.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.source_file_id IS 'Number of the file. Every fact row has the number of the file that brought it.';

-- Name: COLUMN source_file.load_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.load_id IS 'The run that loaded the file.';

-- Name: COLUMN source_file.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.stream IS 'The stream of the file; one of ingest.stream.';

-- Name: COLUMN source_file.path; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.path IS 'Path of the file, from the command line or from a search of a folder.';

-- Name: COLUMN source_file.sha256; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.sha256 IS 'SHA-256 of the decoded (decompressed) bytes.';

-- Name: COLUMN source_file.byte_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.byte_count IS 'Length of the decoded bytes.';

-- Name: COLUMN source_file.line_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.line_count IS 'Lines read, including blank lines.';

-- Name: COLUMN source_file.inserted_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.inserted_count IS 'Lines that became a new row.';

-- Name: COLUMN source_file.filled_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.filled_count IS 'Lines with a known key that supplied values for NULL columns.';

-- Name: COLUMN source_file.duplicate_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.duplicate_count IS 'Lines with a known key and no new value.';

-- Name: COLUMN source_file.conflict_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.conflict_count IS 'Lines with a known key and a different value in at least one field; see ingest.conflict.';

-- Name: COLUMN source_file.rejected_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.rejected_count IS 'Refused lines that no replay has resolved; see ingest.reject.';

-- Name: COLUMN source_file.suppressed_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.suppressed_count IS 'Lines of erased users. No part of such a line is stored.';

-- Name: COLUMN source_file.released_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.released_count IS 'Refused lines that a replay has released and that have no new outcome yet; 0 after the replay''s transaction.';

-- Name: COLUMN source_file.blank_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.blank_count IS 'Lines that hold only white space.';

-- Name: COLUMN source_file.loaded_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.loaded_at IS 'Start of the transaction that loaded the file.';

-- Name: COLUMN source_file.opened_by; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.opened_by IS 'The transaction that loaded the file or last replayed its refused lines. Only this transaction can add rows with the file''s number.';

-- Name: COLUMN source_file.undone_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.undone_at IS 'Time of the undo that removed the file''s rows; NULL for a file that is loaded.';

-- Name: COLUMN source_file.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.app_id IS 'Application of lines without one, from --app-id or the database''s setting app-id; NULL when neither was given.';

-- Name: COLUMN source_file.observed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.observed_at IS 'Value of --observed-at, the time of lines without one; NULL when the option was not given.';

-- Name: COLUMN source_file.as_of; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.as_of IS 'Start of the run, or the value of --as-of. Times more than a day after it are refused. Game users without a time get it, unless --observed-at was given.';

-- Name: COLUMN source_file.time_unit; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.time_unit IS 'Unit of numeric times; ms unless an option declared another one.';

-- Name: COLUMN source_file.unwrap_field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.unwrap_field IS 'The field that holds the record within a line; NULL when the line itself is the record.';

-- Name: COLUMN source_file.purchase_token_mode; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.purchase_token_mode IS 'Handling of purchase tokens: hash (only the SHA-256 is stored) or store (the token is stored too).';

-- Name: COLUMN source_file.max_line_bytes; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.max_line_bytes IS 'Limit for the length of a line, in bytes.';

-- Name: COLUMN source_file.max_nesting; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.max_nesting IS 'Limit for the nesting depth of arrays and objects.';

-- Name: COLUMN source_file.max_identifier_bytes; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.max_identifier_bytes IS 'Limit for the length of an identifier, in bytes.';

-- Name: COLUMN source_file.max_text_bytes; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.max_text_bytes IS 'Limit for the length of a free text, in bytes.';

-- Name: COLUMN source_file.empty_path; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.source_file.empty_path IS 'Canonical path of a file without a record, which is part of its identity: the real path of its folder, and its name; its path as given if an older version loaded it; empty for a file with a record.';

-- Name: is_closed(ingest.source_file); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.is_closed(p_file ingest.source_file) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select p_file.sha256 <> sha256(int8send(p_file.source_file_id))
$$;

-- Name: FUNCTION is_closed(p_file ingest.source_file); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.is_closed(p_file ingest.source_file) IS 'True when the ledger entry of a file is complete.';

-- Name: is_line_of_user(bytea, text, text, text, text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.is_line_of_user(p_raw bytea, p_user_id text, p_app_id text, p_pattern text, p_unwrap_field text, p_default_app_id text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    AS $_$
declare
  users text[];
  apps text[];
  is_user_readable boolean;
  are_both_readable boolean;
begin
  if encode(p_raw, 'escape') !~ p_pattern then
    return false;
  end if;
  begin
    with carrier as (
      select key, value from json_each(convert_from(p_raw, 'UTF8')::json)
    ), member as (
      select key, value from carrier where key is distinct from p_unwrap_field
      union all
      select r.key, r.value
        from carrier c, json_each(case json_typeof(c.value)
          when 'string' then (c.value #>> '{}')::json else c.value end) r
        where c.key = p_unwrap_field
    ), given as (
      -- The rules for users and applications are in docs/data-contract.md; --max-identifier-bytes is at most 512.
      select key, value #>> '{}' as text,
          case json_typeof(value) when 'string' then octet_length(value #>> '{}') <= 512
            when 'number' then value #>> '{}' ~ '^[0-9]+$' else false end as is_readable
        from member where key in ('userId', 'appId') and coalesce(value #>> '{}', '') <> ''
    )
    select array_agg(distinct text) filter (where key = 'userId'),
        array_agg(distinct text) filter (where key = 'appId'),
        bool_and(is_readable) filter (where key = 'userId'), bool_and(is_readable)
      into users, apps, is_user_readable, are_both_readable from given;
    if not is_user_readable or cardinality(users) is distinct from 1
      or users[1] = '0' or users[1] !~ '[^ \t\n\r]'
    then
      return true;
    end if;
    return users[1] = p_user_id and (p_app_id is null or not are_both_readable or cardinality(apps) > 1
      or coalesce(apps[1], p_default_app_id, '') = p_app_id);
  exception
    -- The line is cut, masked or broken: not UTF-8, not JSON, or JSON that PostgreSQL cannot read.
    when others then return true;
  end;
end
$_$;

-- Name: FUNCTION is_line_of_user(p_raw bytea, p_user_id text, p_app_id text, p_pattern text, p_unwrap_field text, p_default_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.is_line_of_user(p_raw bytea, p_user_id text, p_app_id text, p_pattern text, p_unwrap_field text, p_default_app_id text) IS 'True for a line of a user, and for a line without a known owner that contains the user''s id.';

-- Name: is_owned_by(text, text, text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.is_owned_by(p_owner text, p_owner_app_id text, p_user_id text, p_app_id text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select p_owner = p_user_id and coalesce(p_owner_app_id = p_app_id, true)
$$;

-- Name: FUNCTION is_owned_by(p_owner text, p_owner_app_id text, p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.is_owned_by(p_owner text, p_owner_app_id text, p_user_id text, p_app_id text) IS 'True when a line with this owner and application is within an erasure. An unknown application matches every erasure of the user.';

-- Name: key_condition(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.key_condition(p_stream text, p_shape text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select string_agg(
      format(case when a.attnotnull then 't.%1$I = ' else 't.%1$I is not distinct from ' end || p_shape,
        key.name, key.position - 1, format_type(a.atttypid, a.atttypmod)),
      ' and ' order by key.position)
    from ingest.stream s, unnest(s.key_columns) with ordinality key (name, position),
      pg_catalog.pg_attribute a
    where s.stream = p_stream and a.attrelid = format('game.%I', s.target_table)::regclass
      and a.attname = key.name
$_$;

-- Name: FUNCTION key_condition(p_stream text, p_shape text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.key_condition(p_stream text, p_shape text) IS 'SQL condition that t, a row of a stream''s table, has a given key. p_shape is the format of each key value, with the column %1$I, its position %2$s from 0 and its type %3$s.';

-- Name: lane_of(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.lane_of(p_stream text) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array_agg(s.stream order by s.stream)
    from ingest.stream s, ingest.stream own
    where own.stream = p_stream
      and (s.stream = own.stream or s.stream = own.embedded_stream or s.embedded_stream = own.stream)
$$;

-- Name: FUNCTION lane_of(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.lane_of(p_stream text) IS 'The streams whose files can bring rows of the same tables as files of a stream, in the order of their names.';

-- Name: lock_key(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.lock_key(p_name text) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select ('x' || left(encode(sha256(convert_to('gamebase-ingest ' || p_name, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;

-- Name: FUNCTION lock_key(p_name text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.lock_key(p_name text) IS 'The 64-bit key of the advisory lock with a name.';

-- Name: month_partitions(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.month_partitions(p_stream text) RETURNS TABLE(month date, partition regclass, estimated_rows bigint, bytes bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select to_date(right(c.relname, 7), 'YYYY_MM'), c.oid::regclass, greatest(c.reltuples, 0)::bigint,
      pg_total_relation_size(c.oid)
    from ingest.stream s
    join pg_inherits i on i.inhparent = format('game.%I', s.target_table)::regclass
    join pg_class c on c.oid = i.inhrelid
    where s.stream = p_stream and s.partition_column is not null
      -- Only partitions that ingest.ensure_partition has created.
      and c.relname ~ ('^' || s.target_table || '_[0-9]{4}_[0-9]{2}$')
    order by 1
$_$;

-- Name: FUNCTION month_partitions(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.month_partitions(p_stream text) IS 'The monthly partitions of a stream''s table, with their size. The number of rows is the planner''s estimate.';

-- Name: natural_key_array(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.natural_key_array(p_stream text, p_row text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select format('jsonb_build_array(%s)',
      string_agg(format('%s.%I', p_row, key.name), ', ' order by key.position))
    from ingest.stream s, unnest(s.key_columns) with ordinality key (name, position)
    where s.stream = p_stream
$$;

-- Name: FUNCTION natural_key_array(p_stream text, p_row text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.natural_key_array(p_stream text, p_row text) IS 'SQL expression for the natural_key array of a row of a stream''s table. p_row is the row''s alias in the query. Times print in the session''s time zone.';

-- Name: natural_key_condition(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.natural_key_condition(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select ingest.key_condition(p_stream, '(k.natural_key ->> %2$s)::%3$s')
$_$;

-- Name: FUNCTION natural_key_condition(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.natural_key_condition(p_stream text) IS 'SQL condition that t, a row of a stream''s table, has the key in the natural_key array of k.';

-- Name: open_files(bigint, text, text[], text, timestamp with time zone, timestamp with time zone, text, text, text, bigint, integer, integer, bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.open_files(p_load_id bigint, p_stream text, p_paths text[], p_app_id text, p_observed_at timestamp with time zone, p_as_of timestamp with time zone, p_time_unit text, p_unwrap_field text, p_purchase_token_mode text, p_max_line_bytes bigint, p_max_nesting integer, p_max_identifier_bytes integer, p_max_text_bytes bigint) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return query
    -- nextval runs after the sort, so the numbers grow in the order of the paths.
    with numbered as materialized (
      select nextval('ingest.source_file_source_file_id_seq') as number, f.path
        from unnest(p_paths) with ordinality f (path, place) order by f.place
    ), opened as (
      insert into ingest.source_file (
          source_file_id, load_id, stream, path, sha256, byte_count, line_count, inserted_count,
          filled_count, duplicate_count, conflict_count, rejected_count, suppressed_count, blank_count,
          app_id, observed_at, as_of, time_unit, unwrap_field, purchase_token_mode, max_line_bytes,
          max_nesting, max_identifier_bytes, max_text_bytes, opened_by)
        select n.number, p_load_id, s.stream, n.path, sha256(int8send(n.number)), 0, 0, 0, 0, 0, 0, 0, 0, 0,
            p_app_id, p_observed_at, p_as_of, p_time_unit, p_unwrap_field, p_purchase_token_mode,
            p_max_line_bytes, p_max_nesting, p_max_identifier_bytes, p_max_text_bytes,
            pg_current_xact_id()
          from numbered n, ingest.stream s where s.stream = p_stream
        returning source_file_id
    )
    select source_file_id from opened order by source_file_id;
  if not found then
    raise exception 'stream % does not exist, or the list of files is empty', p_stream using errcode = 'undefined_object';
  end if;
end
$$;

-- Name: FUNCTION open_files(p_load_id bigint, p_stream text, p_paths text[], p_app_id text, p_observed_at timestamp with time zone, p_as_of timestamp with time zone, p_time_unit text, p_unwrap_field text, p_purchase_token_mode text, p_max_line_bytes bigint, p_max_nesting integer, p_max_identifier_bytes integer, p_max_text_bytes bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.open_files(p_load_id bigint, p_stream text, p_paths text[], p_app_id text, p_observed_at timestamp with time zone, p_as_of timestamp with time zone, p_time_unit text, p_unwrap_field text, p_purchase_token_mode text, p_max_line_bytes bigint, p_max_nesting integer, p_max_identifier_bytes integer, p_max_text_bytes bigint) IS 'Writes the ledger entries of files that this transaction will load, and returns their numbers, ascending in the order of the paths.';

-- Name: record_apps(bigint[], text[], bigint[], bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.record_apps(p_source_file_ids bigint[], p_app_ids text[], p_first bigint[], p_newest bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if exists (
    select from unnest(p_source_file_ids) n (number)
      where not exists (select from ingest.source_file f
        where f.source_file_id = n.number and f.undone_at is null and f.opened_by = pg_current_xact_id()))
  then
    raise exception 'this transaction has not opened all of the files of these applications'
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  insert into ingest.file_app as f (source_file_id, app_id, first_event_at, newest_event_at)
    select a.number, a.app_id,
        timestamptz '2000-01-01 00:00:00+00' + a.first * interval '1 millisecond',
        timestamptz '2000-01-01 00:00:00+00' + a.newest * interval '1 millisecond'
      from unnest(p_source_file_ids, p_app_ids, p_first, p_newest) a (number, app_id, first, newest)
    on conflict (source_file_id, app_id) do update
      set first_event_at = least(f.first_event_at, excluded.first_event_at),
        newest_event_at = greatest(f.newest_event_at, excluded.newest_event_at);
end
$$;

-- Name: FUNCTION record_apps(p_source_file_ids bigint[], p_app_ids text[], p_first bigint[], p_newest bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.record_apps(p_source_file_ids bigint[], p_app_ids text[], p_first bigint[], p_newest bigint[]) IS 'Records the applications of accepted rows in files that this transaction has opened, with their first and newest event in milliseconds since 2000-01-01 UTC.';

-- Name: refuse_facts_without_file(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.refuse_facts_without_file() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  -- With the rights of the caller, so without a function that the caller may not call.
  if not exists (select 1 from ingest.source_file f join ingest.stream s using (stream)
      where f.opened_by = pg_current_xact_id() and tg_argv[0] in (s.stream, s.embedded_stream))
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has opened no file of stream %', tg_argv[0]
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;

-- Name: FUNCTION refuse_facts_without_file(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.refuse_facts_without_file() IS 'Trigger function that refuses rows from any role except the table''s owner, unless the transaction has opened a file of the stream.';

-- Name: refuse_lines_of_other_files(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.refuse_lines_of_other_files() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if exists (select 1 from added a where not exists (
      select 1 from ingest.source_file f
        where f.source_file_id = a.source_file_id and f.opened_by = pg_current_xact_id()))
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has not opened the file of these rows'
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;

-- Name: FUNCTION refuse_lines_of_other_files(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.refuse_lines_of_other_files() IS 'Trigger function that refuses rows from any role except the table''s owner, unless the transaction has opened their file.';

-- Name: refuse_open_entry(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.refuse_open_entry() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if exists (select 1 from ingest.source_file f
      where f.source_file_id = new.source_file_id and (f.released_count <> 0 or not ingest.is_closed(f)))
  then
    raise exception 'file % was opened but not closed', new.source_file_id
      using errcode = 'object_not_in_prerequisite_state', hint = 'Call ingest.close_files.';
  end if;
  return null;
end
$$;

-- Name: FUNCTION refuse_open_entry(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.refuse_open_entry() IS 'Trigger function that refuses the commit of a ledger entry that was opened but not closed.';

-- Name: rejects_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.rejects_of_user(p_user_id text, p_app_id text) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select r.reject_id
    from ingest.reject r join ingest.source_file f using (source_file_id),
      (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
      -- A line with a record of another stream may name two users.
      when exists (select 1 from ingest.stream s where s.stream = r.stream and s.embedded_stream is not null)
      then encode(r.raw, 'escape') ~ p.pattern
      else ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, f.unwrap_field, f.app_id) end
$$;

-- Name: FUNCTION rejects_of_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.rejects_of_user(p_user_id text, p_app_id text) IS 'The refused lines of a user in loaded files, in one application or in all (NULL).';

-- Name: remove_accepted_values(text, bigint, bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.remove_accepted_values(p_stream text, p_acceptance_id bigint, p_files bigint[]) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET bytea_output TO 'hex'
    AS $_$
declare
  registered ingest.stream;
  target regclass;
  assignments text;
  removed bigint;
begin
  if not exists (select 1 from ingest.accepted_value v where v.stream = p_stream
      and coalesce(v.acceptance_id = p_acceptance_id, v.source_file_id = any (p_files)))
  then
    return 0;
  end if;
  select * into strict registered from ingest.stream where stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
  select string_agg(
      format('%1$I = case when k.restored ? %1$L then (k.restored ->> %1$L)::%2$s else t.%1$I end',
        f.field, format_type(a.atttypid, a.atttypmod)), ', ')
    into assignments
    from ingest.acceptable_fields(p_stream) f
    join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = f.field;
  -- A row never keeps a token that does not match its digest.
  assignments := concat_ws(', ', assignments, 'row_digest = null', (
    select string_agg(format(
        '%1$I = case when k.restored ? %2$L and t.%2$I::text is distinct from k.restored ->> %2$L
           then null else t.%1$I end', secret, secret || '_sha256'), ', ')
      from unnest(registered.secret_columns) secret));
  execute format(
    'with listed as materialized (
       select v.accepted_value_id, v.natural_key, v.field, v.before, v.after,
           coalesce(v.acceptance_id = $1, v.source_file_id = any ($2)) as is_lost,
           first_value(v.before) over (partition by v.natural_key, v.field order by v.accepted_value_id)
             as loaded
         from ingest.accepted_value v
         where v.stream = %1$L and exists (
           select 1 from ingest.accepted_value l
             where l.stream = v.stream and l.natural_key = v.natural_key and l.field = v.field
               and coalesce(l.acceptance_id = $1, l.source_file_id = any ($2)))
     ), kept as materialized (
       select l.accepted_value_id, l.natural_key, l.field, l.after,
           lag(l.after, 1, l.loaded) over later as before,
           lead(l.accepted_value_id) over later is null as is_last
         from listed l where not l.is_lost
         window later as (partition by l.natural_key, l.field order by l.accepted_value_id)
     ), rebased as (
       update ingest.accepted_value v set before = k.before from kept k
         where v.accepted_value_id = k.accepted_value_id and v.before is distinct from k.before
     ), gone as (
       delete from ingest.accepted_value v using listed l
         where l.is_lost and v.accepted_value_id = l.accepted_value_id returning v.before, v.after
     ), result as materialized (
       select l.natural_key, jsonb_object_agg(l.field,
           case when k.accepted_value_id is null then l.loaded else k.after end) as restored
         from (select distinct natural_key, field, loaded from listed) l
         left join kept k on k.is_last and k.natural_key = l.natural_key and k.field = l.field
         group by l.natural_key
     ), restored as (
       update %2$s t set %3$s from result k where %4$s
     )
     select count(*) from gone where before is distinct from after',
    p_stream, target, assignments, ingest.natural_key_condition(p_stream))
    into removed using p_acceptance_id, p_files;
  return removed;
end
$_$;

-- Name: FUNCTION remove_accepted_values(p_stream text, p_acceptance_id bigint, p_files bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.remove_accepted_values(p_stream text, p_acceptance_id bigint, p_files bigint[]) IS 'Removes the accepted values of an acceptance or of files, restores the rows, and returns the number of changes removed. Part of ingest.undo_acceptance and ingest.undo_files.';

-- Name: reopen_file(bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.reopen_file(p_source_file_id bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update ingest.source_file f set opened_by = pg_current_xact_id()
    where source_file_id = p_source_file_id and undone_at is null and ingest.is_closed(f);
  if not found then
    raise exception 'file % is not loaded', p_source_file_id using errcode = 'undefined_object';
  end if;
  -- The next refresh reads the rows of the file again.
  insert into rollup.touched_file (source_file_id) values (p_source_file_id);
end
$$;

-- Name: FUNCTION reopen_file(p_source_file_id bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.reopen_file(p_source_file_id bigint) IS 'Opens a loaded file again, so that this transaction can replay its refused lines.';

-- Name: require_open_file(text, bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.require_open_file(p_stream text, p_source_file_id bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (
    select 1 from ingest.source_file
      where source_file_id = p_source_file_id and ingest.brings_rows_of(stream, p_stream) and undone_at is null
        and opened_by = pg_current_xact_id())
  then
    raise exception 'this transaction has opened no file % of stream %', p_source_file_id, p_stream
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files or ingest.reopen_file first.';
  end if;
end
$$;

-- Name: FUNCTION require_open_file(p_stream text, p_source_file_id bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.require_open_file(p_stream text, p_source_file_id bigint) IS 'Raises an error unless this transaction has opened the file in the ledger.';

-- Name: resolve_rejects(bigint, bigint[], bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.resolve_rejects(p_source_file_id bigint, p_loaded bigint[], p_suppressed bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  place bigint := nextval('ingest.source_file_source_file_id_seq');
  resolved bigint;
begin
  if p_source_file_id is null or p_loaded is null or p_suppressed is null then
    raise exception 'source file and reject lists must not be null' using errcode = 'null_value_not_allowed';
  end if;
  perform ingest.require_open_file(stream, source_file_id)
    from ingest.source_file where source_file_id = p_source_file_id;
  update ingest.reject set resolved_at = clock_timestamp(), resolved_order = place,
      -- Nothing of an erased user is kept.
      raw = case when reject_id = any (p_suppressed) then '' else raw end,
      user_id = case when reject_id = any (p_suppressed) then null else user_id end
    where source_file_id = p_source_file_id and resolved_at is null
      and (reject_id = any (p_loaded)
        -- Without tombstones there is nothing to suppress, so a loader cannot empty a reject.
        or reject_id = any (p_suppressed) and exists (select 1 from ingest.erased_user));
  get diagnostics resolved = row_count;
  if resolved <> cardinality(p_loaded) + cardinality(p_suppressed) then
    raise exception 'some of the rejects are not open or do not belong to file %', p_source_file_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  update ingest.source_file
    set rejected_count = rejected_count - resolved, released_count = released_count + cardinality(p_loaded),
      suppressed_count = suppressed_count + cardinality(p_suppressed)
    where source_file_id = p_source_file_id;
end
$$;

-- Name: FUNCTION resolve_rejects(p_source_file_id bigint, p_loaded bigint[], p_suppressed bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.resolve_rejects(p_source_file_id bigint, p_loaded bigint[], p_suppressed bigint[]) IS 'Marks refused lines of a reopened file as loaded, which releases them for a new outcome, or as suppressed.';

-- Name: share_catalog(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.share_catalog() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select pg_advisory_xact_lock_shared(ingest.lock_key('migrate'))
$$;

-- Name: FUNCTION share_catalog(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.share_catalog() IS 'Takes the shared lock against grants and migrations, and holds it until the transaction ends.';

-- Name: summarize_new_pages(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.summarize_new_pages(p_stream text) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(sum(brin_summarize_new_values(i.indexrelid)), 0)::integer
    from ingest.stream s
    join pg_index i on i.indrelid = format('game.%I', s.target_table)::regclass
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam
    where s.stream = p_stream and a.amname = 'brin' and c.relkind = 'i'
$$;

-- Name: FUNCTION summarize_new_pages(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.summarize_new_pages(p_stream text) IS 'Summarizes the new page ranges in the BRIN indexes of a stream''s table, and returns their number.';

-- Name: undo_acceptance(bigint); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.undo_acceptance(p_acceptance_id bigint) RETURNS TABLE(line_count bigint, value_count bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  one_stream text;
begin
  value_count := 0;
  for one_stream in
    select unnest(streams) from ingest.acceptance
      where acceptance_id = p_acceptance_id and undone_at is null
  loop
    value_count := value_count
      + ingest.remove_accepted_values(one_stream, p_acceptance_id, null);
  end loop;
  select count(distinct (stream, source_file_id, line_number)) into line_count
    from ingest.conflict where acceptance_id = p_acceptance_id;
  update ingest.conflict set acceptance_id = null where acceptance_id = p_acceptance_id;
  update ingest.acceptance set undone_at = clock_timestamp(), undone_by = session_user
    where acceptance_id = p_acceptance_id and undone_at is null;
  return next;
end
$$;

-- Name: FUNCTION undo_acceptance(p_acceptance_id bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.undo_acceptance(p_acceptance_id bigint) IS 'Undoes an acceptance: restores the previous values of its rows and opens its conflicts again. For the owner.';

-- Name: undo_files(text, bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.undo_files(p_stream text, p_files bigint[]) RETURNS TABLE(source_file_id bigint, row_count bigint, fill_count bigint, reject_count bigint, conflict_count bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  one_stream text;
  row_counts jsonb := '{}';
  stream_counts jsonb;
begin
  foreach one_stream in array ingest.lane_of(p_stream) loop
    stream_counts := ingest.undo_rows(one_stream, p_files);
    select coalesce(jsonb_object_agg(n.file, coalesce((row_counts ->> n.file)::bigint, 0)
        + coalesce((stream_counts ->> n.file)::bigint, 0)), '{}')
      into row_counts
      from (select distinct unnest(p_files)::text as file) n;
  end loop;

  -- The reports forget the observations that retention kept for these files. The note makes a refresh compute the users
  -- again.
  with gone as (
    delete from ingest.kept_observation k where k.source_file_id = any (p_files) returning k.app_id, k.user_id
  )
  insert into rollup.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
    select distinct 'observation', g.app_id, g.user_id, '-infinity'::timestamptz, false, 0, 0 from gone g;

  return query
    with reject as (
      delete from ingest.reject r where r.source_file_id = any (p_files) returning r.source_file_id
    ), conflict as (
      delete from ingest.conflict c where c.source_file_id = any (p_files) returning c.source_file_id
    ), fill as (
      delete from ingest.fill f where f.source_file_id = any (p_files) returning f.source_file_id
    ), undone as (
      update ingest.source_file f set undone_at = clock_timestamp()
        where f.source_file_id = any (p_files) returning f.source_file_id
    )
    select u.source_file_id,
        coalesce((row_counts ->> u.source_file_id::text)::bigint, 0),
        (select count(*) from fill x where x.source_file_id = u.source_file_id),
        (select count(*) from reject x where x.source_file_id = u.source_file_id),
        (select count(*) from conflict x where x.source_file_id = u.source_file_id)
      from undone u order by u.source_file_id;
end
$$;

-- Name: FUNCTION undo_files(p_stream text, p_files bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.undo_files(p_stream text, p_files bigint[]) IS 'Deletes the rows, fills, rejects, conflicts and accepted values of files of one lane, given by one of its streams, marks the files as undone, and returns the number of deleted rows by file.';

-- Name: undo_rows(text, bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.undo_rows(p_stream text, p_files bigint[]) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
#variable_conflict use_column
declare
  registered ingest.stream;
  target regclass;
  same_key text := ingest.natural_key_condition(p_stream);
  row_counts jsonb;
  filled_field text;
  assignments text;
  absences text;
begin
  select * into strict registered from ingest.stream where stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;

  -- The fills and accepted values of a deleted row are deleted too, whichever file they came from, and its conflicts
  -- become open: a later row with the same key is a new row.
  execute format(
    'with gone as (
       delete from %1$s t where t.source_file_id = any ($1)
         returning t.source_file_id, %2$s as natural_key
     ), unfilled as (
       delete from ingest.fill f using gone
         where f.stream = %3$L and f.natural_key = gone.natural_key and f.source_file_id <> all ($1)
     ), unaccepted as (
       delete from ingest.accepted_value v using gone
         where v.stream = %3$L and v.natural_key = gone.natural_key
     ), opened as (
       update ingest.conflict c set acceptance_id = null from gone
         where c.acceptance_id is not null and c.stream = %3$L and c.natural_key = gone.natural_key
           and c.source_file_id <> all ($1)
     )
     select jsonb_object_agg(source_file_id, row_count)
       from (select source_file_id, count(*) as row_count from gone group by source_file_id) g',
      target, ingest.natural_key_array(p_stream, 't'), p_stream)
    into row_counts using p_files;

  -- In the remaining rows, the accepted values of these files' lines are removed.
  perform ingest.remove_accepted_values(p_stream, null, p_files);

  -- Columns that these files filled in rows of other files become absent again, with their followers. In a NOT NULL
  -- column, an empty text or false means "absent". The digest of a changed row is no longer valid. A value that was
  -- accepted after the fill stays, and its "before" becomes the absent value.
  for filled_field in
    select distinct f.field from ingest.fill f where f.source_file_id = any (p_files) and f.stream = p_stream
  loop
    select string_agg(format('%I = %s', a.attname, absent.value), ', ') || ', row_digest = null',
        string_agg(format('(%L, %s::text)', a.attname, absent.value), ', ')
      into assignments, absences
      from pg_catalog.pg_attribute a, lateral (select case
          when not a.attnotnull then 'null'
          when a.atttypid = 'boolean'::regtype then quote_literal('false')
          else quote_literal('') end) absent (value)
      where a.attrelid = target and (a.attname = filled_field
        or a.attname in (select jsonb_array_elements_text(registered.followers -> filled_field)));
    execute format(
      'update %s t set %s from ingest.fill k
         where k.source_file_id = any ($1) and k.stream = %L and k.field = $2 and %s
           and not exists (select 1 from ingest.accepted_value v
             where v.stream = k.stream and v.natural_key = k.natural_key and v.field = k.field)',
      target, assignments, p_stream, same_key)
      using p_files, filled_field;
    execute format(
      'update ingest.accepted_value v set before = a.value
         from ingest.fill k, (values %s) a (field, value)
         where k.source_file_id = any ($1) and k.stream = %L and k.field = $2
           and v.stream = k.stream and v.natural_key = k.natural_key and v.field = a.field
           and not exists (select 1 from ingest.accepted_value earlier
             where earlier.stream = v.stream and earlier.natural_key = v.natural_key
               and earlier.field = v.field and earlier.accepted_value_id < v.accepted_value_id)',
      absences, p_stream)
      using p_files, filled_field;
  end loop;
  return coalesce(row_counts, '{}');
end
$_$;

-- Name: FUNCTION undo_rows(p_stream text, p_files bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.undo_rows(p_stream text, p_files bigint[]) IS 'Deletes the rows of files in one stream''s table, takes their accepted values and fills back, and returns the number of deleted rows by file. Part of ingest.undo_files.';

-- Name: user_key_condition(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.user_key_condition(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select case
    when not has_user then 'false'
    when key_columns @> '{user_id,app_id}' then
      format('(k.natural_key ->> %s = $1 and ($2::text is null or k.natural_key ->> %s = $2))',
        array_position(key_columns, 'user_id') - 1, array_position(key_columns, 'app_id') - 1)
    else
      format('k.natural_key in (select %s from game.%I t where %s)',
        ingest.natural_key_array(stream, 't'), target_table, ingest.condition_of_user(stream))
    end
    from ingest.stream where stream = p_stream
$_$;

-- Name: FUNCTION user_key_condition(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.user_key_condition(p_stream text) IS 'SQL condition that the natural_key array of k identifies a row of user $1, in application $2 or in all (NULL); false for a stream whose rows belong to no user.';

-- Name: user_pattern(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.user_pattern(p_user_id text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    AS $_$
  with letter as (
    select c, ascii(c) as code, position, regexp_replace(
        encode(convert_to(c, 'UTF8'), 'escape'), '([^A-Za-z0-9])', '\\\1', 'g') as plain
      from regexp_split_to_table(p_user_id, '') with ordinality letters (c, position)
  ), unit as (
    select position, 1 as half, case when code > 65535 then 55296 + (code - 65536) / 1024 else code end as code
      from letter
    union all
    select position, 2, 56320 + (code - 65536) % 1024 from letter where code > 65535
  ), escaped as (
    select position, string_agg('(\\\\)+u' || (
        select string_agg(case when digit > '9' then format('[%s%s]', digit, upper(digit)) else digit end,
            '' order by place)
          from regexp_split_to_table(lpad(to_hex(code), 4, '0'), '') with ordinality digits (digit, place)),
        '' order by half) as hex
      from unit group by position
  )
  select '(^|[^A-Za-z0-9]|\\[0-7]{3}|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4})'
      || string_agg(format('(%s|%s%s)', plain, hex, case
        when c in ('"', '/') then '|(\\\\)+' || plain
        when c = '\' then '|(\\\\)+'
        when code = 8 then '|(\\\\)+b' when code = 9 then '|(\\\\)+t' when code = 10 then '|(\\\\)+n'
        when code = 12 then '|(\\\\)+f' when code = 13 then '|(\\\\)+r' else '' end),
        '' order by position)
      || '($|[^A-Za-z0-9])'
    from letter join escaped using (position)
$_$;

-- Name: FUNCTION user_pattern(p_user_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.user_pattern(p_user_id text) IS 'A regular expression that finds a user''s id in encode(line, ''escape''), in every spelling that JSON allows.';

-- Name: usual_figures(date); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.usual_figures(p_day date) RETURNS TABLE(app_id text, stream text, currency text, day_count integer, purchase_count numeric, median numeric, smallest numeric, largest numeric)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with past as (
    select p_day - 7 * n as day from generate_series(1, 8) n
  ), figure as (
    select d.app_id, d.stream, null::text as currency, null::numeric as purchase_count, d.line_count::numeric as figure
    from past p
    join rollup.stream_day d on d.day = p.day
    union all
    select r.app_id, 'receipt', r.currency, sum(r.paid_count), sum(r.amount_minor)
    from past p
    join rollup.revenue_day r on r.day = p.day
    where r.paid_count > 0
    group by r.app_id, r.currency, r.day
  )
  select
    f.app_id,
    f.stream,
    f.currency,
    count(*)::integer,
    percentile_cont(0.5) within group (order by f.purchase_count::double precision)::numeric,
    percentile_cont(0.5) within group (order by f.figure::double precision)::numeric,
    min(f.figure),
    max(f.figure)
  from figure f
  group by f.app_id, f.stream, f.currency;
$$;

-- Name: FUNCTION usual_figures(p_day date); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.usual_figures(p_day date) IS 'The last eight same weekdays before a day: median, smallest and largest number of events of each application and stream (currency NULL), and paid amount in the minor unit of each application and currency, with the median of its paid purchases. day_count tells how many of these days have a figure; days without one are left out.';

-- Name: add_level_times(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.add_level_times(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  change record;
  counts bigint[];
  group_counts bigint[];
  user_count bigint;
  place integer;
begin
  for change in
    select b.app_id, b.user_level, b.kind, array_agg(b.bucket) as buckets, array_agg(b.user_count) as user_counts
      from (
        select n.app_id, n.user_level, n.kind, n.bucket, sum(n.user_count)::bigint as user_count
          from pg_temp.new_level_time n
          group by n.app_id, n.user_level, n.kind, n.bucket
          having sum(n.user_count) <> 0
      ) b
      group by b.app_id, b.user_level, b.kind
  loop
    counts := null;
    group_counts := null;
    if not p_is_full then
      select t.counts, t.group_counts into counts, group_counts
        from rollup.level_time t
        where t.app_id = change.app_id and t.user_level = change.user_level and t.kind = change.kind;
    end if;
    -- An empty array would begin with the first assigned place.
    counts := coalesce(counts, '{null}');
    group_counts := coalesce(group_counts, '{null}');
    for number in 1 .. array_length(change.buckets, 1) loop
      place := change.buckets[number] + 1;
      counts[place] := nullif(coalesce(counts[place], 0) + change.user_counts[number], 0);
      place := greatest(change.buckets[number] / 64, 1);
      group_counts[place] := nullif(coalesce(group_counts[place], 0) + change.user_counts[number], 0);
    end loop;
    -- The arrays end with their last user, so equal counts are equal arrays.
    while cardinality(counts) > 0 and counts[cardinality(counts)] is null loop
      counts := counts[1 : cardinality(counts) - 1];
    end loop;
    while cardinality(group_counts) > 0 and group_counts[cardinality(group_counts)] is null loop
      group_counts := group_counts[1 : cardinality(group_counts) - 1];
    end loop;
    user_count := (select coalesce(sum(g), 0) from unnest(group_counts) g);
    if user_count = 0 then
      delete from rollup.level_time t
        where t.app_id = change.app_id and t.user_level = change.user_level and t.kind = change.kind;
    else
      insert into rollup.level_time as t (app_id, user_level, kind, user_count, p25_minutes, p50_minutes, p90_minutes,
          group_counts, counts)
        values (change.app_id, change.user_level, change.kind, user_count,
          rollup.percentile_minutes(counts, group_counts, user_count, 0.25),
          rollup.percentile_minutes(counts, group_counts, user_count, 0.5),
          rollup.percentile_minutes(counts, group_counts, user_count, 0.9), group_counts, counts)
        on conflict on constraint level_time_key do update
          set user_count = excluded.user_count, p25_minutes = excluded.p25_minutes, p50_minutes = excluded.p50_minutes,
            p90_minutes = excluded.p90_minutes, group_counts = excluded.group_counts, counts = excluded.counts
          where t.counts <> excluded.counts;
    end if;
  end loop;
  if p_is_full then
    delete from rollup.level_time t
      where not exists (
        select 1 from pg_temp.new_level_time n
          where n.app_id = t.app_id and n.user_level = t.user_level and n.kind = t.kind);
  end if;
end
$$;

-- Name: FUNCTION add_level_times(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.add_level_times(p_is_full boolean) IS 'Adds the changed durations of players to rollup.level_time. Part of rollup.finish_refresh.';

-- Name: add_up(text, boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.add_up(p_sum text, p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  target constant regclass := format('rollup.%I', p_sum)::regclass;
  keys text;
  added text;
  removed text;
  counts text;
  sums text;
  emptied tid[];
begin
  select string_agg(quote_ident(a.attname), ', ' order by k.place) into keys
    from pg_catalog.pg_constraint o
    cross join unnest(o.conkey) with ordinality k (number, place)
    join pg_catalog.pg_attribute a on a.attrelid = target and a.attnum = k.number
    where o.conrelid = target and o.contype = 'u';
  select string_agg(format('sum(c.%I)', v.name), ', ' order by v.place),
      string_agg(format('-%I', v.name), ', ' order by v.place),
      string_agg(quote_ident(v.name), ', ' order by v.place),
      string_agg(format('%1$I = t.%1$I + excluded.%1$I', v.name), ', ' order by v.place)
    into added, removed, counts, sums
    from pg_catalog.pg_proc p
    cross join unnest(p.proargnames) with ordinality v (name, place)
    where p.pronamespace = 'rollup'::regnamespace and p.proname = p_sum || '_change'
      and v.name <> all (string_to_array(keys, ', '));
  execute format(
    'with change as (
       select %2$s, %3$s
         from (select %2$s, %5$s from rollup.%7$I()%8$s) c
         group by %2$s
         having (%3$s) <> (%9$s)
     ), changed as (
       insert into rollup.%1$I as t (%2$s, %5$s) select * from change
         on conflict on constraint %10$I do update set %6$s
         returning t.ctid as place, t.%11$s as row_count
     )
     select array_agg(place) from changed where row_count = 0',
    p_sum, keys, added, removed, counts, sums, p_sum || '_change',
    case when p_is_full then format(' union all select %s, %s from rollup.%I', keys, removed, p_sum) else '' end,
    rpad('0', 3 * array_length(string_to_array(counts, ', '), 1) - 2, ', 0'), p_sum || '_key',
    split_part(counts, ', ', 1))
    into emptied;
  if emptied is not null then
    execute format('delete from rollup.%I t where t.ctid = any ($1)', p_sum) using emptied;
  end if;
end
$_$;

-- Name: FUNCTION add_up(p_sum text, p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.add_up(p_sum text, p_is_full boolean) IS 'Adds what the function <sum>_change selects to the sum of that name, and deletes rows that count nothing any more. Part of rollup.finish_refresh.';

-- Name: advance_refresh_state(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.advance_refresh_state() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update rollup.refresh_state s
    set source_file_id = greatest(s.source_file_id, n.source_file_id),
      load_id = greatest(s.load_id, n.load_id)
    from (
      -- A file also counts for the stream of records within its lines, because it brings rows of that one as well.
      select o.stream, max(f.source_file_id) as source_file_id, max(f.load_id) as load_id
        from rollup.refresh_state o
        join ingest.stream s on s.stream = o.stream or s.embedded_stream = o.stream
        join ingest.source_file f on f.stream = s.stream
        where f.source_file_id > o.source_file_id
        group by o.stream
    ) n
    where s.stream = n.stream;
  update rollup.refresh_state set refreshed_at = now();
  delete from rollup.touched_row;
  delete from rollup.touched_file;
  perform rollup.empty_working_tables('staging.touched_file', 'staging.touched_row', 'staging.touched_day',
    'staging.touched_item_app', 'staging.touched_event_day', 'staging.touched_push');
end
$$;

-- Name: FUNCTION advance_refresh_state(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.advance_refresh_state() IS 'Records which files the reports contain, and removes the notes and the working rows. Part of rollup.finish_refresh.';

-- Name: apply_players(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.apply_players() RETURNS TABLE(player_number bigint, attempt_count bigint, error text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    AS $_$
#variable_conflict use_column
declare
  narrow record;
begin
  perform rollup.require_working_tables();
  for narrow in
    select c.relname as name,
        string_agg(format(case when a.attnotnull then 't.%1$I = o.%1$I' else 't.%1$I is not distinct from o.%1$I' end,
          a.attname), ' and ' order by k.place) as condition
      from pg_catalog.pg_constraint o
      join pg_catalog.pg_class c on c.oid = o.conrelid
      cross join unnest(o.conkey) with ordinality k (number, place)
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where o.conrelid = any (rollup.narrow_tables()) and o.contype in ('p', 'u')
      group by c.relname
      order by c.relname
  loop
    execute format('analyze pg_temp.old_%s', narrow.name);
    execute format(
      'with gone as (delete from rollup.%1$I t using pg_temp.old_%1$s o where %2$s returning t.*)
       insert into pg_temp.gone_%1$s select * from gone', narrow.name, narrow.condition);
    execute format('insert into rollup.%1$I select * from pg_temp.new_%1$s', narrow.name);
    execute format('analyze pg_temp.new_%s', narrow.name);
    execute format('analyze pg_temp.gone_%s', narrow.name);
  end loop;
  -- A refresh tries every player that is set aside, so the others are well again.
  delete from rollup.set_aside_player s
    where not exists (select 1 from pg_temp.new_set_aside n where n.app_id = s.app_id and n.user_id = s.user_id);
  insert into rollup.set_aside_player as s (app_id, user_id, error)
    select n.app_id, n.user_id, n.error from pg_temp.new_set_aside n order by n.app_id, n.user_id
    on conflict (app_id, user_id) do update set attempt_count = s.attempt_count + 1, error = excluded.error;
  if exists (select 1 from rollup.set_aside_player) then
    update rollup.set_aside_player s
      set streams = k.streams
      from (
        select p.player_number,
            coalesce(array_agg(distinct k.stream order by k.stream) filter (where k.stream is not null), '{}') as streams
          from rollup.set_aside_player p
          left join (
            select app_id, user_id, 'receipt' as stream, source_file_id from game.receipt
            union all
            select app_id, user_id, 'level_up', source_file_id from game.level_up
            union all
            select app_id, user_id, 'game_user', source_file_id from game.game_user_snapshot
          ) r on r.app_id = p.app_id and r.user_id = p.user_id
          left join ingest.source_file f on f.source_file_id = r.source_file_id
          cross join lateral (values (r.stream), (f.stream)) k (stream)
          group by p.player_number
      ) k
      where k.player_number = s.player_number;
  end if;
  return query
    select s.player_number, s.attempt_count, s.error from rollup.set_aside_player s order by s.player_number;
end
$_$;

-- Name: FUNCTION apply_players(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.apply_players() IS 'Replaces the rows of players: removes those named by the tables old_…, and adds those of new_…. Sets players aside, and returns all that are. Part of a refresh.';

-- Name: apply_sums(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.apply_sums(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  -- Every function <sum>_change names its sum.
  perform rollup.add_up(c.relname, p_is_full)
    from pg_catalog.pg_class c
    join pg_catalog.pg_proc p on p.proname = c.relname || '_change' and p.pronamespace = c.relnamespace
    where c.relnamespace = 'rollup'::regnamespace and c.relkind = 'r'
    order by c.relname;
  perform rollup.add_level_times(p_is_full);
  perform rollup.run_subscription_totals();
  perform rollup.find_first_reached(p_is_full);
  perform rollup.refresh_concentration(p_is_full);
  -- rollup.refresh_running_month computes these applications again, after the horizons.
  delete from rollup.running_month r
    where p_is_full or exists (select 1 from pg_temp.subscription_period_change c where c.app_id = r.app_id);
end
$$;

-- Name: FUNCTION apply_sums(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.apply_sums(p_is_full boolean) IS 'Adds the changed rows of players to all sums, and computes again what does not add up. Part of rollup.finish_refresh.';

-- Name: base_currency(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.base_currency() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select value from ingest.setting where name = 'base-currency'
$$;

-- Name: FUNCTION base_currency(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.base_currency() IS 'The currency of converted revenue: the setting base-currency; NULL while it is not set.';

-- Name: begin_refresh(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.begin_refresh(p_is_full boolean DEFAULT false) RETURNS TABLE(is_full boolean, file_count bigint, row_count bigint, player_count bigint, late_count bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    SET default_statistics_target TO '20'
    AS $$
#variable_conflict use_column
begin
  -- Otherwise a file that commits between two statements would count as refreshed without being read.
  if current_setting('transaction_isolation') not in ('repeatable read', 'serializable')
    and exists (select 1 from ingest.stream s where not ingest.holds_stream(s.stream))
  then
    raise exception 'a refresh needs one view of the facts, but this transaction is at READ COMMITTED'
      using errcode = 'object_not_in_prerequisite_state',
        hint = 'Run gamebase-ingest refresh.';
  end if;
  lock table rollup.refresh_lock in exclusive mode;
  -- The first refresh reads all facts, too, so it takes the same way.
  is_full := p_is_full or not exists (select 1 from rollup.refresh_state where source_file_id > 0)
    and exists (select 1 from ingest.source_file);
  if not is_full and not exists (select 1 from rollup.set_aside_player)
    and not exists (select 1 from rollup.touched_row) and not exists (select 1 from rollup.touched_file)
    and not exists (select 1 from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id)
  then
    perform rollup.refresh_horizons();
    perform rollup.refresh_running_month();
    update rollup.refresh_state set refreshed_at = now();
    is_full := null;
    file_count := 0;
    row_count := 0;
    player_count := 0;
    late_count := 0;
    return next;
    return;
  end if;
  perform rollup.collect_touched(is_full);
  perform rollup.create_working_tables(is_full);
  if is_full then
    insert into pg_temp.touched_player
        (app_id, user_id, is_late, is_set_aside, has_receipt, is_subscriber, first_day, period_start)
      select r.app_id, r.user_id, true, false, true, true, '-infinity', '-infinity'
        from (
          select app_id, user_id from game.receipt
          union select app_id, user_id from game.level_up
          union select app_id, user_id from game.game_user_snapshot
          union select app_id, user_id from ingest.kept_observation
          -- A rebuild also removes rows that no fact explains.
          union select app_id, user_id from rollup.player
          union select app_id, user_id from rollup.player_day
          union select app_id, user_id from rollup.purchase
          union select app_id, user_id from rollup.subscription_period
          union select app_id, user_id from rollup.player_character
          union select app_id, user_id from rollup.current_game_user
          union select app_id, user_id from rollup.character_change
          union select app_id, user_id from rollup.set_aside_player
        ) r
        order by r.app_id, r.user_id;
  else
    -- A player whose touched rows are all new and lie behind the stored ones continues from its state. Of all others
    -- every row is read again.
    insert into pg_temp.touched_player
        (app_id, user_id, is_late, is_set_aside, has_receipt, is_subscriber, first_day, period_start)
      select t.app_id, t.user_id, l.is_late, t.is_set_aside, t.has_receipt,
          t.has_receipt and (p.subscription_count > 0 or n.user_id is not null) is true, d.first_day,
          least(date_trunc('week', d.first_day), date_trunc('month', d.first_day))
        from (
          select r.app_id, r.user_id, bool_or((r.source_file_id > s.source_file_id) is not true) as is_changed,
              bool_or(r.stream is null) as is_set_aside, min(r.event_at) filter (where r.is_dated) as first_at,
              bool_or(r.stream = 'receipt') is true as has_receipt
            from (
              select stream, app_id, user_id, event_at, is_dated, source_file_id
                from staging.touched_row
                where user_id is not null
              union all
              select null, app_id, user_id, null, false, null from rollup.set_aside_player
            ) r
            left join rollup.refresh_state s using (stream)
            group by r.app_id, r.user_id
        ) t
        left join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id
        left join (
          select distinct r.app_id, r.user_id
            from game.receipt r
            where r.source_file_id > (select s.source_file_id from rollup.refresh_state s where s.stream = 'receipt')
              and r.expires_at is not null and r.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')
        ) n on n.app_id = t.app_id and n.user_id = t.user_id
        cross join lateral (select t.is_changed or coalesce(t.first_at <= p.newest_at, false) as is_late) l
        cross join lateral (select case when l.is_late or p.newest_at is null then '-infinity'
          else (p.newest_at at time zone rollup.reporting_zone())::date end as first_day) d
        order by t.app_id, t.user_id;
  end if;
  get diagnostics player_count = row_count;
  analyze pg_temp.touched_player;
  select count(*) into late_count from pg_temp.touched_player t where t.is_late;
  select count(*) into file_count from staging.touched_file;
  select count(*) into row_count from staging.touched_row;
  return next;
end
$$;

-- Name: FUNCTION begin_refresh(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.begin_refresh(p_is_full boolean) IS 'Begins a refresh of all reports: collects what has changed since the last one, or everything, and counts it. No later step is needed when is_full is NULL: nothing has changed.';

-- Name: changed_chains(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.changed_chains() RETURNS TABLE(sign bigint, app_id text, user_id text, chain_id text, gamebase_product_id text, currency text, amount_minor bigint, starts_at timestamp with time zone, ends_at timestamp with time zone, starts_on date, ends_on date, length_in_days integer, period_kind text, is_trial boolean, is_paid boolean, is_converted boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
begin
  if (select c.is_full from pg_temp.current_refresh c) then
    return query
      select 1::bigint, p.app_id, p.user_id, p.chain_id, p.gamebase_product_id, p.currency, p.amount_minor, p.starts_at,
          p.ends_at, p.starts_on, p.ends_on, p.length_in_days, p.period_kind, p.is_trial, p.is_paid, p.is_converted
        from rollup.subscription_period p;
    return;
  end if;
  return query
    with touched as materialized (
      select distinct c.app_id, c.user_id from pg_temp.subscription_period_change c
    ), stored as materialized (
      select p.*
        from touched t
        cross join lateral (
          select * from rollup.subscription_period r where r.app_id = t.app_id and r.user_id = t.user_id offset 0
        ) p
    ), signed as (
      select 1::bigint as sign, s.* from stored s
      union all
      select -1, s.*
        from stored s
        where not exists (
          select from pg_temp.new_subscription_period n
            where n.app_id = s.app_id and n.user_id = s.user_id and n.payment_seq = s.payment_seq)
      union all
      select -1, g.* from pg_temp.gone_subscription_period g
    )
    select p.sign, p.app_id, p.user_id, p.chain_id, p.gamebase_product_id, p.currency, p.amount_minor, p.starts_at,
        p.ends_at, p.starts_on, p.ends_on, p.length_in_days, p.period_kind, p.is_trial, p.is_paid, p.is_converted
      from signed p;
end
$$;

-- Name: FUNCTION changed_chains(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.changed_chains() IS 'All subscription periods of players with a changed one: as they are with the sign 1, and as they were with the sign -1; in a full refresh all periods. Part of rollup.apply_sums.';

-- Name: changed_trials(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.changed_trials() RETURNS TABLE(sign bigint, app_id text, gamebase_product_id text, month date, ends_at timestamp with time zone, is_converted boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    with period as (
      select c.*,
          -- A paid period belongs to the unpaid ones before it.
          count(*) filter (where c.is_paid) over chain - case when c.is_paid then 1 else 0 end as paid_before,
          c.is_trial and not (coalesce(lag(c.is_trial) over chain, false) and c.period_kind = 'renewal') as is_first
        from rollup.changed_chains() c
        where c.period_kind is not null
        window chain as (partition by c.sign, c.app_id, c.user_id, c.chain_id order by c.starts_at)
    ), numbered as (
      select p.*,
          count(*) filter (where p.is_first) over chain as trial_number,
          bool_or(p.is_converted) over (
            partition by p.sign, p.app_id, p.user_id, p.chain_id, p.paid_before) as is_followed
        from period p
        window chain as (partition by p.sign, p.app_id, p.user_id, p.chain_id order by p.starts_at)
    )
    select n.sign, n.app_id, max(n.gamebase_product_id) filter (where n.is_first),
        date_trunc('month', min(n.starts_on)::timestamp)::date, max(n.ends_at), bool_or(n.is_followed)
      from numbered n
      where n.is_trial
      group by n.sign, n.app_id, n.user_id, n.chain_id, n.trial_number;
end
$$;

-- Name: FUNCTION changed_trials(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.changed_trials() IS 'The trials of rollup.changed_chains, those in a row as one, and whether a converted period of the chain follows. Part of rollup.apply_sums.';

-- Name: churn_month_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.churn_month_change() RETURNS TABLE(app_id text, gamebase_product_id text, month date, change_count bigint, active_change bigint, churned_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    with period as materialized (
      select c.*, date_trunc('month', c.starts_on::timestamp)::date as first_month,
          -- A chain stays active up to its renewal, which begins at most 16 days after the end.
          date_trunc('month', (case when lead(c.period_kind) over chain = 'renewal' then lead(c.starts_on) over chain
            else c.ends_on end)::timestamp)::date as last_month
        from rollup.changed_chains() c
        -- Periods without length stand apart.
        window chain as (partition by c.sign, c.app_id, c.user_id, c.chain_id, c.period_kind is null order by c.starts_at)
    ), active as materialized (
      -- Active at the starts of the months after the first one, up to the last one.
      select p.*, lead(p.first_month) over chain as next_month
        from period p
        where p.is_paid and p.period_kind is not null and p.first_month < p.last_month
        window chain as (partition by p.sign, p.app_id, p.user_id, p.chain_id order by p.starts_at)
    )
    select e.app_id, e.gamebase_product_id, e.month, sum(e.sign)::bigint, sum(e.active_change * e.sign)::bigint,
        sum(e.churned_count * e.sign)::bigint
      from (
        -- Every product with a subscription has rows.
        select p.sign, p.app_id, p.gamebase_product_id, p.first_month as month, 0 as active_change, 0 as churned_count
          from period p
        union all
        select a.sign, a.app_id, a.gamebase_product_id, (a.first_month + interval '1 month')::date, 1, 0 from active a
        union all
        select a.sign, a.app_id, a.gamebase_product_id, (a.last_month + interval '1 month')::date, -1, 0 from active a
        union all
        select a.sign, a.app_id, a.gamebase_product_id, a.last_month, 0, 1
          from active a
          where a.next_month is distinct from a.last_month
      ) e
      group by e.app_id, e.gamebase_product_id, e.month;
end
$$;

-- Name: FUNCTION churn_month_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.churn_month_change() IS 'Chains with a paid period at the start of a month, and those of them that have none at its end, by product.';

-- Name: cohort_converted_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.cohort_converted_change() RETURNS TABLE(app_id text, cohort_on date, day_n integer, converted_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  steps constant integer[] := array(select s.day_n from rollup.cohort_step s order by s.day_n);
  -- Behind each day_n begins the next step.
  limits constant integer[] := array(select s.day_n + 1 from rollup.cohort_step s order by s.day_n);
begin
  return query
    -- A purchase before the first observation (a subscription that a store continued) counts from day 0 on.
    select p.app_id, p.first_observed_on, s.day_n, sum(p.sign)::bigint
      from pg_temp.player_change p
      cross join lateral (
        select steps[1 + width_bucket(p.first_paid_on - p.first_observed_on, limits)] as day_n) s
      where p.first_paid_on is not null and p.first_observed_on is not null and s.day_n is not null
      group by p.app_id, p.first_observed_on, s.day_n;
end
$$;

-- Name: FUNCTION cohort_converted_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.cohort_converted_change() IS 'Users by their first observation and the first day of rollup.cohort_step by which they had paid.';

-- Name: cohort_observed_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.cohort_observed_change() RETURNS TABLE(app_id text, cohort_on date, day_n integer, observed_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  steps constant integer[] := array(select s.day_n from rollup.cohort_step s);
begin
  return query
    select d.app_id, d.first_observed_on, d.day - d.first_observed_on, sum(d.sign)::bigint
      from pg_temp.player_day_change d
      where d.is_observed and d.day - d.first_observed_on = any (steps)
      group by d.app_id, d.first_observed_on, d.day - d.first_observed_on;
end
$$;

-- Name: FUNCTION cohort_observed_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.cohort_observed_change() IS 'Users observed on a day of rollup.cohort_step after their first observation.';

-- Name: cohort_revenue_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.cohort_revenue_change() RETURNS TABLE(app_id text, cohort_kind text, cohort_on date, day_n integer, currency text, paid_count bigint, payer_count bigint, amount_minor numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  steps constant integer[] := array(select s.day_n from rollup.cohort_step s order by s.day_n);
  -- Behind each day_n begins the next step.
  limits constant integer[] := array(select s.day_n + 1 from rollup.cohort_step s order by s.day_n);
begin
  return query
    -- Bit 4 of firsts: the first in its currency.
    with day as (
      select r.app_id, r.first_observed_on, r.first_paid_on, r.day, r.currency, sum(r.sign) as paid_count,
          coalesce(sum(r.sign) filter (where r.firsts & 16 <> 0), 0) as payer_count,
          sum(r.sign * r.amount_minor::numeric) as amount_minor
        from pg_temp.purchase_change r
        where r.is_paid
        group by r.app_id, r.first_observed_on, r.first_paid_on, r.day, r.currency
    )
    select d.app_id, k.cohort_kind, k.cohort_on, s.day_n, d.currency, sum(d.paid_count)::bigint,
        sum(d.payer_count)::bigint, sum(d.amount_minor)
      from day d
      cross join lateral (values ('first_observed', d.first_observed_on), ('first_paid', d.first_paid_on)) k
        (cohort_kind, cohort_on)
      cross join lateral (select steps[1 + width_bucket(d.day - k.cohort_on, limits)] as day_n) s
      where k.cohort_on is not null and s.day_n is not null
      group by d.app_id, k.cohort_kind, k.cohort_on, s.day_n, d.currency;
end
$$;

-- Name: FUNCTION cohort_revenue_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.cohort_revenue_change() IS 'Paid purchases by cohort, currency and the first day of rollup.cohort_step at or after the purchase.';

-- Name: cohort_size_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.cohort_size_change() RETURNS TABLE(app_id text, cohort_kind text, cohort_on date, cohort_size bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select p.app_id, k.cohort_kind, k.cohort_on, sum(p.sign)::bigint
      from pg_temp.player_change p
      cross join lateral (values ('first_observed', p.first_observed_on), ('first_paid', p.first_paid_on)) k
        (cohort_kind, cohort_on)
      where k.cohort_on is not null
      group by p.app_id, k.cohort_kind, k.cohort_on;
end
$$;

-- Name: FUNCTION cohort_size_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.cohort_size_change() IS 'Users by the day of their first observation and of their first paid purchase.';

-- Name: collect_touched(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.collect_touched(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
begin
  perform rollup.empty_working_tables('staging.touched_file', 'staging.touched_row', 'staging.touched_day');
  if p_is_full then
    update rollup.refresh_state set source_file_id = 0, load_id = null;
  end if;
  insert into staging.touched_file (source_file_id)
    select f.source_file_id
      from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id and f.undone_at is null
    union
    select t.source_file_id from rollup.touched_file t;

  if not p_is_full then
    -- Of events the days of a file suffice.
    perform rollup.collect_touched_rows(s.stream)
      from ingest.stream s
      where s.time_column is not null and s.stream <> 'event'
      order by s.stream;
    perform rollup.collect_touched_events();
    insert into staging.touched_row
        (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
      select distinct t.stream, t.app_id, t.user_id, t.event_at, t.is_dated, t.source_file_id, t.line_number,
          t.payment_seq
        from rollup.touched_row t;
    analyze staging.touched_row;
    insert into staging.touched_day (app_id, day)
      select distinct t.app_id, (t.event_at at time zone zone)::date
        from staging.touched_row t
        where t.is_dated and isfinite(t.event_at);
    analyze staging.touched_day;
  end if;
  perform rollup.refresh_calendar(p_is_full);
  analyze staging.touched_file;
end
$$;

-- Name: FUNCTION collect_touched(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.collect_touched(p_is_full boolean) IS 'Fills the working tables of a refresh with the files, rows and days that changed since the last one. Part of rollup.begin_refresh.';

-- Name: collect_touched_events(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.collect_touched_events() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
begin
  insert into staging.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
    select 'event', e.app_id, null, min(e.occurred_at), true, e.source_file_id, min(e.line_number)
      from game.event e
      where e.source_file_id > (select s.source_file_id from rollup.refresh_state s where s.stream = 'event')
        or e.source_file_id in (select t.source_file_id from rollup.touched_file t)
      group by e.app_id, e.source_file_id, (e.occurred_at at time zone zone)::date;
end
$$;

-- Name: FUNCTION collect_touched_events(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.collect_touched_events() IS 'Notes the days of the events of new and replayed files in staging.touched_row, without a user. Part of rollup.collect_touched.';

-- Name: collect_touched_rows(text); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.collect_touched_rows(p_stream text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  newest bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = p_stream);
  replayed bigint[] := array(
    select distinct t.source_file_id
      from rollup.touched_file t join ingest.source_file f using (source_file_id)
      where ingest.brings_rows_of(f.stream, p_stream) and t.source_file_id <= newest);
  statement constant text := format(
    'insert into staging.touched_row
         (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
       select %s from game.%I r where r.source_file_id ',
    rollup.noted_values(p_stream), (select s.target_table from ingest.stream s where s.stream = p_stream));
begin
  execute statement || '> $1' using newest;
  if replayed <> '{}' then
    execute statement || '= any ($1)' using replayed;
  end if;
end
$_$;

-- Name: FUNCTION collect_touched_rows(p_stream text); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.collect_touched_rows(p_stream text) IS 'Copies the keys of the rows of new and replayed files of one stream to staging.touched_row. Part of rollup.collect_touched.';

-- Name: conflict_counts(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.conflict_counts() RETURNS TABLE(source_file_id bigint, stream text, app_id text, conflict_count bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  pending bigint[] := array(select source_file_id from report.pending_file);
begin
  if exists (select 1 from rollup.touched_row) then
    pending := pending || rollup.files_with_conflicts('rollup.touched_row');
  end if;
  return query
    select l.source_file_id, l.stream, l.app_id, count(*)
      from (
        select r.source_file_id, r.stream, r.app_id
          from rollup.conflict_line r
          where r.source_file_id <> all (pending)
            and exists (select 1 from ingest.conflict c
              where c.source_file_id = r.source_file_id and c.line_number = r.line_number and c.stream = r.stream)
        union all
        select p.source_file_id, p.stream, p.app_id from rollup.conflict_lines(pending) p
      ) l
      group by l.source_file_id, l.stream, l.app_id;
end
$$;

-- Name: FUNCTION conflict_counts(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.conflict_counts() IS 'Counts the lines that contradict stored rows, by file, stream and application of the stored row (NULL when it is gone), also of files loaded since the last refresh. Part of report.quality_by_day.';

-- Name: conflict_lines(bigint[]); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.conflict_lines(p_files bigint[]) RETURNS TABLE(source_file_id bigint, line_number bigint, stream text, app_id text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
#variable_conflict use_column
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream s
    where exists (select 1 from ingest.conflict c where c.stream = s.stream) order by s.stream
  loop
    return query execute format(
      'select k.source_file_id, k.line_number, %L, t.app_id
         from (
           select distinct c.source_file_id, c.line_number, c.natural_key
             from ingest.conflict c where c.stream = %1$L and c.source_file_id = any ($1)
         ) k
         left join game.%I t on %s',
      registered.stream, registered.target_table, ingest.natural_key_condition(registered.stream))
      using p_files;
  end loop;
end
$_$;

-- Name: FUNCTION conflict_lines(p_files bigint[]); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.conflict_lines(p_files bigint[]) IS 'The lines of files that contradict stored rows, with stream and application of the stored row (NULL when it is gone).';

-- Name: create_working_tables(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.create_working_tables(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  narrow record;
begin
  create temporary table current_refresh on commit drop as select p_is_full as is_full;
  create temporary table touched_player (
    player_no integer generated always as identity primary key,
    app_id text collate "C" not null,
    user_id text collate "C" not null,
    is_late boolean not null,
    -- The reports have nothing of the player.
    is_set_aside boolean not null,
    -- All receipts of a late player come from the facts, not only those that have changed or are subscriptions.
    reads_receipts boolean not null default false,
    has_receipt boolean not null,
    -- A player with a subscription, and with a new receipt.
    is_subscriber boolean not null,
    -- The day of the newest stored row, and the earlier start of its week and its month; of a late player -infinity.
    first_day date not null,
    period_start date not null
  ) on commit drop;
  -- The receipts of late players that come from the facts; of the others the reports tell all that counts.
  create temporary table read_receipt (
    player_no integer not null,
    payment_seq text collate "C" not null,
    primary key (payment_seq, player_no)
  ) on commit drop;
  for narrow in
    select c.relname as name, string_agg(format('%I', a.attname), ', ' order by k.place) as key
      from pg_catalog.pg_constraint o
      join pg_catalog.pg_class c on c.oid = o.conrelid
      cross join unnest(o.conkey) with ordinality k (number, place)
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where o.conrelid = any (rollup.narrow_tables()) and o.contype in ('p', 'u')
      group by c.relname
  loop
    -- The rows to add, the keys of those to remove, and the removed rows.
    execute format('create temporary table new_%1$s (like rollup.%1$I) on commit drop', narrow.name);
    execute format('create temporary table old_%1$s on commit drop as select %2$s from rollup.%1$I limit 0',
      narrow.name, narrow.key);
    execute format('create temporary table gone_%1$s (like rollup.%1$I) on commit drop', narrow.name);
    execute format('grant insert on pg_temp.new_%1$s, pg_temp.old_%1$s to public', narrow.name);
    -- The rows whose sums a refresh adds up: in a full one, all.
    execute format(case when p_is_full
        then 'create temporary view %1$s_change as select 1::bigint as sign, r.* from rollup.%1$I r'
        else 'create temporary view %1$s_change as select 1::bigint as sign, r.* from pg_temp.new_%1$s r
          union all select -1, r.* from pg_temp.gone_%1$s r' end, narrow.name);
  end loop;
  -- The differences that players make to the figures of levels.
  create temporary table new_level_time (
    app_id text collate "C" not null,
    user_level integer not null,
    kind text collate "C" not null,
    bucket integer not null,
    user_count bigint not null
  ) on commit drop;
  create temporary table new_level_reached (
    app_id text collate "C" not null,
    user_level integer not null,
    added_at timestamptz,
    removed_at timestamptz
  ) on commit drop;
  -- The players whose figures cannot be computed.
  create temporary table new_set_aside (
    app_id text collate "C" not null,
    user_id text collate "C" not null,
    error text collate "C" not null,
    primary key (app_id, user_id)
  ) on commit drop;
  grant insert on pg_temp.new_level_time, pg_temp.new_level_reached, pg_temp.new_set_aside to public;
end
$_$;

-- Name: FUNCTION create_working_tables(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.create_working_tables(p_is_full boolean) IS 'Creates the temporary tables of a refresh, which it drops at its end. Part of rollup.begin_refresh.';

-- Name: currency_period_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.currency_period_change() RETURNS TABLE(app_id text, currency text, period text, period_start date, paid_count bigint, payer_count bigint, amount_minor numeric, new_payer_amount_minor numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    -- Bits of firsts: 5, 6 and 7 the first in the currency of the day, week and month; 11, 12 and 13 of a new payer.
    with day as (
      select r.app_id, r.currency, r.day, r.firsts & 14560 as firsts, sum(r.sign) as paid_count,
          sum(r.sign * r.amount_minor::numeric) as amount_minor
        from pg_temp.purchase_change r
        where r.is_paid
        group by r.app_id, r.currency, r.day, r.firsts & 14560
    )
    select d.app_id, d.currency, c.period, c.period_start, sum(d.paid_count)::bigint,
        sum(d.paid_count * (d.firsts >> (c.first_bit + 4) & 1))::bigint, sum(d.amount_minor),
        sum(d.amount_minor * (d.firsts >> (c.first_bit + 10) & 1))
      from day d cross join lateral rollup.periods_of_day(d.day) c
      group by d.app_id, d.currency, c.period, c.period_start;
end
$$;

-- Name: FUNCTION currency_period_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.currency_period_change() IS 'Paid purchases by currency and by day, week and month.';

-- Name: drop_working_tables(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.drop_working_tables() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  working record;
begin
  for working in
    select format('drop %s pg_temp.%I', case c.relkind when 'v' then 'view' else 'table' end, c.relname) as statement
      from pg_catalog.pg_class c
      where c.relnamespace = pg_my_temp_schema() and c.relowner = current_user::regrole and c.relkind in ('v', 'r')
        and (c.relname in ('current_refresh', 'touched_player', 'new_level_time', 'new_level_reached', 'new_set_aside', 'read_receipt')
          or regexp_replace(c.relname, '^(new|old|gone)_|_change$', '') in (
            select n.relname from pg_catalog.pg_class n where n.oid = any (rollup.narrow_tables())))
      order by c.relkind desc
  loop
    execute working.statement;
  end loop;
end
$_$;

-- Name: FUNCTION drop_working_tables(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.drop_working_tables() IS 'Drops the temporary tables of a refresh. Part of rollup.finish_refresh and rollup.forget_user.';

-- Name: duration_bucket(bigint); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.duration_bucket(p_seconds bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select (64 * b.low_bits + (p_seconds >> b.low_bits))::integer
    from (select greatest(length(ltrim(p_seconds::bit(64)::text, '0')) - 7, 0) as low_bits) b
$$;

-- Name: FUNCTION duration_bucket(p_seconds bigint); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.duration_bucket(p_seconds bigint) IS 'The number of the bucket of a duration in seconds, which is not negative; see rollup.level_time.';

-- Name: empty_working_tables(regclass[]); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.empty_working_tables(VARIADIC p_tables regclass[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  few_bytes constant bigint := 16 * 8192;
  emptied regclass;
begin
  foreach emptied in array p_tables loop
    if pg_relation_size(emptied) > few_bytes and pg_try_advisory_xact_lock_shared(ingest.lock_key('migrate')) then
      begin
        execute format('lock table %s in access exclusive mode nowait', emptied);
        execute format('truncate %s', emptied);
        continue;
      exception when lock_not_available then
        null;
      end;
    end if;
    if pg_relation_size(emptied) > 0 then
      execute format('delete from %s', emptied);
    end if;
  end loop;
end
$$;

-- Name: FUNCTION empty_working_tables(VARIADIC p_tables regclass[]); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.empty_working_tables(VARIADIC p_tables regclass[]) IS 'Empties working tables of a refresh, and waits for no session that reads them. Part of a refresh.';

-- Name: files_with_conflicts(regclass); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.files_with_conflicts(p_notes regclass) RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
declare
  registered ingest.stream;
  found_files bigint[];
  files bigint[] := '{}';
begin
  for registered in select * from ingest.stream s
    where exists (select 1 from ingest.conflict c where c.stream = s.stream) order by s.stream
  loop
    execute format(
      'select array_agg(distinct c.source_file_id) from ingest.conflict c
         where c.stream = %L and %s in (select t.%I from %s t where t.stream = %1$L)',
      registered.stream,
      case when registered.partition_column is null then '(c.natural_key ->> 0)' else format(
        '(c.natural_key ->> %s)::timestamptz',
        array_position(registered.key_columns, registered.partition_column) - 1) end,
      case when registered.partition_column is null then 'payment_seq' else 'event_at' end, p_notes)
      into found_files;
    files := files || found_files;
  end loop;
  return files;
end
$_$;

-- Name: FUNCTION files_with_conflicts(p_notes regclass); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.files_with_conflicts(p_notes regclass) IS 'The files with lines that contradict the noted rows. p_notes is rollup.touched_row or staging.touched_row.';

-- Name: find_first_reached(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.find_first_reached(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_nestloop TO 'off'
    AS $$
begin
  with change as (
    select c.app_id, c.user_level, min(c.added_at) as added_at, min(c.removed_at) as removed_at
      from pg_temp.new_level_reached c
      group by c.app_id, c.user_level
  ), lost as materialized (
    select c.app_id, c.user_level
      from change c join rollup.level l on l.app_id = c.app_id and l.user_level = c.user_level
      where not p_is_full and c.removed_at <= l.first_reached_at
  ), found as (
    select r.app_id, r.user_level, min(r.reached_at) as first_reached_at
      from (
        select p.app_id, l.user_level, l.reached_at
          from rollup.player p
          cross join lateral unnest(p.levels, p.reached_at) l (user_level, reached_at)
          where p.app_id in (select app_id from lost)
          offset 0
      ) r
      join lost s on s.app_id = r.app_id and s.user_level = r.user_level
      group by r.app_id, r.user_level
  )
  update rollup.level l set first_reached_at = n.first_reached_at
    from (
      select c.app_id, c.user_level,
          case when p_is_full then c.added_at else coalesce(f.first_reached_at, least(l.first_reached_at, c.added_at)) end
            as first_reached_at
        from change c
        join rollup.level l on l.app_id = c.app_id and l.user_level = c.user_level
        left join found f on f.app_id = c.app_id and f.user_level = c.user_level
    ) n
    where l.app_id = n.app_id and l.user_level = n.user_level and l.first_reached_at is distinct from n.first_reached_at;
end
$$;

-- Name: FUNCTION find_first_reached(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.find_first_reached(p_is_full boolean) IS 'Sets the first time of each level that players gained or lost. Part of rollup.finish_refresh.';

-- Name: finish_refresh(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.finish_refresh() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    SET default_statistics_target TO '20'
    AS $$
declare
  is_full boolean;
begin
  perform rollup.require_working_tables();
  -- Not an argument: the sums of a rebuild would be wrong after anything else.
  select c.is_full into strict is_full from pg_temp.current_refresh c;
  perform rollup.apply_sums(is_full);
  perform rollup.refresh_operations(is_full, true);
  perform rollup.refresh_horizons();
  perform rollup.refresh_running_month();
  perform rollup.refresh_items(is_full);
  perform rollup.refresh_price_checks(is_full);
  perform rollup.refresh_event_days(is_full);
  perform rollup.advance_refresh_state();
  perform rollup.drop_working_tables();
end
$$;

-- Name: FUNCTION finish_refresh(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.finish_refresh() IS 'Brings the sums and the other reports up to date after rollup.apply_players, and records which files the reports contain. Ends a refresh.';

-- Name: forget_user(text, text); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.forget_user(p_user_id text, p_app_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  narrow regclass;
  name text;
begin
  delete from ingest.kept_observation k where k.user_id = p_user_id and (p_app_id is null or k.app_id = p_app_id);
  delete from rollup.set_aside_player s where s.user_id = p_user_id and (p_app_id is null or s.app_id = p_app_id);
  perform rollup.create_working_tables(false);
  insert into pg_temp.new_level_reached (app_id, user_level, removed_at)
    select p.app_id, r.user_level, r.reached_at
      from rollup.player p
      cross join lateral unnest(p.levels, p.reached_at) r (user_level, reached_at)
      where p.user_id = p_user_id and (p_app_id is null or p.app_id = p_app_id);
  insert into pg_temp.new_level_time (app_id, user_level, kind, bucket, user_count)
    select p.app_id, d.user_level, d.kind, rollup.duration_bucket(d.seconds), -1
      from rollup.player p
      cross join lateral (
        select r.user_level, k.kind,
            floor(extract(epoch from r.reached_at - case k.kind when 'first_observed' then p.first_observed_at
              else (select q.reached_at from unnest(p.levels, p.reached_at) q (user_level, reached_at)
                where q.user_level < r.user_level and q.reached_at <= r.reached_at
                order by q.user_level desc limit 1) end))::bigint as seconds
          from unnest(p.levels, p.reached_at) r (user_level, reached_at)
          cross join (values ('first_observed'), ('previous_level')) k (kind)
      ) d
      where p.user_id = p_user_id and (p_app_id is null or p.app_id = p_app_id) and d.seconds is not null;
  foreach narrow in array rollup.narrow_tables() loop
    select c.relname into name from pg_catalog.pg_class c where c.oid = narrow;
    execute format(
      'with gone as (delete from rollup.%1$I t where t.user_id = $1 and ($2 is null or t.app_id = $2) returning t.*)
       insert into pg_temp.gone_%1$s select * from gone', name)
      using p_user_id, p_app_id;
  end loop;
  perform rollup.apply_sums(false);
  perform rollup.refresh_running_month();

  -- The files, days and events of the deleted rows; the notes of events have no user.
  perform rollup.empty_working_tables('staging.touched_file', 'staging.touched_row', 'staging.touched_day');
  with noted as (
    delete from rollup.touched_row t
      where t.user_id = p_user_id and (p_app_id is null or t.app_id = p_app_id) or t.stream = 'event'
      returning t.*
  )
  insert into staging.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
    select distinct t.stream, t.app_id, t.user_id, t.event_at, t.is_dated, t.source_file_id, t.line_number, t.payment_seq
      from noted t join rollup.refresh_state s using (stream)
      -- The reports do not contain the rows of other files.
      where t.source_file_id <= s.source_file_id;
  insert into staging.touched_day (app_id, day)
    select distinct t.app_id, (t.event_at at time zone rollup.reporting_zone())::date
      from staging.touched_row t
      where t.is_dated and isfinite(t.event_at);
  perform rollup.refresh_operations(false, false);
  perform rollup.refresh_price_checks(false);
  perform rollup.refresh_event_days(false);
  perform rollup.empty_working_tables('staging.touched_row', 'staging.touched_day');
  perform rollup.drop_working_tables();
end
$_$;

-- Name: FUNCTION forget_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.forget_user(p_user_id text, p_app_id text) IS 'Removes an erased user from the reports. Part of ingest.erase_user.';

-- Name: has_user_index(regclass); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.has_user_index(p_partition regclass) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (
    select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = p_partition and i.indisvalid and i.indnatts = 1 and a.attname = 'user_id')
$$;

-- Name: FUNCTION has_user_index(p_partition regclass); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.has_user_index(p_partition regclass) IS 'True if rollup.index_users_of_past_month has indexed the users in this partition.';

-- Name: index_users_of_past_month(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.index_users_of_past_month() RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS $$
declare
  past regclass;
begin
  select m.partition into past
    from ingest.stream s
    cross join lateral (
      select p.partition, row_number() over (order by p.month desc) as age from ingest.month_partitions(s.stream) p
    ) m
    where s.stream in ('level_up', 'game_user') and m.age > 2 and pg_relation_size(m.partition) >= 1048576
      and not rollup.has_user_index(m.partition)
    limit 1;
  if past is not null then
    execute format('create index on %s (user_id)', past);
  end if;
  return past;
exception
  when lock_not_available or undefined_table then
    return null;
end
$$;

-- Name: FUNCTION index_users_of_past_month(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.index_users_of_past_month() IS 'Indexes the users in one month of level-ups or snapshots before the two newest. The result is its partition; NULL when none is left, or when another session uses it.';

-- Name: level_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.level_change() RETURNS TABLE(app_id text, user_level integer, recorded_user_count bigint, stopped_user_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.user_level, sum(c.recorded)::bigint, sum(c.stopped)::bigint
      from (
        -- Every level-up is an observation, so each recorded level has a duration since the first one.
        select t.app_id, t.user_level, t.user_count as recorded, 0::bigint as stopped
          from pg_temp.new_level_time t
          where t.kind = 'first_observed'
        union all
        select p.app_id, p.highest_level, 0, p.sign
          from pg_temp.player_change p
          where p.highest_level is not null
      ) c
      group by c.app_id, c.user_level;
end
$$;

-- Name: FUNCTION level_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.level_change() IS 'Users by recorded level, and by highest level.';

-- Name: level_revenue_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.level_revenue_change() RETURNS TABLE(app_id text, currency text, user_level integer, level_attribution text, paid_count bigint, payer_count bigint, amount_minor numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    -- Bit 9 of firsts: the first in its currency at its level and attribution.
    select r.app_id, r.currency, r.user_level, r.level_attribution, sum(r.sign)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 512 <> 0), 0)::bigint, sum(r.sign * r.amount_minor::numeric)
      from pg_temp.purchase_change r
      where r.is_paid
      group by r.app_id, r.currency, r.user_level, r.level_attribution;
end
$$;

-- Name: FUNCTION level_revenue_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.level_revenue_change() IS 'Paid purchases by currency, level at the purchase and attribution.';

-- Name: mrr_day_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.mrr_day_change() RETURNS TABLE(app_id text, currency text, day date, change_count bigint, twelfths_change numeric, unknown_length_change bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.currency, e.day, sum(c.sign)::bigint,
        coalesce(sum(c.amount_minor::numeric * f.twelfths * e.step * c.sign), 0),
        coalesce(sum(e.step * c.sign) filter (where f.twelfths is null), 0)::bigint
      from pg_temp.subscription_period_change c
      cross join lateral (values (c.starts_on, 1), (c.ends_on, -1)) e (day, step)
      left join rollup.mrr_factor f on f.length_in_days = c.length_in_days
      where c.is_paid and c.period_kind is not null
      group by c.app_id, c.currency, e.day;
end
$$;

-- Name: FUNCTION mrr_day_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.mrr_day_change() IS 'Monthly prices of paid subscription periods that start and end, by day and currency.';

-- Name: mrr_month_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.mrr_month_change() RETURNS TABLE(app_id text, currency text, month date, change_count bigint, new_twelfths numeric, reactivated_twelfths numeric, expansion_twelfths numeric, contraction_twelfths numeric, churned_twelfths numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    with period as (
      select c.sign, c.app_id, c.user_id, c.chain_id, c.currency, c.starts_at,
          date_trunc('month', c.starts_on::timestamp)::date as first_month,
          date_trunc('month', c.ends_on::timestamp)::date as last_month,
          date_trunc('month', (min(c.starts_on) over (
            partition by c.sign, c.app_id, c.user_id, c.chain_id, c.currency))::timestamp)::date as chain_month,
          c.amount_minor::numeric * f.twelfths as twelfths
        from rollup.changed_chains() c
        join rollup.mrr_factor f on f.length_in_days = c.length_in_days
        where c.is_paid and c.period_kind is not null
    ), active as materialized (
      -- Active at the ends of the months from the first one on, but not of the last one.
      select p.*, lag(p.last_month) over chain as previous_month, lag(p.twelfths) over chain as previous_twelfths,
          lead(p.first_month) over chain as next_month
        from period p
        where p.first_month < p.last_month
        window chain as (partition by p.sign, p.app_id, p.user_id, p.chain_id, p.currency order by p.starts_at)
    )
    select e.app_id, e.currency, e.month, sum(e.sign)::bigint,
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'new'), 0),
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'reactivated'), 0),
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'changed' and e.twelfths > 0), 0),
        coalesce(sum(-e.sign * e.twelfths) filter (where e.movement = 'changed' and e.twelfths < 0), 0),
        coalesce(sum(e.sign * e.twelfths) filter (where e.movement = 'churned'), 0)
      from (
        select a.sign, a.app_id, a.currency, a.first_month as month,
            case when a.previous_month = a.first_month then 'changed' when a.chain_month = a.first_month then 'new'
              else 'reactivated' end as movement,
            case when a.previous_month = a.first_month then a.twelfths - a.previous_twelfths else a.twelfths end as twelfths
          from active a
        union all
        select a.sign, a.app_id, a.currency, a.last_month, 'churned', a.twelfths
          from active a
          where a.next_month is distinct from a.last_month
      ) e
      where e.twelfths <> 0
      group by e.app_id, e.currency, e.month;
end
$$;

-- Name: FUNCTION mrr_month_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.mrr_month_change() IS 'Changes of the monthly prices of chains from one end of a month to the next, by currency.';

-- Name: narrow_tables(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.narrow_tables() RETURNS regclass[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array['rollup.player', 'rollup.player_day', 'rollup.purchase', 'rollup.subscription_period',
    'rollup.player_character', 'rollup.current_game_user', 'rollup.character_change']::regclass[]
$$;

-- Name: FUNCTION narrow_tables(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.narrow_tables() IS 'The tables whose rows the fold over the rows of a player gives.';

-- Name: note_changes(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.note_changes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  statement constant text := format(
    'insert into rollup.touched_row
         (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
       select %s from ', rollup.noted_values(tg_argv[0]));
begin
  execute statement || 'before_change r';
  if tg_op = 'UPDATE' then
    execute statement || 'after_change r';
  end if;
  return null;
end
$$;

-- Name: FUNCTION note_changes(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.note_changes() IS 'Trigger function that notes changed and deleted rows in rollup.touched_row, as before and as after the change. Its argument is the stream.';

-- Name: noted_values(text); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.noted_values(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select format('%L, r.app_id, %s, r.%I, %s, r.source_file_id, r.line_number, %s',
      s.stream,
      case when s.has_player then 'r.user_id' else 'null' end,
      s.time_column,
      case when s.time_source_column is null then 'true'
        else format('r.%I <> ''load_start''', s.time_source_column) end,
      case when 'payment_seq' = any (s.key_columns) then 'r.payment_seq' else 'null' end)
    from ingest.stream s
    where s.stream = p_stream
$$;

-- Name: FUNCTION noted_values(p_stream text); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.noted_values(p_stream text) IS 'The values, as SQL text, by which a row r of a stream is noted in rollup.touched_row and staging.touched_row.';

-- Name: open_player_rows(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.open_player_rows() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    AS $_$
#variable_conflict use_column
declare
  player_rows refcursor := 'player_rows';
  receipts bigint := (select source_file_id from rollup.refresh_state where stream = 'receipt');
  levels bigint := (select source_file_id from rollup.refresh_state where stream = 'level_up');
  snapshots bigint := (select source_file_id from rollup.refresh_state where stream = 'game_user');
  late_total bigint;
  nested_loops constant text := current_setting('enable_nestloop');
  random_page_cost constant text := current_setting('random_page_cost');
  -- With many players late, look-ups of single players cost more than reading all rows.
  reads_all boolean;
  of_player text;
  parts text[];
  receipt_columns constant text := $sql$10::smallint, r.purchased_at, r.expires_at, r.amount_minor, r.source_file_id,
      r.line_number, (case r.is_sandbox when false then 1 when true then 2 else 0 end
        + case r.is_promotion when false then 4 when true then 8 else 0 end
        + case when r.price_imprecise then 16 else 0 end
        + case when r.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE') then 32 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint,
      r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, r.payment_id, r.original_payment_id, null$sql$;
  -- A stored receipt with its level and its flags: 1 always, 2 an observation, 4 and 8 the attribution.
  stored_columns constant text := replace(receipt_columns, 'null::bigint, null::bigint, null::bigint',
    $sql$p.user_level::bigint, (1 + case when p.is_observation then 2 else 0 end
        + case p.level_attribution when 'exact' then 4 when 'highest_of_several' then 8 else 0 end)::bigint, null::bigint$sql$);
  -- The same of a stored receipt without its references.
  narrow_columns constant text := $sql$10::smallint, r.purchased_at, null::timestamptz, r.amount_minor, null::bigint,
      null::bigint, (case r.is_sandbox when false then 1 when true then 2 else 0 end
        + case r.is_promotion when false then 4 when true then 8 else 0 end)::bigint,
      r.user_level::bigint, (1 + case when r.is_observation then 2 else 0 end
        + case r.level_attribution when 'exact' then 4 when 'highest_of_several' then 8 else 0 end)::bigint, null::bigint,
      r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, null, null, null$sql$;
  level_columns constant text := $sql$11::smallint, r.leveled_up_at, null::timestamptz, r.user_level::bigint,
      r.source_file_id, r.line_number, 1::bigint, null::bigint, null::bigint, null::bigint,
      r.character_id, r.channel_id, r.class_id, null, null, null, null$sql$;
  snapshot_columns constant text := $sql$11::smallint, r.observed_at, null::timestamptz, r.user_level::bigint,
      r.source_file_id, r.line_number, (case r.observed_at_source when 'line' then 2 when 'option' then 3 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint, r.character_id, r.channel_id, r.class_id, null, null, null, null$sql$;
begin
  perform rollup.require_working_tables();
  select count(*) into late_total from pg_temp.touched_player t where t.is_late;
  reads_all := (select c.is_full from pg_temp.current_refresh c) or late_total * rollup.scan_factor() > (
    select count(*) from (select 1 from rollup.player limit late_total * rollup.scan_factor()) p);
  truncate pg_temp.read_receipt;
  if not reads_all then
    -- The subscriptions, with the references of the store, and the receipts that have changed.
    insert into pg_temp.read_receipt (player_no, payment_seq)
      select t.player_no, s.payment_seq
        from pg_temp.touched_player t
        cross join lateral (
          select payment_seq from rollup.subscription_period where app_id = t.app_id and user_id = t.user_id offset 0) s
        where t.is_late
      union
      select t.player_no, p.payment_seq
        from pg_temp.touched_player t
        cross join lateral (
          select payment_seq from rollup.purchase where app_id = t.app_id and user_id = t.user_id offset 0) p
        where t.reads_receipts
      union
      select t.player_no, n.payment_seq
        from pg_temp.touched_player t join staging.touched_row n on n.app_id = t.app_id and n.user_id = t.user_id
        where t.is_late and n.stream = 'receipt'
      union
      -- The reports contain no receipt of a player that is set aside, so all receipts are searched.
      select t.player_no, r.payment_seq
        from pg_temp.touched_player t join game.receipt r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.is_set_aside;
    analyze pg_temp.read_receipt;
  end if;
  of_player := case when reads_all then 'join \1 r on r.app_id = t.app_id and r.user_id = t.user_id\2'
    -- The planner knows no statistics of users, and would read whole tables for a few of them.
    else 'cross join lateral (select * from \1 where app_id = t.app_id and user_id = t.user_id\2 offset 0) r' end;
  parts := array[
    -- The players, and their stored state.
    $sql$select t.player_no, 0::smallint as kind, p.newest_at as at, p.last_level_up_at as until, p.paid_count as n1,
        p.receipt_count as n2, p.subscription_count as n3,
        (case when t.is_late then 1 else 0 end + case when p.user_id is not null then 2 else 0 end
          + case when t.is_late and not t.reads_receipts then 4 else 0 end)::bigint as n4,
        null::bigint as n5, null::bigint as n6, null::bigint as n7,
        t.app_id as t1, t.user_id as t2, null as t3, null as t4, null as t5, null as t6, null as t7, p.levels as a1,
        p.reached_at as a2
      from pg_temp.touched_player t left join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id$sql$,
    $sql$select t.player_no, 1::smallint, r.first_observed_at, r.last_observed_at, r.observed_on - date '2000-01-01',
        r.level_up_on - date '2000-01-01', r.snapshot_on - date '2000-01-01', r.first_observed_on - date '2000-01-01', null,
        null, null, r.first_observed_in, r.last_observed_in, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player}$sql$,
    $sql$select t.player_no, 2::smallint, r.first_paid_at, r.last_paid_at, r.first_paid_on - date '2000-01-01', r.user_level,
        null, null, null, null, null, r.character_id, r.channel_id, r.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player}$sql$,
    $sql$select t.player_no, 3::smallint, r.event_at, null, r.user_level, r.source_file_id, r.line_number,
        case r.kind when 'load_start' then 0 when 'level_up' then 1 else 2 end, null, null, null, r.character_id,
        r.channel_id, r.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player_character}$sql$,
    $sql$select t.player_no, 4::smallint, r.observed_at, null, r.user_level, r.source_file_id, r.line_number,
        case r.observed_at_source when 'line' then 2 when 'option' then 3 else 0 end, null, null, null, r.character_id,
        r.channel_id, r.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.current_game_user}$sql$,
    $sql$select t.player_no, 5::smallint, r.valid_from, null, r.user_level, null, null, null, null, null, null,
        r.character_id, r.channel_id, r.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.character_change}
      where t.is_late$sql$,
    $sql$select t.player_no, 6::smallint, null, null, r.day - date '2000-01-01', r.level_up_count, r.snapshot_count,
        r.paid_count, r.level_at_end,
        r.firsts + case when r.is_observed then 65536 else 0 end + case when r.is_new_payer then 131072 else 0 end,
        r.first_observed_on - date '2000-01-01', null, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player_day: and day >= t.first_day}$sql$,
    $sql$select t.player_no, 7::smallint, r.purchased_at, null, r.amount_minor, r.user_level, r.firsts,
        case r.is_sandbox when false then 1 when true then 2 else 0 end
          + case r.is_promotion when false then 4 when true then 8 else 0 end
          + case when r.price_imprecise then 16 else 0 end + case when r.is_paid then 32 else 0 end
          + case when r.is_observation then 64 else 0 end
          + case r.level_attribution when 'exact' then 128 when 'highest_of_several' then 256 else 0 end
          + case when x.player_no is null then 512 else 0 end,
        r.day - date '2000-01-01', r.first_observed_on - date '2000-01-01', r.first_paid_on - date '2000-01-01',
        r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, r.character_id, r.channel_id, r.class_id, null, null
      from pg_temp.touched_player t {rollup.purchase}
      left join pg_temp.read_receipt x on x.player_no = t.player_no and x.payment_seq = r.payment_seq
      where t.is_late$sql$,
    $sql$select t.player_no, 8::smallint, r.starts_at, r.ends_at, r.amount_minor, r.purchased_on - date '2000-01-01',
        r.starts_on - date '2000-01-01',
        case r.chain_rule when 'original' then 0 when 'google' then 1 when 'payment' then 2 else 3 end
          + case r.period_kind when 'new' then 4 when 'continued' then 8 when 'renewal' then 12
            when 'resubscription' then 16 else 0 end
          + case when r.is_trial then 32 else 0 end + case when r.is_paid then 64 else 0 end
          + case when r.is_converted then 128 else 0 end + case when r.is_renewed then 256 else 0 end
          + case when r.is_expiry then 512 else 0 end
          + case r.cohort_started_as when 'trial' then 1024 when 'paid' then 2048 when 'other' then 3072 else 0 end
          + r.length_in_days::bigint * 4096,
        r.ends_on - date '2000-01-01', r.renewal_number, r.cohort_month - date '2000-01-01',
        r.payment_seq, r.chain_id, r.currency, r.gamebase_product_id, r.store_code, r.cohort_product_id, null, null, null
      from pg_temp.touched_player t {rollup.subscription_period}
      where t.is_late or t.is_subscriber$sql$];
  if reads_all then
    parts[1] := replace(parts[1], 'not t.reads_receipts', 'false');
  end if;
  if late_total > 0 then
    parts := parts || text $sql$select t.player_no, 9::smallint, r.first_observed_at, r.last_observed_at, null, r.source_file_id,
        null, case r.stream when 'level_up' then 1 else 2 end, null, null, null, null, null, null, null, null, null, null,
        null, null
      from pg_temp.touched_player t {ingest.kept_observation}
      where t.is_late$sql$;
    if reads_all then
      parts := parts
        || format('select t.player_no, %s, null, null from pg_temp.touched_player t {game.receipt} where t.is_late',
          receipt_columns)
        || format('select t.player_no, %s, null, null from pg_temp.touched_player t {game.level_up} where t.is_late',
          level_columns)
        || format('select t.player_no, %s, null, null from pg_temp.touched_player t {game.game_user_snapshot}
          where t.is_late', snapshot_columns);
    else
      parts := parts
        || format('select t.player_no, %s, null, null
          from (
            select t.player_no, t.app_id, t.user_id, x.payment_seq
              from pg_temp.read_receipt x join pg_temp.touched_player t on t.player_no = x.player_no
          ) t
          cross join lateral (select * from game.receipt where payment_seq = t.payment_seq offset 0) r
          where r.app_id = t.app_id and r.user_id = t.user_id', receipt_columns)
        || rollup.rows_of_late_players('level_up', level_columns || ', null, null')
        || rollup.rows_of_late_players('game_user', snapshot_columns || ', null, null');
    end if;
  end if;
  if exists (select 1 from pg_temp.touched_player t where not t.is_late) then
    parts := parts
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.receipt r on r.app_id = t.app_id and r.user_id = t.user_id
        where not t.is_late and r.source_file_id > %s', receipt_columns, receipts)
      -- The subscriptions of a subscriber, with the store's references.
      || format('select p.player_no, %s, null, null
        from (select t.player_no, r.* from pg_temp.touched_player t {rollup.subscription_period}
          where not t.is_late and t.is_subscriber) s
        cross join lateral (select s.player_no, u.* from rollup.purchase u
          where u.app_id = s.app_id and u.user_id = s.user_id and u.payment_seq = s.payment_seq offset 0) p
        cross join lateral (select * from game.receipt where payment_seq = s.payment_seq offset 0) r', stored_columns)
      -- The other receipts only tell which firsts are taken: in the week and the month of the new rows, and ever
      -- (PurchaseFirsts ever, inCurrency and atLevel).
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t
        {rollup.purchase: and (firsts & 529 <> 0 or day >= t.period_start)}
        where not t.is_late and t.has_receipt and case when t.is_subscriber then not exists (
          select 1 from rollup.subscription_period s
            where s.app_id = r.app_id and s.user_id = r.user_id and s.payment_seq = r.payment_seq) else true end',
        narrow_columns)
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.level_up r on r.app_id = t.app_id and r.user_id = t.user_id
        where not t.is_late and r.source_file_id > %s', level_columns, levels)
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.game_user_snapshot r on r.app_id = t.app_id and r.user_id = t.user_id
        where not t.is_late and r.source_file_id > %s', snapshot_columns, snapshots);
  end if;
  if reads_all then
    perform set_config('enable_nestloop', 'off', true);
  else
    -- Few players: their rows of past months come from indexes, even if the planner takes their pages for dear.
    perform set_config('random_page_cost', '1', true);
  end if;
  open player_rows no scroll for execute
    regexp_replace(array_to_string(parts, ' union all '), '\{([a-z_.]+):?([^}]*)\}', of_player, 'g')
      || ' order by player_no, kind, at';
  perform set_config('enable_nestloop', nested_loops, true);
  perform set_config('random_page_cost', random_page_cost, true);
end
$_$;

-- Name: FUNCTION open_player_rows(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.open_player_rows() IS 'Opens the cursor player_rows on the rows and the stored figures of the touched players, player by player, each kind in the order of time. Part of a refresh.';

-- Name: pending_counts(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.pending_counts() RETURNS TABLE(source_file_id bigint, stream text, app_id text, line_count bigint, load_start_count bigint, unknown_sandbox_count bigint, unpriced_count bigint, free_count bigint, imprecise_count bigint, repaired_count bigint, unknown_product_type_count bigint, untyped_expiry_count bigint, first_event_at timestamp with time zone, newest_event_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
  pending bigint[] := array(select source_file_id from report.pending_file);
begin
  if pending = '{}' then
    return;
  end if;
  return query
    select s.source_file_id, s.stream, s.app_id,
        count(*),
        count(*) filter (where not s.is_dated),
        count(*) filter (where s.is_sandbox_unknown),
        count(*) filter (where s.is_unpriced),
        count(*) filter (where s.is_free),
        count(*) filter (where s.is_imprecise),
        count(*) filter (where s.is_repaired),
        count(*) filter (where s.is_product_type_unknown),
        count(*) filter (where s.is_expiry_untyped),
        min(s.event_at) filter (where s.is_dated),
        max(s.event_at) filter (where s.is_dated)
      from staging.standing_row s
      where s.source_file_id = any (pending)
      group by s.source_file_id, s.stream, s.app_id;
end
$$;

-- Name: FUNCTION pending_counts(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.pending_counts() IS 'Counts the standing rows of the files in report.pending_file, by file, stream and application. Part of rollup.standing_file.';

-- Name: percentile_minutes(bigint[], bigint[], bigint, numeric); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.percentile_minutes(p_counts bigint[], p_group_counts bigint[], p_user_count bigint, p_share numeric) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  -- The users up to the percentile.
  wanted bigint := ceil(p_user_count * p_share);
  low_bits integer := 0;
  bucket integer := 0;
begin
  while wanted > coalesce(p_group_counts[low_bits + 1], 0) loop
    wanted := wanted - coalesce(p_group_counts[low_bits + 1], 0);
    low_bits := low_bits + 1;
    bucket := 64 * (low_bits + 1);
  end loop;
  while wanted > coalesce(p_counts[bucket + 1], 0) loop
    wanted := wanted - coalesce(p_counts[bucket + 1], 0);
    bucket := bucket + 1;
  end loop;
  -- The middle of the bucket; below 128 s the second itself.
  return round(case when bucket < 128 then bucket
    else (2 * (bucket - 64 * low_bits)::numeric + 1) * (1::bigint << low_bits) / 2 end / 60.0, 2);
end
$$;

-- Name: FUNCTION percentile_minutes(p_counts bigint[], p_group_counts bigint[], p_user_count bigint, p_share numeric); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.percentile_minutes(p_counts bigint[], p_group_counts bigint[], p_user_count bigint, p_share numeric) IS 'The middle of the first bucket of durations whose cumulated count reaches the share of the users, in minutes; see rollup.level_time.';

-- Name: periods_of_day(date); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.periods_of_day(p_day date) RETURNS TABLE(period text, period_start date, first_bit integer)
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  values ('day', p_day, 1), ('week', date_trunc('week', p_day::timestamp)::date, 2),
    ('month', date_trunc('month', p_day::timestamp)::date, 3)
$$;

-- Name: FUNCTION periods_of_day(p_day date); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.periods_of_day(p_day date) IS 'The day, week and month of a day, with the bit of PurchaseFirsts for the first purchase of the period.';

-- Name: player_currency_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.player_currency_change() RETURNS TABLE(app_id text, user_id text, currency text, paid_count bigint, amount_minor numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select r.app_id, r.user_id, r.currency, sum(r.sign)::bigint, sum(r.sign * r.amount_minor::numeric)
      from pg_temp.purchase_change r
      where r.is_paid
      group by r.app_id, r.user_id, r.currency;
end
$$;

-- Name: FUNCTION player_currency_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.player_currency_change() IS 'Paid purchases by player and currency.';

-- Name: player_period_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.player_period_change() RETURNS TABLE(app_id text, period text, period_start date, row_count bigint, observed_user_count bigint, level_up_user_count bigint, snapshot_user_count bigint, new_user_count bigint, payer_count bigint, new_payer_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    -- A week's users are the first days of its users. Bits of firsts, of days: 0 and 1 observed in the week and month, 2 and
    -- 3 level-up, 4 and 5 snapshot. Of purchases: 1, 2 and 3 the first of the day, week and month; 11, 12 and 13 of a new
    -- payer of the day, week and month.
    with day as (
      select d.app_id, d.day, d.firsts, sum(d.sign) as row_count,
          coalesce(sum(d.sign) filter (where d.is_observed), 0) as observed,
          coalesce(sum(d.sign) filter (where d.level_up_count > 0), 0) as leveled,
          coalesce(sum(d.sign) filter (where d.snapshot_count > 0), 0) as seen
        from pg_temp.player_day_change d
        group by d.app_id, d.day, d.firsts
    ), paid as (
      select r.app_id, r.day, r.firsts & 14350 as firsts, sum(r.sign) as user_count
        from pg_temp.purchase_change r
        where r.is_paid and r.firsts & 14 <> 0
        group by r.app_id, r.day, r.firsts & 14350
    ), new as (
      select p.app_id, p.first_observed_on as day, sum(p.sign) as user_count
        from pg_temp.player_change p
        where p.first_observed_on is not null
        group by p.app_id, p.first_observed_on
    ), part as (
      select d.app_id, c.period, c.period_start, d.row_count,
          case c.period when 'day' then d.observed when 'week' then d.row_count * (d.firsts & 1)
            else d.row_count * (d.firsts >> 1 & 1) end as observed,
          case c.period when 'day' then d.leveled when 'week' then d.row_count * (d.firsts >> 2 & 1)
            else d.row_count * (d.firsts >> 3 & 1) end as leveled,
          case c.period when 'day' then d.seen when 'week' then d.row_count * (d.firsts >> 4 & 1)
            else d.row_count * (d.firsts >> 5 & 1) end as seen,
          0::numeric as new, 0::numeric as paid, 0::numeric as newly_paid
        from day d cross join lateral rollup.periods_of_day(d.day) c
      union all
      select p.app_id, c.period, c.period_start, 0, 0, 0, 0, 0,
          p.user_count * (p.firsts >> c.first_bit & 1),
          p.user_count * (p.firsts >> c.first_bit & 1) * (p.firsts >> (c.first_bit + 10) & 1)
        from paid p cross join lateral rollup.periods_of_day(p.day) c
      union all
      select n.app_id, c.period, c.period_start, n.user_count, 0, 0, 0, n.user_count, 0, 0
        from new n cross join lateral rollup.periods_of_day(n.day) c
    )
    select p.app_id, p.period, p.period_start, sum(p.row_count)::bigint, sum(p.observed)::bigint, sum(p.leveled)::bigint,
        sum(p.seen)::bigint, sum(p.new)::bigint, sum(p.paid)::bigint, sum(p.newly_paid)::bigint
      from part p
      group by p.app_id, p.period, p.period_start;
end
$$;

-- Name: FUNCTION player_period_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.player_period_change() IS 'Users by day, week and month: observed, with level-ups and snapshots, new, paying and newly paying.';

-- Name: read_players_again(integer[]); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.read_players_again(p_player_numbers integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform rollup.require_working_tables();
  delete from pg_temp.touched_player t where t.player_no <> all (p_player_numbers);
  update pg_temp.touched_player t set is_late = true, reads_receipts = true, first_day = '-infinity', period_start = '-infinity';
  analyze pg_temp.touched_player;
end
$$;

-- Name: FUNCTION read_players_again(p_player_numbers integer[]); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.read_players_again(p_player_numbers integer[]) IS 'Makes rollup.open_player_rows read all rows of these players, and none of others: new rows of theirs change what stored ones mean. Part of a refresh.';

-- Name: refresh_calendar(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_calendar(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
  -- No record is older than 2000 UTC.
  first_day constant date := '1999-12-27';
  -- Days of events, of the ends of subscriptions, and of lines whose rows are gone.
  newest date := greatest((
      select (max(a.newest_event_at) at time zone zone)::date
        from ingest.file_app a join ingest.source_file f using (source_file_id)
        where f.undone_at is null), case when p_is_full then (
      select (greatest((select max(greatest(r.purchased_at, r.expires_at)) from game.receipt r),
          (select max(l.leveled_up_at) from game.level_up l), (select max(g.observed_at) from game.game_user_snapshot g),
          (select max(e.occurred_at) from game.event e), (select max(i.observed_at) from game.item_snapshot i),
          (select max(k.last_observed_at) from ingest.kept_observation k)) at time zone zone)::date)
    else greatest((select max(t.day) from staging.touched_day t), (
      select (max(t.event_at) at time zone zone)::date from staging.touched_row t where isfinite(t.event_at)), (
      select (max(r.expires_at) at time zone zone)::date
        from staging.touched_row t join game.receipt r on r.payment_seq = t.payment_seq
        where t.stream = 'receipt')) end);
  needed date := newest + 400;
  last_day date := date_trunc('year', needed)::date + interval '3 years';
begin
  -- The calendar reaches years ahead, and the zone hardly ever changes. So most refreshes find nothing to do.
  if needed is null
    or exists (select 1 from rollup.calendar_period where period = 'day' and period_start >= needed)
    and not exists (select 1 from rollup.calendar_period c
      where c.period = 'day' and ((c.starts_at at time zone zone)::date <> c.period_start
        or ((c.starts_at - interval '1 microsecond') at time zone zone)::date >= c.period_start))
  then
    return;
  end if;
  delete from rollup.calendar_period;
  insert into rollup.calendar_period (period, period_start, last_day, starts_at, ends_at)
    with any_day as (
      select first_day + n as day from generate_series(0, last_day - first_day + 32) n
    ), start as materialized (
      select d.day, min(i.instant) as starts_at
        from any_day d,
          lateral (
            select d.day::timestamp at time zone zone - before.span as instant
              from (values (interval '0'), (interval '30 minutes'), (interval '1 hour'), (interval '2 hours'))
                before (span)
          ) i
        where (i.instant at time zone zone)::date = d.day
        group by d.day
    ), edge as materialized (
      -- A day that the zone left out begins and ends where the next one begins.
      select d.day, s.day is not null as is_day, min(s.starts_at) over (order by d.day desc) as starts_at
        from any_day d left join start s on s.day = d.day
    ), named as (
      select 'day' as period, day as period_start, day as last_day from edge where is_day
      union all
      select 'week', day, day + 6 from edge where extract(isodow from day) = 1
      union all
      select 'month', day, (day + interval '1 month')::date - 1 from edge where extract(day from day) = 1
    )
    select n.period, n.period_start, n.last_day, s.starts_at, e.starts_at
      from named n
      join edge s on s.day = n.period_start
      join edge e on e.day = n.last_day + 1;
  analyze rollup.calendar_period;
end
$$;

-- Name: FUNCTION refresh_calendar(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_calendar(p_is_full boolean) IS 'Fills rollup.calendar_period for the reporting zone. Part of rollup.collect_touched.';

-- Name: refresh_concentration(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_concentration(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  with touched as materialized (
    select r.app_id, date_trunc('month', r.day::timestamp)::date as month
      from pg_temp.purchase_change r
      where r.is_paid
      group by r.app_id, date_trunc('month', r.day::timestamp)
  ), payer as (
    -- The range of days of each month is one range of the index.
    select t.app_id, t.month, p.currency, p.amount_minor
      from touched t
      cross join lateral (
        select r.currency, sum(r.amount_minor) as amount_minor
          from rollup.purchase r
          where r.app_id = t.app_id and r.day >= t.month and r.day < t.month + interval '1 month' and r.is_paid
          group by r.currency, r.user_id
          offset 0
      ) p
  ), ranked as materialized (
    -- Payers with the same amount are interchangeable.
    select p.app_id, p.month, p.currency, row_number() over by_amount as place,
        sum(p.amount_minor) over by_amount as amount_minor
      from payer p
      window by_amount as (partition by p.app_id, p.month, p.currency order by p.amount_minor desc
        rows between unbounded preceding and current row)
  ), total as (
    select r.app_id, r.month, r.currency, max(r.place) as payer_count, max(r.amount_minor) as amount_minor
      from ranked r
      group by r.app_id, r.month, r.currency
  ), concentration as materialized (
    select t.app_id, t.month, t.currency, s.top_share, r.place as payer_count, r.amount_minor,
        t.amount_minor as total_amount_minor
      from total t
      cross join (values (0.01), (0.05), (0.1), (0.25), (0.5), (1)) s (top_share)
      join ranked r on r.app_id = t.app_id and r.month = t.month and r.currency = t.currency
        and r.place = ceil(s.top_share * t.payer_count)::bigint
  ), gone as (
    delete from rollup.concentration_month r
      where (p_is_full or exists (select 1 from touched t where t.app_id = r.app_id and t.month = r.month))
        and not exists (
          select 1 from concentration c
            where c.app_id = r.app_id and c.month = r.month and c.currency = r.currency and c.top_share = r.top_share)
  )
  insert into rollup.concentration_month as r (month, app_id, currency, top_share, payer_count, amount_minor,
      total_amount_minor)
    select c.month, c.app_id, c.currency, c.top_share, c.payer_count, c.amount_minor, c.total_amount_minor
      from concentration c
    on conflict (month, app_id, currency, top_share) do update
      set payer_count = excluded.payer_count, amount_minor = excluded.amount_minor,
        total_amount_minor = excluded.total_amount_minor
      where (r.payer_count, r.amount_minor, r.total_amount_minor)
        <> (excluded.payer_count, excluded.amount_minor, excluded.total_amount_minor);
end
$$;

-- Name: FUNCTION refresh_concentration(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_concentration(p_is_full boolean) IS 'Computes the months with a changed paid purchase of rollup.concentration_month. Part of rollup.finish_refresh.';

-- Name: refresh_conflict_lines(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_conflict_lines() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  files constant bigint[] := array(
    select source_file_id from staging.touched_file
    union
    select source_file_id from staging.touched_row
    union
    select unnest(rollup.files_with_conflicts('staging.touched_row')));
begin
  delete from rollup.conflict_line l where l.source_file_id = any (files);
  -- An undo and an erasure delete conflicts, also some without a touched row.
  delete from rollup.conflict_line l
    where not exists (select 1 from ingest.conflict c
      where c.source_file_id = l.source_file_id and c.line_number = l.line_number and c.stream = l.stream);
  insert into rollup.conflict_line (source_file_id, line_number, stream, app_id)
    select l.source_file_id, l.line_number, l.stream, l.app_id from rollup.conflict_lines(files) l;
end
$$;

-- Name: FUNCTION refresh_conflict_lines(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_conflict_lines() IS 'Looks up the applications of the conflicts in touched files and with touched rows, in rollup.conflict_line. Part of rollup.refresh_operations.';

-- Name: refresh_event_days(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_event_days(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
  part record;
  nested_loops constant text := current_setting('enable_nestloop');
begin
  perform rollup.empty_working_tables('staging.touched_event_day', 'staging.touched_push');
  if p_is_full then
    delete from rollup.event_day;
    delete from rollup.push_day;
    delete from rollup.push_user;
    delete from rollup.push;
    delete from rollup.idp_revocation_day;
    delete from rollup.kickout_day;
    insert into staging.touched_event_day (app_id, day)
      select distinct e.app_id, (e.occurred_at at time zone zone)::date from game.event e;
  else
    insert into staging.touched_event_day (app_id, day)
      select distinct t.app_id, (t.event_at at time zone zone)::date
        from staging.touched_row t
        where t.stream = 'event';
    insert into staging.touched_push (app_id, push_id)
      select distinct r.app_id, r.push_id
        from rollup.push_day r join staging.touched_event_day t on r.app_id = t.app_id and r.day = t.day
        where r.push_id is not null;
    update rollup.push p
      set received_user_count = p.received_user_count - u.received_user_count,
        clicked_user_count = p.clicked_user_count - u.clicked_user_count
      from rollup.touched_push_users() u
      where u.app_id = p.app_id and u.push_id = p.push_id;
    delete from rollup.push_user r using staging.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  end if;

  delete from rollup.event_day r using staging.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  delete from rollup.push_day r using staging.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  delete from rollup.idp_revocation_day r
    using staging.touched_event_day t
    where r.app_id = t.app_id and r.day = t.day;
  analyze staging.touched_event_day;
  -- With a nested loop the time would grow as the days times their events.
  perform set_config('enable_nestloop', 'off', true);
  for part in
    select min(d.day) as first_day, max(d.day) as last_day,
        (min(d.day) - 1)::timestamp at time zone 'UTC' as starts_after,
        (max(d.day) + 2)::timestamp at time zone 'UTC' as ends_before
      from (
        select day, day - row_number() over (order by day)::integer as island
          from (select distinct day from staging.touched_event_day) t
      ) d
      group by d.island
  loop
    insert into rollup.event_day (day, app_id, category, event_group, code, event_count, user_count)
      select t.day, t.app_id, e.category, e.event_group, e.code, count(*), count(distinct e.user_id)
        from game.event e
        join staging.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
        group by t.day, t.app_id, e.category, e.event_group, e.code;
    insert into rollup.push_day (day, app_id, push_id, received_count, received_user_count, clicked_count,
        clicked_user_count, action_count, open_app_count, open_url_count, reply_count, dismiss_count, first_event_at,
        first_received_at)
      select t.day, t.app_id, e.push_id,
          count(*) filter (where e.category = 'pushReceivedMessage'),
          count(distinct e.user_id) filter (where e.category = 'pushReceivedMessage'),
          count(*) filter (where e.category = 'pushClickMessage'),
          count(distinct e.user_id) filter (where e.category = 'pushClickMessage'),
          count(*) filter (where e.category = 'pushClickAction'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'OPEN_APP'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'OPEN_URL'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'REPLY'),
          count(*) filter (where e.category = 'pushClickAction' and e.push_action_type = 'DISMISS'),
          min(e.occurred_at),
          min(e.occurred_at) filter (where e.category = 'pushReceivedMessage')
        from game.event e
        join staging.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
          and e.category in ('pushReceivedMessage', 'pushClickMessage', 'pushClickAction')
        group by t.day, t.app_id, e.push_id;
    insert into rollup.push_user (app_id, push_id, user_id, day, has_clicked)
      select t.app_id, e.push_id, e.user_id, t.day, bool_or(e.category = 'pushClickMessage')
        from game.event e
        join staging.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
          and e.category in ('pushReceivedMessage', 'pushClickMessage')
          and e.push_id is not null and e.user_id is not null
        group by t.app_id, e.push_id, e.user_id, t.day;
    insert into rollup.idp_revocation_day (day, app_id, idp_type, code, event_count, user_count)
      select t.day, t.app_id, e.idp_type, e.code, count(*), count(distinct e.user_id)
        from game.event e
        join staging.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day and e.category = 'idPRevoked'
        group by t.day, t.app_id, e.idp_type, e.code;
  end loop;
  perform set_config('enable_nestloop', nested_loops, true);
  perform rollup.refresh_pushes(p_is_full);

  -- A received message counts against the closed popups of the 24 hours after it, which reach at most two days on.
  insert into staging.touched_event_day (app_id, day)
    select distinct t.app_id, t.day + n from staging.touched_event_day t, generate_series(1, 2) n
    on conflict do nothing;
  delete from rollup.kickout_day r using staging.touched_event_day t where r.app_id = t.app_id and r.day = t.day;
  perform set_config('enable_nestloop', 'off', true);
  for part in
    select min(d.day) as first_day, max(d.day) as last_day,
        (min(d.day) - 1)::timestamp at time zone 'UTC' as starts_after,
        (max(d.day) + 2)::timestamp at time zone 'UTC' as ends_before
      from (
        select day, day - row_number() over (order by day)::integer as island
          from (select distinct day from staging.touched_event_day) t
      ) d
      group by d.island
  loop
    insert into rollup.kickout_day (day, app_id, kind, kickout_count, user_count)
      select t.day, t.app_id, case e.category when 'serverPushTransferKickout' then 'transfer' else 'app' end as kind,
          count(*), count(distinct e.user_id)
        from game.event e
        join staging.touched_event_day t on t.app_id = e.app_id and t.day = (e.occurred_at at time zone zone)::date
        where e.occurred_at >= part.starts_after and e.occurred_at < part.ends_before
          and t.day between part.first_day and part.last_day
          and (e.category in ('serverPushAppKickoutMessageReceived', 'serverPushTransferKickout')
            or e.category = 'serverPushAppKickout' and not exists (
              select 1 from game.event m
                where m.category = 'serverPushAppKickoutMessageReceived' and m.app_id = e.app_id
                  and m.user_id = e.user_id and m.occurred_at <= e.occurred_at
                  and m.occurred_at >= e.occurred_at - interval '24 hours'
                  and m.occurred_at >= part.starts_after - interval '24 hours' and m.occurred_at < part.ends_before))
        group by t.day, t.app_id, kind;
  end loop;
  perform set_config('enable_nestloop', nested_loops, true);
end
$$;

-- Name: FUNCTION refresh_event_days(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_event_days(p_is_full boolean) IS 'Counts the events of the touched days again. Part of rollup.finish_refresh.';

-- Name: refresh_file_days(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_file_days(p_has_new_files boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
  known record;
  part record;
begin
  for known in select stream, source_file_id as newest from rollup.refresh_state order by stream loop
    for part in
      select null::bigint[] as files, date '-infinity' as first_day, date 'infinity' as last_day,
          '-infinity'::timestamptz as starts_after, 'infinity'::timestamptz as ends_before
        where p_has_new_files
      union all
      select array_agg(distinct t.source_file_id), min(t.day), max(t.day),
          (min(t.day) - 1)::timestamp at time zone 'UTC', (max(t.day) + 2)::timestamp at time zone 'UTC'
        from (
          -- Days without a gap between them have the same difference.
          select source_file_id, day, day - dense_rank() over (order by day)::integer as island
            from (
              select distinct source_file_id, (event_at at time zone zone)::date as day
                from staging.touched_row
                where stream = known.stream and source_file_id <= known.newest
            ) d
        ) t
        group by t.island
    loop
      delete from rollup.file_day
        where stream = known.stream and day between part.first_day and part.last_day
          and source_file_id = any (part.files);
      insert into rollup.file_day (source_file_id, stream, app_id, day, line_count, load_start_count,
          unknown_sandbox_count, unpriced_count, free_count, imprecise_count, repaired_count,
          unknown_product_type_count, untyped_expiry_count, first_event_at, newest_event_at)
        select s.source_file_id, known.stream, s.app_id, (s.event_at at time zone zone)::date,
            count(*),
            count(*) filter (where not s.is_dated),
            count(*) filter (where s.is_sandbox_unknown),
            count(*) filter (where s.is_unpriced),
            count(*) filter (where s.is_free),
            count(*) filter (where s.is_imprecise),
            count(*) filter (where s.is_repaired),
            count(*) filter (where s.is_product_type_unknown),
            count(*) filter (where s.is_expiry_untyped),
            min(s.event_at) filter (where s.is_dated),
            max(s.event_at) filter (where s.is_dated)
          from staging.standing_row s
          where s.stream = known.stream
            and case when part.files is null then s.source_file_id > known.newest
              else s.source_file_id = any (part.files) end
            and s.event_at >= part.starts_after and s.event_at < part.ends_before
            and (part.files is null
              or (s.event_at at time zone zone)::date between part.first_day and part.last_day)
          group by s.source_file_id, s.app_id, (s.event_at at time zone zone)::date;
    end loop;
  end loop;
end
$$;

-- Name: FUNCTION refresh_file_days(p_has_new_files boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_file_days(p_has_new_files boolean) IS 'Counts the standing rows of new files and of touched days of older files again, in rollup.file_day. Part of rollup.refresh_operations.';

-- Name: refresh_files(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_files() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  delete from rollup.file f
    where f.source_file_id in (
      select source_file_id from staging.touched_file union select source_file_id from staging.touched_row);

  insert into rollup.file (source_file_id, stream, app_id, line_count, load_start_count,
      unknown_sandbox_count, unpriced_count, free_count, imprecise_count, repaired_count,
      unknown_product_type_count, untyped_expiry_count, first_event_at, newest_event_at)
    select d.source_file_id, d.stream, d.app_id, sum(d.line_count), sum(d.load_start_count),
        sum(d.unknown_sandbox_count), sum(d.unpriced_count), sum(d.free_count), sum(d.imprecise_count),
        sum(d.repaired_count), sum(d.unknown_product_type_count), sum(d.untyped_expiry_count),
        min(d.first_event_at), max(d.newest_event_at)
      from rollup.file_day d
      where not exists (select 1 from rollup.file f
        where f.source_file_id = d.source_file_id and f.stream = d.stream and f.app_id = d.app_id)
      group by d.source_file_id, d.stream, d.app_id;
end
$$;

-- Name: FUNCTION refresh_files(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_files() IS 'Adds up rollup.file_day for the touched files in rollup.file. Part of rollup.refresh_operations.';

-- Name: refresh_horizons(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_horizons() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
begin
  delete from rollup.horizon;
  insert into rollup.horizon (app_id, stream, first_event_at, newest_event_at, first_on, newest_on)
    select a.app_id, f.stream, min(a.first_event_at), max(a.newest_event_at),
        (min(a.first_event_at) at time zone zone)::date, (max(a.newest_event_at) at time zone zone)::date
      from ingest.file_app a
      join ingest.source_file f on f.source_file_id = a.source_file_id
      where f.undone_at is null
      group by a.app_id, f.stream;
  -- Receipts that came in events can be newer than the receipt files.
  update rollup.horizon h
    set newest_day_line_count = (
      select count(*)
        from game.receipt r
        where r.app_id = h.app_id and r.purchased_at >= d.starts_at and r.purchased_at <= h.newest_event_at)
    from rollup.calendar_period d, rollup.stream_day s
    where h.stream = 'receipt' and d.period = 'day' and d.period_start = h.newest_on
      and s.stream = h.stream and s.app_id = h.app_id and s.day = h.newest_on
      and s.newest_event_at > h.newest_event_at;

  delete from rollup.app_horizon;
  insert into rollup.app_horizon (app_id, receipt_feed, receipt_first_at, receipt_newest_at, money_first_at,
      money_newest_at, first_at, horizon_at, observed_first_at, observed_newest_at)
    with receipt as (
      select s.app_id, min(s.first_event_at) as first_at, max(s.newest_event_at) as newest_at
        from rollup.stream_day s
        where s.stream = 'receipt'
        group by s.app_id
    ), observed as (
      select p.app_id, min(c.starts_at) as first_at, max(c.starts_at) as newest_at
        from rollup.player_period p
        join rollup.calendar_period c on c.period = 'day' and c.period_start = p.period_start
        where p.period = 'day' and p.observed_user_count > 0
        group by p.app_id
    ), app as (
      select k.app_id, coalesce(nullif((
            select s.value
              from ingest.setting s
              where s.name in ('receipt-feed', 'receipt-feed.' || k.app_id)
              order by length(s.name) desc
              limit 1), 'auto'),
          case when exists (select from rollup.horizon h where h.app_id = k.app_id and h.stream = 'receipt')
            then 'files' else 'events' end) as receipt_feed
        from (
          select app_id from rollup.horizon union select app_id from receipt union select app_id from observed
        ) k
    ), followed as (
      select a.app_id, a.receipt_feed, h.stream not in ('level_up', 'game_user') as is_receipt, h.first_event_at,
          h.newest_event_at, max(h.newest_event_at) over (partition by a.app_id) as newest_at
        from app a
        join rollup.horizon h on h.app_id = a.app_id
          and h.stream in ('level_up', 'game_user', case a.receipt_feed when 'files' then 'receipt' else 'event' end)
        where h.newest_event_at is not null
    )
    select a.app_id, a.receipt_feed,
        min(f.first_event_at) filter (where f.is_receipt),
        max(f.newest_event_at) filter (where f.is_receipt),
        least(min(f.first_event_at) filter (where f.is_receipt), min(r.first_at)),
        greatest(max(f.newest_event_at) filter (where f.is_receipt), max(r.newest_at)),
        min(f.first_event_at),
        -- In hours, because a session's time zone can have a day of 23 hours.
        min(f.newest_event_at) filter (where f.newest_event_at >= f.newest_at - interval '192 hours'),
        least(min(f.first_event_at), min(o.first_at)),
        greatest(max(f.newest_at), max(o.newest_at))
      from app a
      left join followed f on f.app_id = a.app_id
      left join receipt r on r.app_id = a.app_id
      left join observed o on o.app_id = a.app_id
      group by a.app_id, a.receipt_feed;
end
$$;

-- Name: FUNCTION refresh_horizons(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_horizons() IS 'Takes the horizons of the applications from the ledger, and the feed that money views follow from the settings. Part of a refresh.';

-- Name: refresh_items(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_items(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
declare
  newest constant bigint := (select source_file_id from rollup.refresh_state where stream = 'item');
  replayed constant bigint[] := array(
    select t.source_file_id
      from staging.touched_file t join ingest.source_file f using (source_file_id)
      where f.stream = 'item' and t.source_file_id <= newest);
  -- For all applications together, so that only the months from there on are read.
  earliest timestamptz;
begin
  perform rollup.empty_working_tables('staging.touched_item_app');
  if p_is_full then
    delete from rollup.item_change;
    delete from rollup.current_item;
    insert into staging.touched_item_app (app_id, since, has_change, has_undated_change)
      select distinct app_id, '-infinity'::timestamptz, false, false from game.item_snapshot;
  else
    insert into staging.touched_item_app (app_id, since, has_change, has_undated_change)
      select t.app_id, coalesce(min(t.event_at) filter (where t.is_dated), 'infinity'),
          bool_or(t.source_file_id <= newest), bool_or(t.source_file_id <= newest and not t.is_dated)
        from staging.touched_row t
        where t.stream = 'item'
        group by t.app_id;
  end if;
  select min(since) into earliest from staging.touched_item_app;
  if earliest is null then
    return;
  end if;

  delete from rollup.item_change c
    using staging.touched_item_app a
    where c.app_id = a.app_id and c.valid_from >= a.since;
  insert into rollup.item_change (app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency,
      valid_from, amount_minor, product_type, item_name, localized_title, is_active)
    with known as (
      select distinct on (c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq) c.*
        from rollup.item_change c join staging.touched_item_app a on a.app_id = c.app_id
        order by c.app_id, c.gamebase_product_id, c.currency, c.market_item_id, c.store_code, c.item_seq,
          c.valid_from desc
    ), seen as (
      select g.app_id, g.store_code, g.gamebase_product_id, g.market_item_id, g.item_seq, g.currency, g.observed_at,
          g.amount_minor, g.product_type, g.item_name, g.localized_title, g.is_active, false as is_known
        from game.item_snapshot g join staging.touched_item_app a on a.app_id = g.app_id and g.observed_at >= a.since
        where g.observed_at >= earliest and g.observed_at_source <> 'load_start'
      union all
      select k.app_id, k.store_code, k.gamebase_product_id, k.market_item_id, k.item_seq, k.currency, k.valid_from,
          k.amount_minor, k.product_type, k.item_name, k.localized_title, k.is_active, true
        from known k
    ), compared as (
      select s.*, row_number() over snapshots = 1 as is_first,
          (s.amount_minor, s.product_type, s.item_name, s.localized_title, s.is_active) is distinct from
            (lag(s.amount_minor) over snapshots, lag(s.product_type) over snapshots, lag(s.item_name) over snapshots,
              lag(s.localized_title) over snapshots, lag(s.is_active) over snapshots) as is_other
        from seen s
        window snapshots as (
          partition by s.app_id, s.gamebase_product_id, s.currency, s.market_item_id, s.store_code, s.item_seq
          order by s.observed_at)
    )
    select c.app_id, c.store_code, c.gamebase_product_id, c.market_item_id, c.item_seq, c.currency, c.observed_at,
        c.amount_minor, c.product_type, c.item_name, c.localized_title, c.is_active
      from compared c
      where not c.is_known and (c.is_first or c.is_other);

  delete from rollup.current_item c
    using staging.touched_item_app a
    where c.app_id = a.app_id
      and case when c.observed_at_source = 'load_start' then a.has_undated_change
        else a.has_change and c.observed_at >= a.since end;
  insert into rollup.current_item as c (app_id, store_code, gamebase_product_id, market_item_id, item_seq,
      currency, amount_minor, product_type, item_name, localized_price, localized_title, localized_description,
      is_active, observed_at, observed_at_source, source_file_id, line_number)
    select distinct on (g.app_id, g.gamebase_product_id, g.currency, g.market_item_id, g.store_code, g.item_seq)
        g.app_id, g.store_code, g.gamebase_product_id, g.market_item_id, g.item_seq, g.currency, g.amount_minor,
        g.product_type, g.item_name, g.localized_price, g.localized_title, g.localized_description, g.is_active,
        g.observed_at, g.observed_at_source, g.source_file_id, g.line_number
      from (
        select g.* from game.item_snapshot g where g.source_file_id > newest
        union all
        select g.* from game.item_snapshot g where g.source_file_id = any (replayed)
        union all
        select g.*
          from staging.touched_item_app a join game.item_snapshot g on g.app_id = a.app_id
          where a.has_change and not exists (
            -- No identifier is the empty text, so the comparison can use a hash.
            select 1 from rollup.current_item o
              where o.app_id = g.app_id
                and coalesce(o.gamebase_product_id, '') = coalesce(g.gamebase_product_id, '')
                and coalesce(o.market_item_id, '') = coalesce(g.market_item_id, '')
                and coalesce(o.store_code, '') = coalesce(g.store_code, '')
                and coalesce(o.currency, '') = coalesce(g.currency, '')
                and o.item_seq is not distinct from g.item_seq)
      ) g
      -- Of load_start rows, the newest load counts.
      order by g.app_id, g.gamebase_product_id, g.currency, g.market_item_id, g.store_code, g.item_seq,
        g.observed_at_source = 'load_start',
        case when g.observed_at_source = 'load_start' then g.source_file_id end desc, g.observed_at desc
    on conflict (app_id, gamebase_product_id, currency, market_item_id, store_code, item_seq) do update
      set amount_minor = excluded.amount_minor, product_type = excluded.product_type, item_name = excluded.item_name,
        localized_price = excluded.localized_price, localized_title = excluded.localized_title,
        localized_description = excluded.localized_description, is_active = excluded.is_active,
        observed_at = excluded.observed_at, observed_at_source = excluded.observed_at_source,
        source_file_id = excluded.source_file_id, line_number = excluded.line_number
      where (excluded.observed_at_source <> 'load_start',
          case when excluded.observed_at_source = 'load_start' then excluded.source_file_id else 0 end,
          excluded.observed_at)
        > (c.observed_at_source <> 'load_start',
          case when c.observed_at_source = 'load_start' then c.source_file_id else 0 end, c.observed_at);
  if p_is_full then
    analyze rollup.item_change;
  end if;
end
$$;

-- Name: FUNCTION refresh_items(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_items(p_is_full boolean) IS 'Brings rollup.item_change and rollup.current_item up to date. Part of rollup.finish_refresh.';

-- Name: refresh_operations(boolean, boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_operations(p_is_full boolean, p_has_new_files boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if p_is_full then
    -- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
    delete from rollup.file_day;
    delete from rollup.file;
    delete from rollup.stream_day;
    delete from rollup.conflict_line;
  end if;
  perform rollup.refresh_file_days(p_has_new_files);
  if p_is_full then
    insert into staging.touched_day (app_id, day)
      select distinct d.app_id, d.day from rollup.file_day d where d.first_event_at is not null;
  end if;
  perform rollup.refresh_files();
  perform rollup.refresh_stream_days();
  perform rollup.refresh_conflict_lines();
end
$$;

-- Name: FUNCTION refresh_operations(p_is_full boolean, p_has_new_files boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_operations(p_is_full boolean, p_has_new_files boolean) IS 'Brings the rollups of files, conflicts, and streams by day up to date. Part of rollup.finish_refresh.';

-- Name: refresh_price_checks(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_price_checks(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET random_page_cost TO '1'
    AS $$
declare
  zone constant text := rollup.reporting_zone();
  nested_loops constant text := current_setting('enable_nestloop');
begin
  -- The narrow row of a receipt tells its product, but not its id in the store.
  create temporary table compared_receipt on commit drop as
    select p.payment_seq, p.app_id, p.gamebase_product_id, r.market_item_id, p.store_code, p.currency, p.amount_minor,
        p.is_sandbox, p.purchased_at
      from (
        select p.* from rollup.purchase p where p_is_full and exists (select 1 from rollup.item_change)
        union all
        select distinct on (p.payment_seq) p.*
          from (
            select p.*
              from (
                select distinct t.app_id, t.user_id, t.payment_seq from staging.touched_row t where t.stream = 'receipt'
              ) t
              join rollup.purchase p on p.app_id = t.app_id and p.user_id = t.user_id and p.payment_seq = t.payment_seq
            union all
            select p.*
              from staging.touched_item_app a
              join rollup.purchase p on p.app_id = a.app_id and p.day >= (a.since at time zone zone)::date
                and p.purchased_at >= a.since
          ) p
          where not p_is_full
      ) p
      left join game.receipt r on p.gamebase_product_id is null and r.payment_seq = p.payment_seq;
  if p_is_full then
    delete from rollup.price_check;
  end if;
  analyze compared_receipt;
  delete from rollup.price_check k
    where k.payment_seq in (
      select n.payment_seq from compared_receipt n
      union all
      select t.payment_seq from staging.touched_row t where t.stream = 'receipt');

  -- With a nested loop the time would grow with the square of the prices of a product.
  perform set_config('enable_nestloop', 'off', true);
  insert into rollup.price_check (payment_seq, app_id, store_code, gamebase_product_id, market_item_id, currency,
      purchased_at, amount_minor, item_amount_minor, observed_at)
    -- Most receipts have the only price that their product ever had, in any store.
    with price as (
      select c.app_id, k.kind, k.id, c.currency, min(c.amount_minor) as lowest, max(c.amount_minor) as highest
        from rollup.item_change c
        cross join lateral (values ('product', c.gamebase_product_id), ('market', c.market_item_id)) k (kind, id)
        where k.id is not null and c.amount_minor is not null
        group by c.app_id, k.kind, k.id, c.currency
    ), suspected as materialized (
      select r.payment_seq, r.app_id, k.kind, k.id, r.currency, r.store_code, r.purchased_at, r.amount_minor
        from compared_receipt r
        cross join lateral (
          select case when r.gamebase_product_id is null then 'market' else 'product' end as kind,
              coalesce(r.gamebase_product_id, r.market_item_id) as id
        ) k
        join price p on p.app_id = r.app_id and p.kind = k.kind and p.id = k.id and p.currency = r.currency
        where r.is_sandbox is not true and (r.amount_minor <> p.lowest or r.amount_minor <> p.highest)
    ), snapshot as materialized (
      select g.app_id, k.kind, k.id, g.currency, g.store_code, g.observed_at, g.amount_minor,
          -- Of two snapshots that a receipt can be compared with, the one with the larger rank counts.
          row_number() over (order by g.observed_at, g.store_code desc nulls first,
            g.gamebase_product_id desc nulls first, g.market_item_id desc nulls first, g.item_seq desc nulls first)
            as rank
        from game.item_snapshot g
        cross join lateral (values ('product', g.gamebase_product_id), ('market', g.market_item_id)) k (kind, id)
        where g.observed_at <= (select max(r.purchased_at) from suspected r)
          and g.observed_at_source <> 'load_start' and g.amount_minor is not null
          and (g.app_id, k.kind, k.id, g.currency) in (select r.app_id, r.kind, r.id, r.currency from suspected r)
    ), chosen as (
      -- One pass in the order of time over receipts and snapshots, so that the time grows as n log n. A snapshot of the
      -- receipt's store goes before those of others.
      select b.payment_seq, b.amount_minor,
          coalesce(
            max(b.rank) over (partition by b.app_id, b.kind, b.id, b.currency, b.store_code order by b.at),
            max(b.rank) over (partition by b.app_id, b.kind, b.id, b.currency order by b.at)) as rank
        from (
          select null::text as payment_seq, s.app_id, s.kind, s.id, s.currency, s.store_code, s.observed_at as at,
              null::bigint as amount_minor, s.rank
            from snapshot s
          union all
          select r.payment_seq, r.app_id, r.kind, r.id, r.currency, r.store_code, r.purchased_at, r.amount_minor, null
            from suspected r
        ) b
    )
    select r.payment_seq, r.app_id, r.store_code, r.gamebase_product_id, r.market_item_id, r.currency, r.purchased_at,
        r.amount_minor, s.amount_minor, s.observed_at
      from chosen c
      join snapshot s on s.rank = c.rank
      join compared_receipt r on r.payment_seq = c.payment_seq
      where s.amount_minor <> c.amount_minor;
  perform set_config('enable_nestloop', nested_loops, true);
  update rollup.price_check k set market_item_id = g.market_item_id
    from compared_receipt r
    cross join lateral (select market_item_id from game.receipt where payment_seq = r.payment_seq offset 0) g
    where r.payment_seq = k.payment_seq and k.gamebase_product_id is not null and g.market_item_id is not null;
  drop table compared_receipt;
end
$$;

-- Name: FUNCTION refresh_price_checks(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_price_checks(p_is_full boolean) IS 'Compares the touched receipts with the prices of their items, in rollup.price_check. Part of rollup.finish_refresh.';

-- Name: refresh_pushes(boolean); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_pushes(p_is_full boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
begin
  if p_is_full then
    insert into rollup.push
        (app_id, push_id, first_event_at, first_received_at, received_user_count, clicked_user_count)
      select d.app_id, d.push_id, d.first_event_at, d.first_received_at, coalesce(u.received_user_count, 0),
          coalesce(u.clicked_user_count, 0)
        from (
          select r.app_id, r.push_id, min(r.first_event_at) as first_event_at,
              min(r.first_received_at) as first_received_at
            from rollup.push_day r
            where r.push_id is not null
            group by r.app_id, r.push_id
        ) d
        left join (
          select r.app_id, r.push_id, count(*) as received_user_count,
              count(*) filter (where r.has_clicked) as clicked_user_count
            from (
              select r.app_id, r.push_id, r.user_id, bool_or(r.has_clicked) as has_clicked
                from rollup.push_user r
                group by r.app_id, r.push_id, r.user_id
            ) r
            group by r.app_id, r.push_id
        ) u on u.app_id = d.app_id and u.push_id = d.push_id;
    return;
  end if;

  insert into staging.touched_push (app_id, push_id)
    select distinct r.app_id, r.push_id
      from rollup.push_day r join staging.touched_event_day t on r.app_id = t.app_id and r.day = t.day
      where r.push_id is not null
    on conflict do nothing;
  delete from rollup.push p
    using staging.touched_push t
    where p.app_id = t.app_id and p.push_id = t.push_id
      and not exists (select from rollup.push_day r where r.app_id = t.app_id and r.push_id = t.push_id);
  insert into rollup.push as p
      (app_id, push_id, first_event_at, first_received_at, received_user_count, clicked_user_count)
    select t.app_id, t.push_id, d.first_event_at, d.first_received_at, coalesce(u.received_user_count, 0),
        coalesce(u.clicked_user_count, 0)
      from staging.touched_push t
      cross join lateral (
        select min(r.first_event_at) as first_event_at, min(r.first_received_at) as first_received_at
          from rollup.push_day r
          where r.app_id = t.app_id and r.push_id = t.push_id
      ) d
      left join rollup.touched_push_users() u on u.app_id = t.app_id and u.push_id = t.push_id
      where d.first_event_at is not null
    on conflict (app_id, push_id) do update
      set first_event_at = excluded.first_event_at, first_received_at = excluded.first_received_at,
        received_user_count = p.received_user_count + excluded.received_user_count,
        clicked_user_count = p.clicked_user_count + excluded.clicked_user_count;
end
$$;

-- Name: FUNCTION refresh_pushes(p_is_full boolean); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_pushes(p_is_full boolean) IS 'Adds the users of the touched days to the counts of their pushes, and takes the first times of these pushes from their days. Part of rollup.refresh_event_days.';

-- Name: refresh_running_month(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_running_month() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
begin
  delete from rollup.running_month r
    where not exists (
      select from rollup.app_horizon h where h.app_id = r.app_id and h.money_newest_at = r.newest_at);
  delete from rollup.churn_running c where not exists (select from rollup.running_month r where r.app_id = c.app_id);
  delete from rollup.mrr_running m where not exists (select from rollup.running_month r where r.app_id = m.app_id);

  with running as materialized (
    select h.app_id, c.starts_at, h.money_newest_at as newest_at
      from rollup.app_horizon h
      join rollup.calendar_period c
        on c.period = 'month' and c.starts_at <= h.money_newest_at and c.ends_at > h.money_newest_at
      where not exists (select from rollup.running_month r where r.app_id = h.app_id)
  ), period as materialized (
    select r.starts_at as month_at, r.newest_at, p.app_id, p.user_id, p.chain_id, p.gamebase_product_id, p.currency,
        p.is_paid, p.starts_at, p.ends_at, p.amount_minor, p.length_in_days,
        case when lead(p.period_kind) over chain = 'renewal' then lead(p.starts_at) over chain else p.ends_at end
          as active_until
      from running r
      cross join lateral (
        select *
          from rollup.subscription_period q
          -- Hours, because a day of an interval follows the clock of the session's zone.
          where q.app_id = r.app_id and q.ends_at >= r.starts_at - interval '384 hours' and q.period_kind is not null
          offset 0
      ) p
      window chain as (partition by p.app_id, p.user_id, p.chain_id order by p.starts_at)
  ), churn as (
    insert into rollup.churn_running (app_id, gamebase_product_id, churned_count)
      select c.app_id, c.gamebase_product_id, count(*)
        from (
          select p.app_id, bool_or(p.starts_at < p.month_at and p.active_until >= p.month_at) as was_active,
              max(p.gamebase_product_id) filter (where p.starts_at < p.month_at and p.active_until >= p.month_at)
                as gamebase_product_id,
              bool_or(p.starts_at <= p.newest_at and p.active_until > p.newest_at) as is_active
            from period p
            where p.is_paid
            group by p.app_id, p.user_id, p.chain_id
        ) c
        where c.was_active and not c.is_active
        group by c.app_id, c.gamebase_product_id
  ), chain as materialized (
    select p.app_id, p.user_id, p.chain_id, p.currency, p.month_at,
        coalesce(sum(p.amount_minor::numeric * f.twelfths) filter (
          where p.starts_at < p.month_at and p.ends_at >= p.month_at), 0) as twelfths_before,
        coalesce(sum(p.amount_minor::numeric * f.twelfths) filter (
          where p.starts_at <= p.newest_at and p.ends_at > p.newest_at), 0) as twelfths,
        count(*) filter (where f.twelfths is null and p.starts_at <= p.newest_at and p.ends_at > p.newest_at)
          as unknown_length_count
      from period p
      left join rollup.mrr_factor f on f.length_in_days = p.length_in_days
      where p.is_paid
      group by p.app_id, p.user_id, p.chain_id, p.currency, p.month_at
  ), known as materialized (
    select p.app_id, p.user_id, p.chain_id, p.currency
      from (
        select distinct c.app_id, c.user_id, c.month_at from chain c where c.twelfths_before = 0 and c.twelfths > 0
      ) u
      cross join lateral (
        select *
          from rollup.subscription_period q
          where q.app_id = u.app_id and q.user_id = u.user_id and q.starts_at < u.month_at and q.is_paid
            and q.period_kind is not null
          offset 0
      ) p
      join rollup.mrr_factor f on f.length_in_days = p.length_in_days
      group by p.app_id, p.user_id, p.chain_id, p.currency
  ), mrr as (
    insert into rollup.mrr_running (app_id, currency, new_twelfths, reactivated_twelfths, expansion_twelfths,
        contraction_twelfths, churned_twelfths, unknown_length_count)
      select c.app_id, c.currency,
          coalesce(sum(c.twelfths) filter (where c.twelfths_before = 0 and k.app_id is null), 0),
          coalesce(sum(c.twelfths) filter (where c.twelfths_before = 0 and k.app_id is not null), 0),
          coalesce(sum(c.twelfths - c.twelfths_before) filter (
            where c.twelfths_before > 0 and c.twelfths > c.twelfths_before), 0),
          coalesce(sum(c.twelfths_before - c.twelfths) filter (
            where c.twelfths > 0 and c.twelfths < c.twelfths_before), 0),
          coalesce(sum(c.twelfths_before) filter (where c.twelfths = 0), 0),
          sum(c.unknown_length_count)
        from chain c
        left join known k
          on k.app_id = c.app_id and k.user_id = c.user_id and k.chain_id = c.chain_id and k.currency = c.currency
        group by c.app_id, c.currency
  )
  insert into rollup.running_month (app_id, newest_at) select r.app_id, r.newest_at from running r;
end
$$;

-- Name: FUNCTION refresh_running_month(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_running_month() IS 'Computes the running month of applications whose newest instant or periods changed: rollup.churn_running and rollup.mrr_running. Part of a refresh.';

-- Name: refresh_stream_days(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.refresh_stream_days() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  delete from rollup.stream_day r
    using staging.touched_day t
    where r.app_id = t.app_id and r.day = t.day;

  insert into rollup.stream_day (stream, app_id, day, line_count, first_event_at, newest_event_at)
    select d.stream, d.app_id, d.day, sum(d.line_count - d.load_start_count), min(d.first_event_at),
        max(d.newest_event_at)
      from staging.touched_day t
      join rollup.file_day d on d.day = t.day and d.app_id = t.app_id
      where d.first_event_at is not null
      group by d.stream, d.app_id, d.day;
end
$$;

-- Name: FUNCTION refresh_stream_days(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.refresh_stream_days() IS 'Adds up rollup.file_day for the touched days in rollup.stream_day. Part of rollup.refresh_operations.';

-- Name: reporting_zone(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.reporting_zone() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC')
$$;

-- Name: FUNCTION reporting_zone(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.reporting_zone() IS 'The time zone of days, weeks and months in the reports: the setting time-zone, else UTC. No session setting changes it.';

-- Name: require_working_tables(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.require_working_tables() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (
    select 1 from pg_catalog.pg_class c
      where c.oid = to_regclass('pg_temp.touched_player') and c.relowner = current_user::regrole)
  then
    raise exception 'no refresh has begun in this transaction'
      using errcode = 'object_not_in_prerequisite_state', hint = 'Run gamebase-ingest refresh.';
  end if;
end
$$;

-- Name: FUNCTION require_working_tables(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.require_working_tables() IS 'Raises an error unless rollup.begin_refresh has begun a refresh in this transaction. Part of a refresh.';

-- Name: revenue_day_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.revenue_day_change() RETURNS TABLE(app_id text, day date, currency text, gamebase_product_id text, store_code text, is_promotion boolean, purchase_count bigint, paid_count bigint, payer_count bigint, new_payer_count bigint, free_count bigint, unpriced_count bigint, imprecise_count bigint, unknown_sandbox_count bigint, amount_minor numeric, promotion_amount_minor numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    -- Bit 8 of firsts: the first of its day, currency, product and store; bit 11: of a new payer of the day.
    select r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code, r.is_promotion is true,
        sum(r.sign)::bigint, coalesce(sum(r.sign) filter (where r.is_paid), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 256 <> 0), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 2304 = 2304), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.amount_minor = 0), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.amount_minor is null), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.price_imprecise), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.is_sandbox is null), 0)::bigint,
        coalesce(sum(r.sign * r.amount_minor::numeric) filter (where r.is_paid), 0),
        coalesce(sum(r.sign * r.amount_minor::numeric) filter (where r.is_promotion), 0)
      from pg_temp.purchase_change r
      where r.is_sandbox is not true
      group by r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code, r.is_promotion is true;
end
$$;

-- Name: FUNCTION revenue_day_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.revenue_day_change() IS 'Revenue of production purchases by day, currency, product, store and promotion flag. Payers are first purchases in their group.';

-- Name: rows_of_late_players(text, text); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.rows_of_late_players(p_stream text, p_columns text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(string_agg(case when p.is_indexed
      then format('select t.player_no, %s from pg_temp.touched_player t cross join lateral (%s) r where t.is_late',
        p_columns, p.indexed)
      else format('select t.player_no, %s from pg_temp.touched_player t join (%s) r using (app_id, user_id) where t.is_late',
        p_columns, p.others) end, ' union all '),
      -- No partition yet.
      format('select null::integer, %s from game.%I r where false', p_columns,
        (select s.target_table from ingest.stream s where s.stream = p_stream)))
    from (
      select m.is_indexed,
          string_agg(format('select * from %s where app_id = t.app_id and user_id = t.user_id', m.partition), ' union all ')
            as indexed,
          string_agg(format('select * from %s', m.partition), ' union all ') as others
        from (
          select p.partition, rollup.has_user_index(p.partition) as is_indexed from ingest.month_partitions(p_stream) p
        ) m
        group by m.is_indexed
    ) p
$$;

-- Name: FUNCTION rows_of_late_players(p_stream text, p_columns text); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.rows_of_late_players(p_stream text, p_columns text) IS 'The query for all rows of the late players in one stream of monthly partitions, by the index on users where there is one. Part of rollup.open_player_rows.';

-- Name: run_subscription_totals(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.run_subscription_totals() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  is_full constant boolean := (select c.is_full from pg_temp.current_refresh c);
begin
  with change as materialized (
    select c.app_id, c.product, c.store,
        case when is_full then '-infinity' else min(least(c.starts_on, c.ends_on, c.purchased_on)) end as first_day
      from (
        -- No identifier is the empty text, and equality can use the index.
        select app_id, coalesce(gamebase_product_id, '') as product, coalesce(store_code, '') as store, starts_on,
            ends_on, purchased_on
          from pg_temp.subscription_period_change
      ) c
      group by c.app_id, c.product, c.store
  ), begun as materialized (
    select c.*, coalesce(b.active_paid, 0) as active_paid, coalesce(b.active_trial, 0) as active_trial,
        coalesce(b.active_other, 0) as active_other
      from change c
      left join lateral (
        select d.active_paid, d.active_trial, d.active_other
          from rollup.subscription_day d
          where d.app_id = c.app_id and coalesce(d.gamebase_product_id, '') = c.product
            and coalesce(d.store_code, '') = c.store and d.day < c.first_day
          order by d.day desc
          limit 1
      ) b on true
  )
  update rollup.subscription_day t
    set active_paid = n.active_paid, active_trial = n.active_trial, active_other = n.active_other
    from (
      select r.ctid as place, b.active_paid + sum(r.paid_change) over product as active_paid,
          b.active_trial + sum(r.trial_change) over product as active_trial,
          b.active_other + sum(r.other_change) over product as active_other
        from begun b
        join rollup.subscription_day r
          on r.app_id = b.app_id and coalesce(r.gamebase_product_id, '') = b.product
            and coalesce(r.store_code, '') = b.store and r.day >= b.first_day
        window product as (partition by b.app_id, b.product, b.store order by r.day)
    ) n
    where t.ctid = n.place
      and (t.active_paid, t.active_trial, t.active_other) <> (n.active_paid, n.active_trial, n.active_other);

  with change as materialized (
    select c.app_id, c.currency,
        case when is_full then '-infinity' else min(least(c.starts_on, c.ends_on)) end as first_day
      from pg_temp.subscription_period_change c
      group by c.app_id, c.currency
  ), begun as materialized (
    select c.*, coalesce(b.amount_twelfths, 0) as amount_twelfths, coalesce(b.unknown_length_count, 0) as unknown_length_count
      from change c
      left join lateral (
        select d.amount_twelfths, d.unknown_length_count
          from rollup.mrr_day d
          where d.app_id = c.app_id and d.currency = c.currency and d.day < c.first_day
          order by d.day desc
          limit 1
      ) b on true
  )
  update rollup.mrr_day t
    set amount_twelfths = n.amount_twelfths, unknown_length_count = n.unknown_length_count
    from (
      select r.ctid as place, b.amount_twelfths + sum(r.twelfths_change) over price as amount_twelfths,
          b.unknown_length_count + sum(r.unknown_length_change) over price as unknown_length_count
        from begun b
        join rollup.mrr_day r on r.app_id = b.app_id and r.currency = b.currency and r.day >= b.first_day
        window price as (partition by b.app_id, b.currency order by r.day)
    ) n
    where t.ctid = n.place and (t.amount_twelfths, t.unknown_length_count) <> (n.amount_twelfths, n.unknown_length_count);

  update rollup.churn_month t
    set active_at_start = n.active_at_start
    from (
      select r.ctid as place, sum(r.active_change) over (
            partition by r.app_id, r.gamebase_product_id order by r.month) as active_at_start
        from rollup.churn_month r
        where exists (select 1 from pg_temp.subscription_period_change c where c.app_id = r.app_id)
    ) n
    where t.ctid = n.place and t.active_at_start <> n.active_at_start;
end
$$;

-- Name: FUNCTION run_subscription_totals(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.run_subscription_totals() IS 'Sets the running totals of rollup.subscription_day and rollup.mrr_day, from the first changed day of each product and each currency on, and those of rollup.churn_month. Part of rollup.finish_refresh.';

-- Name: sandbox_day_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.sandbox_day_change() RETURNS TABLE(app_id text, day date, currency text, gamebase_product_id text, store_code text, purchase_count bigint, payer_count bigint, amount_minor numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    -- Bit 10 of firsts: the first sandbox purchase of its day, currency, product and store.
    select r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code, sum(r.sign)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 1024 <> 0), 0)::bigint,
        coalesce(sum(r.sign * r.amount_minor::numeric), 0)
      from pg_temp.purchase_change r
      where r.is_sandbox
      group by r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code;
end
$$;

-- Name: FUNCTION sandbox_day_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.sandbox_day_change() IS 'Nominal revenue of sandbox purchases by day, currency, product and store.';

-- Name: scan_factor(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.scan_factor() RETURNS integer
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select 20
$$;

-- Name: FUNCTION scan_factor(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.scan_factor() IS 'The late players of a refresh, times this number, that are more than all players make it read whole tables and not look up single players. Part of rollup.open_player_rows.';

-- Name: subscription_cohort_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.subscription_cohort_change() RETURNS TABLE(app_id text, cohort_product_id text, cohort_month date, cohort_started_as text, renewal_number integer, chain_count bigint, renewed_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.cohort_product_id, c.cohort_month, c.cohort_started_as, c.renewal_number,
        sum(c.sign)::bigint, coalesce(sum(c.sign) filter (where c.is_renewed), 0)::bigint
      from pg_temp.subscription_period_change c
      where c.renewal_number is not null
      group by c.app_id, c.cohort_product_id, c.cohort_month, c.cohort_started_as, c.renewal_number;
end
$$;

-- Name: FUNCTION subscription_cohort_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.subscription_cohort_change() IS 'Chains by product and month of their first period, and number of a period.';

-- Name: subscription_day_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.subscription_day_change() RETURNS TABLE(app_id text, gamebase_product_id text, store_code text, day date, change_count bigint, paid_change bigint, trial_change bigint, other_change bigint, new_count bigint, continued_count bigint, converted_count bigint, renewed_count bigint, resubscribed_count bigint, expired_count bigint, overlapped_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.gamebase_product_id, c.store_code, e.day, sum(c.sign)::bigint,
        sum(case when c.is_paid then e.step * c.sign else 0 end)::bigint,
        sum(case when c.is_trial then e.step * c.sign else 0 end)::bigint,
        sum(case when c.is_paid or c.is_trial then 0 else e.step * c.sign end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'new' then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'continued' then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.is_converted then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'renewal' then c.sign else 0 end)::bigint,
        sum(case when e.step = 1 and c.period_kind = 'resubscription' then c.sign else 0 end)::bigint,
        sum(case when e.step = -1 and c.is_expiry then c.sign else 0 end)::bigint,
        sum(case when c.period_kind is null then c.sign else 0 end)::bigint
      from pg_temp.subscription_period_change c
      cross join lateral (
        select c.starts_on as day, 1 as step where c.period_kind is not null
        union all
        select c.ends_on, -1 where c.period_kind is not null
        union all
        select c.purchased_on, 0 where c.period_kind is null
      ) e
      group by c.app_id, c.gamebase_product_id, c.store_code, e.day;
end
$$;

-- Name: FUNCTION subscription_day_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.subscription_day_change() IS 'Starts, ends and overlaps of subscription periods by day, product and store.';

-- Name: touched_push_users(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.touched_push_users() RETURNS TABLE(app_id text, push_id text, received_user_count bigint, clicked_user_count bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
begin
  return query
    with app_day as materialized (
      select t.app_id, array_agg(t.day) as days from staging.touched_event_day t group by t.app_id
    )
    select u.app_id, u.push_id, count(*) filter (where not o.has_received),
        count(*) filter (where u.has_clicked and not o.has_clicked)
      from (
        select r.app_id, r.push_id, r.user_id, bool_or(r.has_clicked) as has_clicked
          from rollup.push_user r join staging.touched_event_day t on t.app_id = r.app_id and t.day = r.day
          group by r.app_id, r.push_id, r.user_id
      ) u
      join app_day d on d.app_id = u.app_id
      cross join lateral (
        select count(*) > 0 as has_received, coalesce(bool_or(r.has_clicked), false) as has_clicked
          from rollup.push_user r
          where r.app_id = u.app_id and r.push_id = u.push_id and r.user_id = u.user_id and r.day <> all (d.days)
      ) o
      group by u.app_id, u.push_id;
end
$$;

-- Name: FUNCTION touched_push_users(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.touched_push_users() IS 'Counts, of each push with rows on the touched days, the users who received or clicked it on no other day. Part of rollup.refresh_event_days.';

-- Name: trial_end_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.trial_end_change() RETURNS TABLE(app_id text, gamebase_product_id text, month date, ends_at timestamp with time zone, trial_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.gamebase_product_id, c.month, c.ends_at, sum(c.sign)::bigint
      from rollup.changed_trials() c
      where not c.is_converted
      group by c.app_id, c.gamebase_product_id, c.month, c.ends_at;
end
$$;

-- Name: FUNCTION trial_end_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.trial_end_change() IS 'Trials that no converted period follows, by their end.';

-- Name: trial_month_change(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.trial_month_change() RETURNS TABLE(app_id text, gamebase_product_id text, month date, trial_count bigint, converted_count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.gamebase_product_id, c.month, sum(c.sign)::bigint,
        coalesce(sum(c.sign) filter (where c.is_converted), 0)::bigint
      from rollup.changed_trials() c
      group by c.app_id, c.gamebase_product_id, c.month;
end
$$;

-- Name: FUNCTION trial_month_change(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.trial_month_change() IS 'Trials by product and month of their start.';

-- Name: wipe_working_tables(); Type: FUNCTION; Schema: rollup; Owner: -

CREATE FUNCTION rollup.wipe_working_tables() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  working record;
begin
  for working in
    select format('%I.%I', 'staging', c.relname) as name,
        string_agg(format('alter column %I type %s', a.attname, format_type(a.atttypid, a.atttypmod))
            || coalesce(' collate ' || nullif(a.attcollation, 0)::regcollation, ''), ', ')
          filter (where st.attname is not null) as forgetting
      from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_catalog.pg_stats st
        on st.schemaname = 'staging' and st.tablename = c.relname and st.attname = a.attname
      where c.relnamespace = 'staging'::regnamespace and c.relkind = 'r'
      group by c.oid
      order by c.relname
  loop
    begin
      execute format('lock table %s in access exclusive mode nowait', working.name);
      execute format('truncate %s', working.name);
      if working.forgetting is not null then
        execute format('alter table %s %s', working.name, working.forgetting);
      end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
end
$$;

-- Name: FUNCTION wipe_working_tables(); Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON FUNCTION rollup.wipe_working_tables() IS 'Gives the working tables of a refresh new, empty files, and removes their statistics. Part of ingest.erase_user.';

-- Name: comparable(json); Type: FUNCTION; Schema: staging; Owner: -

CREATE FUNCTION staging.comparable(p_value json) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case json_typeof(p_value) when 'object' then length(p_value::text) || ' ' || (
      select string_agg(m.key || ' ' || m.value::text, E'\n' order by m.key collate "C", m.value::text collate "C")
        from json_each(p_value) m)
    else p_value::text end
$$;

-- Name: FUNCTION comparable(p_value json); Type: COMMENT; Schema: staging; Owner: -

COMMENT ON FUNCTION staging.comparable(p_value json) IS 'A text that is equal for JSON values of the same bytes, and for objects of the same members in any order. Part of staging.merge.';

-- Name: count_merged(text, bigint, staging.merge_counts); Type: FUNCTION; Schema: staging; Owner: -

CREATE FUNCTION staging.count_merged(p_stream text, p_source_file_id bigint, p_counts staging.merge_counts) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- During a load, merged lines are added to line_count. In a replay they are part of it already, as released lines, and
  -- are taken from released_count.
  update ingest.source_file f set
      inserted_count = inserted_count + (p_counts).inserted,
      filled_count = filled_count + (p_counts).filled,
      duplicate_count = duplicate_count + (p_counts).duplicates,
      conflict_count = conflict_count + (p_counts).conflicts,
      line_count = line_count + case when ingest.is_closed(f) then 0 else
        (p_counts).inserted + (p_counts).filled + (p_counts).duplicates + (p_counts).conflicts end,
      released_count = released_count - case when not ingest.is_closed(f) then 0 else
        (p_counts).inserted + (p_counts).filled + (p_counts).duplicates + (p_counts).conflicts end
    where source_file_id = p_source_file_id and stream = p_stream;
  -- Records within the lines of a file are counted apart from the lines.
  insert into ingest.embedded_count as e
      (source_file_id, stream, inserted_count, filled_count, duplicate_count, conflict_count)
    select f.source_file_id, p_stream, (p_counts).inserted, (p_counts).filled, (p_counts).duplicates,
        (p_counts).conflicts
      from ingest.source_file f where f.source_file_id = p_source_file_id and f.stream <> p_stream
    on conflict (source_file_id, stream) do update
      set inserted_count = e.inserted_count + excluded.inserted_count,
        filled_count = e.filled_count + excluded.filled_count,
        duplicate_count = e.duplicate_count + excluded.duplicate_count,
        conflict_count = e.conflict_count + excluded.conflict_count
$$;

-- Name: FUNCTION count_merged(p_stream text, p_source_file_id bigint, p_counts staging.merge_counts); Type: COMMENT; Schema: staging; Owner: -

COMMENT ON FUNCTION staging.count_merged(p_stream text, p_source_file_id bigint, p_counts staging.merge_counts) IS 'Adds the outcomes of a merge to the counts of a file. Part of staging.merge.';

-- Name: merge(text, bigint); Type: FUNCTION; Schema: staging; Owner: -

CREATE FUNCTION staging.merge(p_stream text, p_source_file_id bigint) RETURNS staging.merge_counts
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO, YMD'
    SET bytea_output TO 'hex'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $_$
declare
  registered ingest.stream;
  target regclass;
  staged regclass;
  columns text;         -- all columns of the target
  keys text;            -- the key columns of s
  same_key text;        -- t and s have the same key
  filled_key text;      -- t and (j.incoming) have the same key
  contained text;       -- every value of s is absent or equal to that of t
  contradicts text;     -- some value is present in s and in t, and differs
  natural_key text;     -- JSON array of the key of incoming
  differences text;     -- one row per compared column: name, stored, incoming, as text
  assignments text;     -- SET list of a fill
  refused_row text;     -- JSON object of all values of incoming except secrets
  counted_apps text;    -- statement that counts accepted rows, in place of %s, for their applications
  counts staging.merge_counts := (0, 0, 0, 0);
  staged_count bigint;
  known_count bigint;
  contained_count bigint;
  are_of_the_file boolean;
  are_repeated boolean;
  settled record;
  failed_constraint text;
begin
  select * into strict registered from ingest.stream where stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
  staged := staging.table_of(p_stream);
  perform ingest.require_open_file(p_stream, p_source_file_id);

  select string_agg(format('%I', attname), ', ' order by attnum) into columns
    from pg_catalog.pg_attribute
    where attrelid = target and attnum > 0 and not attisdropped;

  select string_agg(format('s.%I', k.name), ', ' order by k.position) into keys
    from unnest(registered.key_columns) with ordinality k (name, position);
  same_key := ingest.key_condition(p_stream, 's.%1$I');

  with compared as (
    select c.name, c.position,
        -- The digest columns show a conflict of two secrets. Of a secret itself only its presence is recorded.
        case when c.name = any (registered.secret_columns)
          then '((%s) is not null or null)::text' else '(%s)::text' end as shown,
        case when c.name = any (registered.empty_is_absent_columns) then 'nullif(%s.%I, '''')'
          else '%s.%I' end as shape,
        case when a.atttypid = 'json'::regtype then 'staging.comparable(%s)' else '%s' end as form
      from unnest(registered.compared_columns) with ordinality c (name, position)
      join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = c.name
  )
  -- The rule for a conflict stands in three places: here in contained and contradicts, and below in the columns that
  -- ingest.conflict records. Change all three together.
  select
      string_agg(format('coalesce(%1$s = %2$s, %3$s is null)',
        format(form, format(shape, 't', name)), format(form, format(shape, 's', name)), format(shape, 's', name)),
        ' and ' order by position),
      format('coalesce(%s, false)', string_agg(format('coalesce(%s <> %s, false)',
        format(form, format(shape, 't', name)), format(form, format(shape, 's', name))), ' or ' order by position)),
      string_agg(format('(%L, %s, %s)', name,
        format(shown, format(shape, '(j.stored)', name)),
        -- Of an equal value in another form, the stored form is shown, so that it counts as no difference.
        case form when '%s' then format(shown, format(shape, '(j.incoming)', name))
          else format('case when %1$s = %2$s then %3$s else %4$s end',
            format(form, format(shape, '(j.stored)', name)), format(form, format(shape, '(j.incoming)', name)),
            format(shown, format(shape, '(j.stored)', name)), format(shown, format(shape, '(j.incoming)', name)))
          end),
        ', ' order by position),
      string_agg(format('%1$I = coalesce(%2$s, (j.incoming).%1$I)', name, format(shape, 't', name)),
        ', ' order by position)
    into contained, contradicts, differences, assignments
    from compared;
  -- The digest of a changed row is no longer valid.
  assignments := assignments || ', row_digest = null';
  -- A filled column takes its followers from the same line; for example, price_raw belongs to amount_minor.
  assignments := concat_ws(', ', assignments, (
    select string_agg(format(
        '%1$I = case when t.%2$I is null and (j.incoming).%2$I is not null then (j.incoming).%1$I else t.%1$I end',
        follower, leader), ', ')
      from jsonb_each(registered.followers) f (leader, list), jsonb_array_elements_text(list) follower));

  execute format(
    'select count(*), count(t.source_file_id), count(*) filter (where t.source_file_id is not null and %s),
         coalesce(bool_and(s.source_file_id = $1), true)
       from %s s left join %s t on %s', contained, staged, target, same_key)
    into staged_count, known_count, contained_count, are_of_the_file using p_source_file_id;
  if not are_of_the_file then
    raise exception 'staged rows belong to a file other than %', p_source_file_id
      using errcode = 'insufficient_privilege';
  end if;

  counted_apps := ingest.counted_apps(p_stream, p_source_file_id);

  if contained_count = staged_count then
    counts.duplicates := staged_count;
    execute format(counted_apps, staged);
    perform staging.count_merged(p_stream, p_source_file_id, counts);
    execute format('truncate %s', staged);
    return counts;
  end if;

  if known_count < staged_count then
    execute format(
      'insert into %1$s (%2$s)
         select %2$s from (
           select distinct on (%3$s) * from %4$s s
             where not exists (select 1 from %1$s t where %5$s)
             order by %3$s, s.line_number) s', target, columns, keys, staged, same_key);
    get diagnostics counts.inserted = row_count;
    if counts.inserted = staged_count then
      execute format(counted_apps, staged);
      perform staging.count_merged(p_stream, p_source_file_id, counts);
      execute format('truncate %s', staged);
      return counts;
    end if;
  end if;

  -- The rows just inserted are finished, and so are the rows whose values the target already contains.
  execute format(
    'with settled as (
       delete from %s s using %s t
         where %s and t.source_file_id = s.source_file_id and t.line_number = s.line_number
         returning s.*
     ) ' || counted_apps, staged, target, same_key, 'settled');
  execute format(
    'with settled as (delete from %s s using %s t where %s and %s returning s.*), counted as (' || counted_apps || ')
       select count(*) from settled', staged, target, same_key, contained, 'settled')
    into counts.duplicates;

  execute format('select count(distinct line_number) < count(*) from %s', staged) into are_repeated;
  if are_repeated then
    raise exception 'two staged rows have the same line number' using errcode = 'cardinality_violation';
  end if;
  filled_key := ingest.key_condition(p_stream, '(j.incoming).%1$I');
  natural_key := ingest.natural_key_array(p_stream, '(j.incoming)');
  -- The values that an acceptance of the line needs.
  select format('jsonb_strip_nulls(jsonb_object(%L::text[], array[%s]))', array_agg(f.field),
      string_agg(format(case when f.field = any (registered.empty_is_absent_columns)
          then 'nullif((j.incoming).%1$I, '''')::text'
        else 'case when (j.incoming).%2$I is not null then (j.incoming).%1$I::text end' end,
        f.field, f.leader), ', '))
    into refused_row from ingest.acceptable_fields(p_stream) f;
  -- The DETAIL of a constraint error would show the whole row, with values that the caller may not read. The error is
  -- therefore raised again with only its code and constraint. A block with an exception clause is a subtransaction,
  -- but few merges reach this one.
  begin
    while counts.inserted + counts.filled + counts.duplicates + counts.conflicts < staged_count loop
      execute format(
        'with judged as materialized (
           select s as incoming, t as stored, s.ctid as staged_at, s.line_number,
               %1$s as contained, %2$s as contradicts,
               min(s.line_number) filter (where not (%1$s) and not (%2$s)) over (partition by %3$s)
                 as filling_line
             from %4$s s join %5$s t on %6$s
         ), j as materialized (
           select * from judged where filling_line is null or line_number <= filling_line
         ), conflict as (
           insert into ingest.conflict
               (stream, natural_key, field, kept, refused, source_file_id, line_number, refused_row)
             select %7$L, %8$s, d.field, d.stored, d.incoming,
                 (j.incoming).source_file_id, j.line_number,
                 case when row_number() over (partition by j.line_number order by d.field collate "C") = 1
                   then %12$s end
               from j, lateral (values %9$s) d (field, stored, incoming)
               where j.contradicts and d.stored <> d.incoming
               order by j.line_number
         ), fill as (
           insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
             select %7$L, %8$s, d.field, (j.incoming).source_file_id, j.line_number
               from j, lateral (values %9$s) d (field, stored, incoming)
               where j.line_number = j.filling_line and d.stored is null and d.incoming is not null
               order by j.line_number
         ), filled as (
           update %5$s t set %10$s from j
             where j.line_number = j.filling_line and %11$s
         ), settled as (
           delete from %4$s s using j where s.ctid = j.staged_at
         ), counted as (%13$s)
         select count(*) filter (where contradicts) as conflicts,
             count(*) filter (where line_number = filling_line) as fills,
             count(*) filter (where contained) as duplicates
           from j',
        contained, contradicts, keys, staged, target, same_key, p_stream, natural_key, differences,
        assignments, filled_key, refused_row,
        format(counted_apps, '(select (incoming).* from j where not contradicts) a'))
        into settled;
      if settled.conflicts + settled.fills + settled.duplicates = 0 then
        raise exception 'merge of stream % makes no progress', p_stream
          using errcode = 'internal_error';
      end if;
      counts.conflicts := counts.conflicts + settled.conflicts;
      counts.filled := counts.filled + settled.fills;
      counts.duplicates := counts.duplicates + settled.duplicates;
    end loop;
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics failed_constraint = constraint_name;
    raise exception 'a stored row of stream % cannot hold the values that a line fills in%', p_stream,
        coalesce(' (constraint ' || nullif(failed_constraint, '') || ')', '')
      using errcode = sqlstate;
  end;
  perform staging.count_merged(p_stream, p_source_file_id, counts);
  execute format('truncate %s', staged);
  return counts;
end
$_$;

-- Name: FUNCTION merge(p_stream text, p_source_file_id bigint); Type: COMMENT; Schema: staging; Owner: -

COMMENT ON FUNCTION staging.merge(p_stream text, p_source_file_id bigint) IS 'Merges the staged rows of a file into their target, records conflicts and fills, counts the outcomes in the ledger, and returns them.';

-- Name: open(text); Type: FUNCTION; Schema: staging; Owner: -

CREATE FUNCTION staging.open(p_stream text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET temp_tablespaces TO ''
    AS $$
declare
  target text;
begin
  select target_table into strict target from ingest.stream where stream = p_stream;
  if to_regclass(format('pg_temp.%I', 'staging_' || p_stream)) is not null then
    perform staging.table_of(p_stream);
    return;
  end if;
  -- With the check constraints of the target, so that the COPY into staging refuses a bad value. An error there can
  -- show only rows of the loader.
  execute format('create temporary table %I (like game.%I including constraints) on commit drop',
    'staging_' || p_stream, target);
  -- Only this session sees the table, so a grant to public is safe.
  execute format('grant insert on pg_temp.%I to public', 'staging_' || p_stream);
end
$$;

-- Name: FUNCTION open(p_stream text); Type: COMMENT; Schema: staging; Owner: -

COMMENT ON FUNCTION staging.open(p_stream text) IS 'Creates the temporary table pg_temp.staging_<stream>, which holds rows for staging.merge until the transaction ends.';

-- Name: table_of(text); Type: FUNCTION; Schema: staging; Owner: -

CREATE FUNCTION staging.table_of(p_stream text) RETURNS regclass
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  staged regclass := to_regclass(format('pg_temp.%I', 'staging_' || p_stream));
begin
  if staged is null then
    raise exception 'stream % has no staging table in this transaction; call staging.open first', p_stream
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  if (select relowner from pg_catalog.pg_class where oid = staged) 
      <> (select oid from pg_catalog.pg_roles where rolname = current_user)
    or exists (select 1 from pg_catalog.pg_trigger where tgrelid = staged)
  then
    raise exception '% was not created by staging.open', staged using errcode = 'insufficient_privilege';
  end if;
  return staged;
end
$$;

-- Name: FUNCTION table_of(p_stream text); Type: COMMENT; Schema: staging; Owner: -

COMMENT ON FUNCTION staging.table_of(p_stream text) IS 'The staging table of a stream in this session. Raises an error unless staging.open created it.';

-- Name: currency; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.currency (
    currency text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    minor_unit smallint,
    kind text NOT NULL,
    valid_from date,
    valid_until date,
    minor_unit_value numeric GENERATED ALWAYS AS (
CASE minor_unit
    WHEN 0 THEN (1)::numeric
    WHEN 1 THEN 0.1
    WHEN 2 THEN 0.01
    WHEN 3 THEN 0.001
    WHEN 4 THEN 0.0001
    ELSE NULL::numeric
END) STORED,
    CONSTRAINT currency_check CHECK ((valid_from <= valid_until)),
    CONSTRAINT currency_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT currency_kind_check CHECK ((kind = ANY (ARRAY['money'::text, 'fund'::text, 'metal'::text, 'account_unit'::text, 'test'::text, 'no_currency'::text]))),
    CONSTRAINT currency_minor_unit_check CHECK (((minor_unit >= 0) AND (minor_unit <= 4)))
);

-- Name: TABLE currency; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.currency IS 'One row per ISO 4217 currency code that was valid on any day since 2000-01-01. Source: ISO 4217 lists one and three of 2026-01-01, including amendment 180. Loaded by: the migration create_currency. A test compares the rows with CurrencyTable in Swift.';

-- Name: COLUMN currency.currency; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.currency IS 'ISO 4217 code, three upper-case letters. Joins to game.receipt.currency.';

-- Name: COLUMN currency.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.name IS 'English name.';

-- Name: COLUMN currency.minor_unit; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.minor_unit IS 'Decimal digits of the minor unit, 0 to 4: an amount is amount_minor / 10 ^ minor_unit. NULL when ISO defines none or none is known; no receipt can have such a currency.';

-- Name: COLUMN currency.kind; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.kind IS 'money; fund (a unit of account of one country or bank); metal; account_unit (of an institution, e.g. XDR); test (XTS); no_currency (XXX).';

-- Name: COLUMN currency.valid_from; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.valid_from IS 'First day of validity, in UTC; NULL for a day before 2000-01-01.';

-- Name: COLUMN currency.valid_until; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.valid_until IS 'Last day of validity (inclusive), in UTC. The loader accepts receipts for 400 days after it. NULL for a currency that is still valid.';

-- Name: COLUMN currency.minor_unit_value; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.currency.minor_unit_value IS 'The minor unit in the major one, with as many decimals as the minor unit has: 0.01 for USD, 1 for KRW. An amount is amount_minor * minor_unit_value. NULL like minor_unit.';

-- Name: display_language; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.display_language (
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    is_gamebase boolean NOT NULL,
    is_hive boolean NOT NULL,
    CONSTRAINT display_language_check CHECK ((is_gamebase OR is_hive))
);

-- Name: TABLE display_language; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.display_language IS 'One row per code of a language in which the vendor shows texts. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section Display Language, and Hive SDK document "Advanced Notification Features", example of hive_push_actions.json. Loaded by: the migration create_reference_data.';

-- Name: COLUMN display_language.code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.display_language.code IS 'Code of the language; upper and lower case are different. Joins to game.push_action_title.language.';

-- Name: COLUMN display_language.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.display_language.name IS 'English name.';

-- Name: COLUMN display_language.is_gamebase; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.display_language.is_gamebase IS 'True for a display language of Gamebase.';

-- Name: COLUMN display_language.is_hive; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.display_language.is_hive IS 'True for a language of Hive''s push buttons.';

-- Name: error_code; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.error_code (
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    family text NOT NULL COLLATE pg_catalog."C"
);

-- Name: TABLE error_code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.error_code IS 'One row per error code and meaning. Two codes have two meanings: 999 was UNKNOWN_ERROR in SDKs before 2.33.0 and is SOCKET_UNKNOWN_ERROR since; 9999 is UNKNOWN_ERROR in SDKs since 2.33.0, and an unknown error of the server of in-app purchases. Source: NHN Cloud documents "Gamebase: Error Code" and "IAP: Error Codes", and the release notes of 2.33.0. Loaded by: the migration create_reference_data.';

-- Name: COLUMN error_code.code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.error_code.code IS 'The code. Joins to code of observerHeartbeat events; a code with two meanings joins to two rows.';

-- Name: COLUMN error_code.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.error_code.name IS 'The vendor''s name of the constant, without the prefix TCGB_ERROR_ of iOS. The vendor only describes the codes of family IAP, so those names are of this project.';

-- Name: COLUMN error_code.family; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.error_code.family IS 'The heading in the vendor''s list of error codes. The list lacks UNKNOWN_ERROR (9999), which stands under Common here.';

-- Name: event; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.event (
    occurred_at timestamp with time zone NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    category_raw text COLLATE pg_catalog."C",
    event_group text NOT NULL COLLATE pg_catalog."C",
    code bigint,
    message text,
    idp_type text COLLATE pg_catalog."C",
    auth_mapping_list json,
    push_id text COLLATE pg_catalog."C",
    push_title text,
    push_body text,
    push_is_foreground boolean,
    push_action_type text COLLATE pg_catalog."C",
    push_user_text text,
    payment_seq text COLLATE pg_catalog."C",
    data json,
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT event_category_named CHECK ((category <> ''::text)),
    CONSTRAINT event_event_group_check CHECK ((event_group = ANY (ARRAY['purchase'::text, 'push'::text, 'server_push'::text, 'observer'::text, 'idp_revoked'::text, 'logged_out'::text, 'other'::text]))),
    CONSTRAINT event_event_id_named CHECK ((event_id <> ''::text)),
    CONSTRAINT event_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT event_occurred_at_check CHECK (isfinite(occurred_at)),
    CONSTRAINT event_occurred_at_in_range CHECK (((occurred_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (occurred_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT event_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text)))
)
PARTITION BY RANGE (occurred_at);
ALTER TABLE ONLY game.event ALTER COLUMN message SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN auth_mapping_list SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN push_title SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN push_body SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN push_user_text SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN data SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN row_digest SET STATISTICS 0;

-- Name: TABLE event; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.event IS 'One row per event message. Source: Gamebase event messages of the client. Loaded by: gamebase-ingest. Partitioned by month of occurred_at, UTC.';

-- Name: COLUMN event.occurred_at; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.occurred_at IS 'Time of the event (eventTime), to the millisecond; part of the natural key.';

-- Name: COLUMN event.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.app_id IS 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';

-- Name: COLUMN event.event_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.event_id IS 'Number of the event (eventId); without one, sha256: and the SHA-256 of category, user and data. Part of the natural key.';

-- Name: COLUMN event.user_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.user_id IS 'The user; NULL when the line has none, as before a login.';

-- Name: COLUMN event.category; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.category IS 'Category of the event, in the spelling of today''s SDKs; an unknown one as written in the line.';

-- Name: COLUMN event.category_raw; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.category_raw IS 'The category as written in the line, when it differs from category.';

-- Name: COLUMN event.event_group; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.event_group IS 'Group of the category: purchase, push, server_push, observer, idp_revoked, logged_out or other.';

-- Name: COLUMN event.code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.code IS 'Code of an observer''s message or of a revoked login.';

-- Name: COLUMN event.message; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.message IS 'Message of an observer or of a logout.';

-- Name: COLUMN event.idp_type; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.idp_type IS 'The identity provider of a revoked login.';

-- Name: COLUMN event.auth_mapping_list; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.auth_mapping_list IS 'The identity providers that stay mapped to the user of a revoked login, as a JSON array of texts, as written.';

-- Name: COLUMN event.push_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.push_id IS 'Number of the push message.';

-- Name: COLUMN event.push_title; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.push_title IS 'Title of the push message.';

-- Name: COLUMN event.push_body; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.push_body IS 'Text of the push message.';

-- Name: COLUMN event.push_is_foreground; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.push_is_foreground IS 'True when the app was in the foreground; NULL when the line has no flag.';

-- Name: COLUMN event.push_action_type; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.push_action_type IS 'The action with which the player answered the push message: OPEN_APP, OPEN_URL, REPLY, DISMISS, ...';

-- Name: COLUMN event.push_user_text; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.push_user_text IS 'The text that the player typed as an answer to the push message.';

-- Name: COLUMN event.payment_seq; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.payment_seq IS 'The payment of the receipt in a purchaseUpdated message; see game.receipt. NULL for other events.';

-- Name: COLUMN event.data; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.data IS 'Members of the data without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; of an unknown category any JSON value. NULL when nothing is left.';

-- Name: COLUMN event.text_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.text_repaired IS 'True when the loader replaced a NUL or an unpaired surrogate in a free text, in data or in extra by U+FFFD.';

-- Name: COLUMN event.extra; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.extra IS 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';

-- Name: COLUMN event.source_file_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.source_file_id IS 'The file that brought the row; see ingest.source_file.';

-- Name: COLUMN event.line_number; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.line_number IS 'Line number in that file, from 1.';

-- Name: COLUMN event.row_digest; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event.row_digest IS 'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

-- Name: event_category; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.event_category (
    category text NOT NULL COLLATE pg_catalog."C",
    event_group text NOT NULL COLLATE pg_catalog."C",
    constant_name text COLLATE pg_catalog."C",
    description text NOT NULL
);

-- Name: TABLE event_category; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.event_category IS 'One row per known category of Gamebase event messages. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section Gamebase Event Handler, for the constants; the Unity SDK (GamebaseEventCategory) for the values. Loaded by: the migration create_reference_data.';

-- Name: COLUMN event_category.category; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event_category.category IS 'The category as events have it. Joins to category of events.';

-- Name: COLUMN event_category.event_group; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event_category.event_group IS 'purchase, push, server_push, observer, idp_revoked or logged_out.';

-- Name: COLUMN event_category.constant_name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event_category.constant_name IS 'Name of the constant in the iOS SDK; NULL for the two categories that only Unity''s standalone clients send.';

-- Name: COLUMN event_category.description; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.event_category.description IS 'Cause of the event.';

-- Name: exchange_rate; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.exchange_rate (
    currency text NOT NULL COLLATE pg_catalog."C",
    valid_on date NOT NULL,
    rate numeric NOT NULL,
    CONSTRAINT exchange_rate_rate_check CHECK (((rate > (0)::numeric) AND (rate < 'Infinity'::numeric)))
);

-- Name: TABLE exchange_rate; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.exchange_rate IS 'One row per currency and day with an exchange rate. A later day without a row uses the last rate before it, if that is at most 7 days old. Written by: gamebase-ingest reference load exchange-rates.';

-- Name: COLUMN exchange_rate.currency; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.exchange_rate.currency IS 'ISO 4217 code of the currency that is converted. Joins to game.receipt.currency.';

-- Name: COLUMN exchange_rate.valid_on; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.exchange_rate.valid_on IS 'Day of the rate, in the reports'' time zone.';

-- Name: COLUMN exchange_rate.rate; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.exchange_rate.rate IS 'Number of units of the base currency (setting base-currency) that one unit of the currency is worth.';

-- Name: game_user_snapshot; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.game_user_snapshot (
    observed_at timestamp with time zone NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    class_id text COLLATE pg_catalog."C",
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT game_user_snapshot_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT game_user_snapshot_observed_at_check CHECK (isfinite(observed_at)),
    CONSTRAINT game_user_snapshot_observed_at_in_range CHECK (((observed_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (observed_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT game_user_snapshot_observed_at_source_check CHECK ((observed_at_source = ANY (ARRAY['line'::text, 'option'::text, 'load_start'::text]))),
    CONSTRAINT game_user_snapshot_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text))),
    CONSTRAINT game_user_snapshot_user_level_check CHECK ((user_level >= 0))
)
PARTITION BY RANGE (observed_at);
ALTER TABLE ONLY game.game_user_snapshot ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.game_user_snapshot ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.game_user_snapshot ALTER COLUMN row_digest SET STATISTICS 0;

ALTER TABLE ONLY game.game_user_snapshot REPLICA IDENTITY FULL;

-- Name: TABLE game_user_snapshot; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.game_user_snapshot IS 'One row per observation of a user''s character. Source: Gamebase game-user data. Loaded by: gamebase-ingest. Partitioned by month of observed_at, UTC.';

-- Name: COLUMN game_user_snapshot.observed_at; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.observed_at IS 'Time of the observation, to the millisecond; part of the natural key.';

-- Name: COLUMN game_user_snapshot.user_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.user_id IS 'The user; part of the natural key.';

-- Name: COLUMN game_user_snapshot.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.app_id IS 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';

-- Name: COLUMN game_user_snapshot.channel_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.channel_id IS 'The channel or server; part of the natural key.';

-- Name: COLUMN game_user_snapshot.character_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.character_id IS 'The character; NULL when the game has none; part of the natural key.';

-- Name: COLUMN game_user_snapshot.user_level; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.user_level IS 'The level at that time.';

-- Name: COLUMN game_user_snapshot.class_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.class_id IS 'The character''s class at that time.';

-- Name: COLUMN game_user_snapshot.observed_at_source; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.observed_at_source IS 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';

-- Name: COLUMN game_user_snapshot.text_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.text_repaired IS 'True when the loader replaced a NUL or an unpaired surrogate in extra by U+FFFD.';

-- Name: COLUMN game_user_snapshot.extra; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.extra IS 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';

-- Name: COLUMN game_user_snapshot.source_file_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.source_file_id IS 'The file that brought the row; see ingest.source_file.';

-- Name: COLUMN game_user_snapshot.line_number; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.line_number IS 'Line number in that file, from 1.';

-- Name: COLUMN game_user_snapshot.row_digest; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.game_user_snapshot.row_digest IS 'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

-- Name: identity_provider; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.identity_provider (
    idp_type text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL
);

-- Name: TABLE identity_provider; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.identity_provider IS 'One row per known identity provider. Source: NHN Cloud document "Gamebase: API Guide". Loaded by: the migration create_reference_data.';

-- Name: COLUMN identity_provider.idp_type; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.identity_provider.idp_type IS 'The vendor''s code of the provider. Joins to idp_type of idPRevoked events.';

-- Name: COLUMN identity_provider.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.identity_provider.name IS 'Usual name of the provider.';

-- Name: idp_revoked_code; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.idp_revoked_code (
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL
);

-- Name: TABLE idp_revoked_code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.idp_revoked_code IS 'One row per code of a revocation by an identity provider. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section IdP Revoked. Loaded by: the migration create_reference_data.';

-- Name: COLUMN idp_revoked_code.code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.idp_revoked_code.code IS 'Code of the revocation. Joins to code of idPRevoked events.';

-- Name: COLUMN idp_revoked_code.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.idp_revoked_code.name IS 'The vendor''s name of the constant, without the prefix IDP_REVOKED_.';

-- Name: COLUMN idp_revoked_code.description; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.idp_revoked_code.description IS 'Situation of the user, and the step that the vendor expects.';

-- Name: item_snapshot; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.item_snapshot (
    observed_at timestamp with time zone NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C",
    amount_minor bigint,
    price_raw text,
    price_repaired boolean NOT NULL,
    price_imprecise boolean NOT NULL,
    product_type text COLLATE pg_catalog."C",
    product_type_raw text,
    item_name text,
    localized_price text,
    localized_title text,
    localized_description text,
    is_active boolean,
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT item_snapshot_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT item_snapshot_check CHECK (((gamebase_product_id IS NOT NULL) OR (market_item_id IS NOT NULL) OR (item_seq IS NOT NULL))),
    CONSTRAINT item_snapshot_check1 CHECK (((currency IS NOT NULL) OR (amount_minor IS NULL))),
    CONSTRAINT item_snapshot_currency_check CHECK ((octet_length(currency) = 3)),
    CONSTRAINT item_snapshot_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT item_snapshot_observed_at_check CHECK (isfinite(observed_at)),
    CONSTRAINT item_snapshot_observed_at_in_range CHECK (((observed_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (observed_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT item_snapshot_observed_at_source_check CHECK ((observed_at_source = ANY (ARRAY['line'::text, 'option'::text, 'load_start'::text]))),
    CONSTRAINT item_snapshot_product_type_check CHECK ((product_type = ANY (ARRAY['UNKNOWN'::text, 'CONSUMABLE'::text, 'AUTO_RENEWABLE'::text, 'CONSUMABLE_AUTO_RENEWABLE'::text])))
)
PARTITION BY RANGE (observed_at);
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN price_raw SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN item_name SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN localized_price SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN localized_title SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN localized_description SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN row_digest SET STATISTICS 0;

ALTER TABLE ONLY game.item_snapshot REPLICA IDENTITY FULL;

-- Name: TABLE item_snapshot; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.item_snapshot IS 'One row per item of a shop and observation by a client. Source: Gamebase lists of purchasable items. Loaded by: gamebase-ingest. Partitioned by month of observed_at, UTC.';

-- Name: COLUMN item_snapshot.observed_at; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.observed_at IS 'Time of the observation, to the millisecond; part of the natural key.';

-- Name: COLUMN item_snapshot.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.app_id IS 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';

-- Name: COLUMN item_snapshot.store_code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.store_code IS 'Code of the store, as written in the line (see game.store); part of the natural key.';

-- Name: COLUMN item_snapshot.gamebase_product_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.gamebase_product_id IS 'The product''s id in the Gamebase console; part of the natural key.';

-- Name: COLUMN item_snapshot.market_item_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.market_item_id IS 'The product''s id in the store; part of the natural key.';

-- Name: COLUMN item_snapshot.item_seq; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.item_seq IS 'The number of the item in the Gamebase console; part of the natural key. Every row has at least one of the three ids.';

-- Name: COLUMN item_snapshot.currency; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.currency IS 'ISO 4217 code, upper case (see game.currency); NULL without a price. Part of the natural key, because each storefront shows a price of its own.';

-- Name: COLUMN item_snapshot.amount_minor; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.amount_minor IS 'Price in the minor unit of the currency (cents for USD, whole yen for JPY); NULL when the client was shown none.';

-- Name: COLUMN item_snapshot.price_raw; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.price_raw IS 'The price as written in the line, when it was repaired or is imprecise.';

-- Name: COLUMN item_snapshot.price_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.price_repaired IS 'True when the loader rounded off the error of a 32-bit float (4.989999771118164 becomes 499 cents).';

-- Name: COLUMN item_snapshot.price_imprecise; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.price_imprecise IS 'True when the amount is so large that a 32-bit float may not have held it exactly.';

-- Name: COLUMN item_snapshot.product_type; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.product_type IS 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when the line has none.';

-- Name: COLUMN item_snapshot.product_type_raw; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.product_type_raw IS 'The product type as written in the line, when it differs from product_type.';

-- Name: COLUMN item_snapshot.item_name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.item_name IS 'Name of the product in the Gamebase console.';

-- Name: COLUMN item_snapshot.localized_price; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.localized_price IS 'Price with the symbol of its currency, as the store wrote it.';

-- Name: COLUMN item_snapshot.localized_title; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.localized_title IS 'Name of the product in the language of the client.';

-- Name: COLUMN item_snapshot.localized_description; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.localized_description IS 'Description of the product in the language of the client.';

-- Name: COLUMN item_snapshot.is_active; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.is_active IS 'True when the Gamebase console offers the item; NULL when the line has no flag.';

-- Name: COLUMN item_snapshot.observed_at_source; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.observed_at_source IS 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';

-- Name: COLUMN item_snapshot.text_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.text_repaired IS 'True when the loader replaced a NUL or an unpaired surrogate in a free text by U+FFFD.';

-- Name: COLUMN item_snapshot.extra; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.extra IS 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';

-- Name: COLUMN item_snapshot.source_file_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.source_file_id IS 'The file that brought the row; see ingest.source_file.';

-- Name: COLUMN item_snapshot.line_number; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.line_number IS 'Line number in that file, from 1.';

-- Name: COLUMN item_snapshot.row_digest; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.item_snapshot.row_digest IS 'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

-- Name: launching_status; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.launching_status (
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    is_playable boolean NOT NULL,
    description text NOT NULL
);

-- Name: TABLE launching_status; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.launching_status IS 'One row per launching status, the state of the service that a client was told. Source: NHN Cloud documents "Gamebase iOS SDK: Initialization" and "Gamebase iOS SDK: ETC"; only the first one lists 203, 204 and 205. Loaded by: the migration create_reference_data.';

-- Name: COLUMN launching_status.code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.launching_status.code IS 'Code of the status. Joins to code of observerLaunching events.';

-- Name: COLUMN launching_status.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.launching_status.name IS 'The vendor''s name of the constant.';

-- Name: COLUMN launching_status.is_playable; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.launching_status.is_playable IS 'True for the codes 200 to 299, with which a client may enter the game.';

-- Name: COLUMN launching_status.description; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.launching_status.description IS 'Meaning of the status.';

-- Name: level_up; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.level_up (
    leveled_up_at timestamp with time zone NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT level_up_leveled_up_at_check CHECK (isfinite(leveled_up_at)),
    CONSTRAINT level_up_leveled_up_at_in_range CHECK (((leveled_up_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (leveled_up_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT level_up_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT level_up_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text))),
    CONSTRAINT level_up_user_level_check CHECK ((user_level >= 0))
)
PARTITION BY RANGE (leveled_up_at);
ALTER TABLE ONLY game.level_up ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.level_up ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.level_up ALTER COLUMN row_digest SET STATISTICS 0;

ALTER TABLE ONLY game.level_up REPLICA IDENTITY FULL;

-- Name: TABLE level_up; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.level_up IS 'One row per level that a user''s character reached. Source: Gamebase level-up traces. Loaded by: gamebase-ingest. Partitioned by month of leveled_up_at, UTC.';

-- Name: COLUMN level_up.leveled_up_at; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.leveled_up_at IS 'Time at which the level was reached, to the millisecond; part of the natural key.';

-- Name: COLUMN level_up.user_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.user_id IS 'The user; part of the natural key.';

-- Name: COLUMN level_up.user_level; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.user_level IS 'The level reached; part of the natural key.';

-- Name: COLUMN level_up.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.app_id IS 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one; part of the natural key.';

-- Name: COLUMN level_up.character_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.character_id IS 'The character; NULL when the game has none; part of the natural key.';

-- Name: COLUMN level_up.channel_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.channel_id IS 'The channel or server.';

-- Name: COLUMN level_up.class_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.class_id IS 'The character''s class.';

-- Name: COLUMN level_up.text_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.text_repaired IS 'True when the loader replaced a NUL or an unpaired surrogate in extra by U+FFFD.';

-- Name: COLUMN level_up.extra; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.extra IS 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';

-- Name: COLUMN level_up.source_file_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.source_file_id IS 'The file that brought the row; see ingest.source_file.';

-- Name: COLUMN level_up.line_number; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.line_number IS 'Line number in that file, from 1.';

-- Name: COLUMN level_up.row_digest; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.level_up.row_digest IS 'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

-- Name: network_status; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.network_status (
    platform text NOT NULL COLLATE pg_catalog."C",
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT network_status_platform_check CHECK ((platform = ANY (ARRAY['ios'::text, 'android_unity'::text])))
);

-- Name: TABLE network_status; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.network_status IS 'One row per platform and status of the network. Source: NHN Cloud documents "Gamebase iOS SDK: ETC", section Observer, and the Unity SDK (GamebaseNetworkType). Loaded by: the migration create_reference_data.';

-- Name: COLUMN network_status.platform; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.network_status.platform IS 'ios or android_unity. Events do not name their platform.';

-- Name: COLUMN network_status.code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.network_status.code IS 'Code of the status on the platform. Joins to code of observerNetwork events.';

-- Name: COLUMN network_status.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.network_status.name IS 'The vendor''s name of the constant: no network, mobile network, Wi-Fi, any other network, or not determined yet.';

-- Name: push_action; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.push_action (
    app_id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C"
);

-- Name: TABLE push_action; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.push_action IS 'One row per application and action, a button of push messages. Source: the application''s hive_push_actions.json (Hive SDK document "Advanced Notification Features"). Written by: gamebase-ingest reference load push-actions.';

-- Name: COLUMN push_action.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_action.app_id IS 'The application; empty when neither --app-id nor the database''s setting named one.';

-- Name: COLUMN push_action.action; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_action.action IS 'Identifier of the action.';

-- Name: push_action_title; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.push_action_title (
    app_id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    CONSTRAINT push_action_title_title_check CHECK ((title <> ''::text))
);

-- Name: TABLE push_action_title; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.push_action_title IS 'One row per application, action and language with a title of the button. Source and writer: see game.push_action.';

-- Name: COLUMN push_action_title.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_action_title.app_id IS 'The application; see game.push_action.';

-- Name: COLUMN push_action_title.action; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_action_title.action IS 'Identifier of the action; see game.push_action.';

-- Name: COLUMN push_action_title.language; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_action_title.language IS 'Code of the language, as written in the file; see game.display_language. Every action has the language en.';

-- Name: COLUMN push_action_title.title; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_action_title.title IS 'Title of the button, as written in the file.';

-- Name: push_category_action; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.push_category_action (
    app_id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT push_category_action_position_check CHECK ((("position" >= 1) AND ("position" <= 3)))
);

-- Name: TABLE push_category_action; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.push_category_action IS 'One row per application, category and button: the set of buttons that a push message shows. Source and writer: see game.push_action.';

-- Name: COLUMN push_category_action.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_category_action.app_id IS 'The application; see game.push_action.';

-- Name: COLUMN push_category_action.category; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_category_action.category IS 'Identifier of the category.';

-- Name: COLUMN push_category_action."position"; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_category_action."position" IS 'Place of the button, from 1 to 3.';

-- Name: COLUMN push_category_action.action; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.push_category_action.action IS 'Identifier of the action; see game.push_action.';

-- Name: receipt; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.receipt (
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    product_type text COLLATE pg_catalog."C",
    product_type_raw text,
    store_code text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    amount_minor bigint,
    price_raw text,
    price_repaired boolean NOT NULL,
    price_imprecise boolean NOT NULL,
    purchased_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    payment_id text COLLATE pg_catalog."C",
    original_payment_id text COLLATE pg_catalog."C",
    payload text,
    purchase_token_sha256 bytea,
    purchase_token text,
    is_sandbox boolean,
    is_promotion boolean,
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT receipt_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT receipt_currency_check CHECK ((octet_length(currency) = 3)),
    CONSTRAINT receipt_expires_at_check CHECK (isfinite(expires_at)),
    CONSTRAINT receipt_expires_at_in_range CHECK (((expires_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (expires_at <= '2100-01-01 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT receipt_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT receipt_payment_seq_named CHECK ((payment_seq <> ''::text)),
    CONSTRAINT receipt_product_type_check CHECK ((product_type = ANY (ARRAY['UNKNOWN'::text, 'CONSUMABLE'::text, 'AUTO_RENEWABLE'::text, 'CONSUMABLE_AUTO_RENEWABLE'::text]))),
    CONSTRAINT receipt_purchase_token_sha256_check CHECK ((octet_length(purchase_token_sha256) = 32)),
    CONSTRAINT receipt_purchased_at_check CHECK (isfinite(purchased_at)),
    CONSTRAINT receipt_purchased_at_in_range CHECK (((purchased_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (purchased_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT receipt_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text)))
);
ALTER TABLE ONLY game.receipt ALTER COLUMN price_raw SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN purchase_token_sha256 SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN purchase_token SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN row_digest SET STATISTICS 0;

-- Name: TABLE receipt; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.receipt IS 'One row per payment (paymentSeq). Source: Gamebase purchase receipts. Loaded by: gamebase-ingest. Only rows where is_sandbox is not true count as revenue.';

-- Name: COLUMN receipt.payment_seq; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.payment_seq IS 'The vendor''s number of the payment; the natural key.';

-- Name: COLUMN receipt.app_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.app_id IS 'The application; empty when neither the line nor a default (--app-id or the database''s setting) named one.';

-- Name: COLUMN receipt.user_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.user_id IS 'The user who paid.';

-- Name: COLUMN receipt.gamebase_product_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.gamebase_product_id IS 'The product''s id in the Gamebase console.';

-- Name: COLUMN receipt.market_item_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.market_item_id IS 'The product''s id in the store.';

-- Name: COLUMN receipt.item_seq; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.item_seq IS 'The number of the item in the Gamebase console.';

-- Name: COLUMN receipt.product_type; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.product_type IS 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when the line has none.';

-- Name: COLUMN receipt.product_type_raw; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.product_type_raw IS 'The product type as written in the line, when it differs from product_type.';

-- Name: COLUMN receipt.store_code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.store_code IS 'Code of the store, as written in the line: AS, GG, ONESTORE, ...';

-- Name: COLUMN receipt.currency; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.currency IS 'ISO 4217 code, upper case; see game.currency.';

-- Name: COLUMN receipt.amount_minor; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.amount_minor IS 'Price in the minor unit of the currency (cents for USD, whole yen for JPY); NULL when the vendor gave no price. Never add amounts of different currencies.';

-- Name: COLUMN receipt.price_raw; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.price_raw IS 'The price as written in the line, when it was repaired or is imprecise.';

-- Name: COLUMN receipt.price_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.price_repaired IS 'True when the loader rounded off the error of a 32-bit float (4.989999771118164 becomes 499 cents).';

-- Name: COLUMN receipt.price_imprecise; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.price_imprecise IS 'True when the amount is so large that a 32-bit float may not have held it exactly.';

-- Name: COLUMN receipt.purchased_at; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.purchased_at IS 'Time of the purchase, to the millisecond.';

-- Name: COLUMN receipt.expires_at; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.expires_at IS 'End of the subscription period; NULL for a purchase that is not a subscription.';

-- Name: COLUMN receipt.payment_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.payment_id IS 'The store''s reference of the payment; not unique.';

-- Name: COLUMN receipt.original_payment_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.original_payment_id IS 'The store''s reference of the first payment of the subscription; NULL when not given.';

-- Name: COLUMN receipt.payload; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.payload IS 'Free text from the developer of the game.';

-- Name: COLUMN receipt.purchase_token_sha256; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.purchase_token_sha256 IS 'SHA-256 of the purchase token. The token itself is a credential.';

-- Name: COLUMN receipt.purchase_token; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.purchase_token IS 'The purchase token, a credential. Stored only by a load with --purchase-token store. No view for analysts shows it.';

-- Name: COLUMN receipt.is_sandbox; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.is_sandbox IS 'True for test purchases; NULL when the line has no flag, as with older SDKs and with production receipts on Android.';

-- Name: COLUMN receipt.is_promotion; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.is_promotion IS 'True for promotional purchases; NULL when the line has no flag.';

-- Name: COLUMN receipt.text_repaired; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.text_repaired IS 'True when the loader replaced a NUL or an unpaired surrogate in a free text by U+FFFD.';

-- Name: COLUMN receipt.extra; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.extra IS 'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none.';

-- Name: COLUMN receipt.source_file_id; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.source_file_id IS 'The file that brought the row; see ingest.source_file.';

-- Name: COLUMN receipt.line_number; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.line_number IS 'Line number in that file, from 1.';

-- Name: COLUMN receipt.row_digest; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.receipt.row_digest IS 'Digest of the row''s values under ingest.row_digest_key; NULL after a fill, an acceptance or an undo changed the row, and for a row that an older version loaded.';

-- Name: store; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.store (
    store_code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL
);

-- Name: TABLE store; Type: COMMENT; Schema: game; Owner: -

COMMENT ON TABLE game.store IS 'One row per known code of a store. Source: NHN Cloud document "Gamebase: API Guide" (GG to STEAM), the Unity SDK (GamebaseStoreCode: TS, REDBEANCC, WIN, MAC, WEB) and older documents (ONGATE). Loaded by: the migration create_reference_data.';

-- Name: COLUMN store.store_code; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.store.store_code IS 'Code of the store. Joins to store_code of receipts and items, which also have codes that are not in this table.';

-- Name: COLUMN store.name; Type: COMMENT; Schema: game; Owner: -

COMMENT ON COLUMN game.store.name IS 'Usual name of the store.';

-- Name: source_file_source_file_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.source_file ALTER COLUMN source_file_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME ingest.source_file_source_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: acceptance; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.acceptance (
    acceptance_id bigint DEFAULT nextval('ingest.source_file_source_file_id_seq'::regclass) NOT NULL,
    accepted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    accepted_by text DEFAULT SESSION_USER NOT NULL,
    streams text[] NOT NULL,
    asked_file text,
    asked_load_id bigint,
    asked_stream text,
    asked_field text,
    is_asked_by_key boolean NOT NULL,
    line_count bigint DEFAULT 0 NOT NULL,
    row_count bigint DEFAULT 0 NOT NULL,
    value_count bigint DEFAULT 0 NOT NULL,
    undone_at timestamp with time zone,
    undone_by text,
    CONSTRAINT acceptance_line_count_check CHECK ((line_count >= 0)),
    CONSTRAINT acceptance_row_count_check CHECK ((row_count >= 0)),
    CONSTRAINT acceptance_undone_by_given CHECK (((undone_at IS NULL) = (undone_by IS NULL))),
    CONSTRAINT acceptance_value_count_check CHECK ((value_count >= 0))
);

-- Name: TABLE acceptance; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.acceptance IS 'One row per acceptance, a transaction that wrote the values of refused lines to the stored rows. Written by: ingest.accept_conflicts, ingest.undo_acceptance.';

-- Name: COLUMN acceptance.acceptance_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.acceptance_id IS 'Number of the acceptance, from the number sequence of files: files with larger numbers were loaded after it.';

-- Name: COLUMN acceptance.accepted_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.accepted_at IS 'Time of the acceptance.';

-- Name: COLUMN acceptance.accepted_by; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.accepted_by IS 'The session user who made the acceptance.';

-- Name: COLUMN acceptance.streams; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.streams IS 'The streams that the acceptance searched for conflicts.';

-- Name: COLUMN acceptance.asked_file; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.asked_file IS 'Value of --file, the end of a path or a file number; NULL when the option was not given.';

-- Name: COLUMN acceptance.asked_load_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.asked_load_id IS 'Value of --load; NULL when the option was not given.';

-- Name: COLUMN acceptance.asked_stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.asked_stream IS 'Value of --stream; NULL when the option was not given.';

-- Name: COLUMN acceptance.asked_field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.asked_field IS 'Value of --field; NULL when the option was not given.';

-- Name: COLUMN acceptance.is_asked_by_key; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.is_asked_by_key IS 'True when --key was given. The key itself is not stored, because it can contain a user id.';

-- Name: COLUMN acceptance.line_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.line_count IS 'Accepted lines.';

-- Name: COLUMN acceptance.row_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.row_count IS 'Stored rows that the accepted lines contradicted.';

-- Name: COLUMN acceptance.value_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.value_count IS 'Changed values, including those of follower columns; a value that two lines changed counts twice.';

-- Name: COLUMN acceptance.undone_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.undone_at IS 'Time of the undo; NULL for an acceptance that stands.';

-- Name: COLUMN acceptance.undone_by; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.acceptance.undone_by IS 'The session user who undid the acceptance; NULL while undone_at is NULL.';

-- Name: accepted_value; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.accepted_value (
    accepted_value_id bigint NOT NULL,
    acceptance_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    natural_key jsonb NOT NULL,
    field text NOT NULL COLLATE pg_catalog."C",
    before text,
    after text,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    CONSTRAINT accepted_value_line_number_check CHECK ((line_number >= 1))
);
ALTER TABLE ONLY ingest.accepted_value ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE ONLY ingest.accepted_value ALTER COLUMN after SET STATISTICS 0;

-- Name: TABLE accepted_value; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.accepted_value IS 'One row per acceptance, line and column that received a value. For one key and column, the rows in the order of their numbers are a chain from the loaded value to the stored one. Written by: ingest.accept_conflicts.';

-- Name: COLUMN accepted_value.accepted_value_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.accepted_value_id IS 'Number of the value, ascending in the order of acceptance.';

-- Name: COLUMN accepted_value.acceptance_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.acceptance_id IS 'The acceptance that wrote the value.';

-- Name: COLUMN accepted_value.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.stream IS 'The stream of the row.';

-- Name: COLUMN accepted_value.natural_key; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.natural_key IS 'Key of the changed row, as a JSON array of the key columns'' values.';

-- Name: COLUMN accepted_value.field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.field IS 'The column that received the value: a compared column or a follower of one.';

-- Name: COLUMN accepted_value.before; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.before IS 'The value before the acceptance, as PostgreSQL prints it; NULL for a NULL column. An undo of an earlier value in the chain changes it.';

-- Name: COLUMN accepted_value.after; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.after IS 'The accepted value, in the same form. It can equal before; such a row takes effect when an undo removes an earlier value of the chain.';

-- Name: COLUMN accepted_value.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.source_file_id IS 'The file of the accepted line. The changed row keeps the number of its own file.';

-- Name: COLUMN accepted_value.line_number; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.accepted_value.line_number IS 'Number of the accepted line, from 1.';

-- Name: accepted_value_accepted_value_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.accepted_value ALTER COLUMN accepted_value_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.accepted_value_accepted_value_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: conflict; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.conflict (
    conflict_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    natural_key jsonb NOT NULL,
    field text NOT NULL,
    kept text NOT NULL,
    refused text NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    refused_row jsonb,
    acceptance_id bigint
);
ALTER TABLE ONLY ingest.conflict ALTER COLUMN refused_row SET STATISTICS 0;

-- Name: TABLE conflict; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.conflict IS 'One row per line and column with a value that contradicts the stored row. A load keeps the stored value.';

-- Name: COLUMN conflict.conflict_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.conflict_id IS 'Number of the conflict.';

-- Name: COLUMN conflict.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.stream IS 'The stream of the row.';

-- Name: COLUMN conflict.natural_key; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.natural_key IS 'Key of the stored row, as a JSON array of the key columns'' values.';

-- Name: COLUMN conflict.field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.field IS 'The column with the contradicting value.';

-- Name: COLUMN conflict.kept; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.kept IS 'The stored value at the time of the load, as PostgreSQL prints it. For a purchase token, its digest.';

-- Name: COLUMN conflict.refused; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.refused IS 'The value of the line, in the same form as kept.';

-- Name: COLUMN conflict.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.source_file_id IS 'The file of the refused line. The stored row has the number of its own file.';

-- Name: COLUMN conflict.line_number; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.line_number IS 'Number of the refused line, from 1.';

-- Name: COLUMN conflict.refused_row; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.refused_row IS 'JSON object of all values of the refused line by column, as PostgreSQL prints them, without secrets. Only one conflict of each line has it. It is NULL in the others, and in all conflicts of a line that an older version refused.';

-- Name: COLUMN conflict.acceptance_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.conflict.acceptance_id IS 'The acceptance that wrote the line''s values to the stored row; NULL for an open conflict.';

-- Name: conflict_conflict_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.conflict ALTER COLUMN conflict_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.conflict_conflict_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: definition_set; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.definition_set (
    is_current boolean DEFAULT true NOT NULL,
    checksum bytea NOT NULL,
    function_names text[] NOT NULL,
    built_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT definition_set_is_current_check CHECK (is_current)
);

-- Name: TABLE definition_set; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.definition_set IS 'One row per database, for the set of functions and views that it has. Written by: gamebase-ingest migrate.';

-- Name: COLUMN definition_set.is_current; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.definition_set.is_current IS 'Always true; keeps the table at one row.';

-- Name: COLUMN definition_set.checksum; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.definition_set.checksum IS 'SHA-256 over the names of all migrations and the contents of all function and view files at the last build.';

-- Name: COLUMN definition_set.function_names; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.definition_set.function_names IS 'The functions built, as schema.name. A later version drops those that it no longer contains.';

-- Name: COLUMN definition_set.built_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.definition_set.built_at IS 'Time at which the functions and views were last built.';

-- Name: embedded_count; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.embedded_count (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    inserted_count bigint DEFAULT 0 NOT NULL,
    filled_count bigint DEFAULT 0 NOT NULL,
    duplicate_count bigint DEFAULT 0 NOT NULL,
    conflict_count bigint DEFAULT 0 NOT NULL,
    CONSTRAINT embedded_count_conflict_count_check CHECK ((conflict_count >= 0)),
    CONSTRAINT embedded_count_duplicate_count_check CHECK ((duplicate_count >= 0)),
    CONSTRAINT embedded_count_filled_count_check CHECK ((filled_count >= 0)),
    CONSTRAINT embedded_count_inserted_count_check CHECK ((inserted_count >= 0))
);

-- Name: TABLE embedded_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.embedded_count IS 'One row per loaded file with records of another stream within its accepted lines, such as the receipts of purchaseUpdated events. The counts add up to these records; the outcomes of the lines are in ingest.source_file.';

-- Name: COLUMN embedded_count.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.embedded_count.source_file_id IS 'The file.';

-- Name: COLUMN embedded_count.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.embedded_count.stream IS 'The stream of the records.';

-- Name: COLUMN embedded_count.inserted_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.embedded_count.inserted_count IS 'Records that became a new row.';

-- Name: COLUMN embedded_count.filled_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.embedded_count.filled_count IS 'Records with a known key that supplied values for NULL columns.';

-- Name: COLUMN embedded_count.duplicate_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.embedded_count.duplicate_count IS 'Records with a known key and no new value.';

-- Name: COLUMN embedded_count.conflict_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.embedded_count.conflict_count IS 'Records with a known key and a different value in at least one field; see ingest.conflict.';

-- Name: erased_line; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erased_line (
    source_file_id bigint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    line_count bigint NOT NULL,
    CONSTRAINT erased_line_line_count_check CHECK ((line_count >= 1)),
    CONSTRAINT erased_line_outcome_check CHECK ((outcome = ANY (ARRAY['inserted'::text, 'filled'::text, 'conflict'::text, 'rejected'::text])))
);

-- Name: TABLE erased_line; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.erased_line IS 'One row per loaded file and outcome with erased lines. The file''s count of an outcome is the sum of the lines still stored and the lines counted here.';

-- Name: COLUMN erased_line.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_line.source_file_id IS 'The file of the lines.';

-- Name: COLUMN erased_line.outcome; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_line.outcome IS 'Outcome of the lines: inserted, filled, conflict or rejected, for the count of the same name in ingest.source_file.';

-- Name: COLUMN erased_line.line_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_line.line_count IS 'Lines with that outcome whose rows or records an erasure deleted.';

-- Name: erased_record; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erased_record (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    record_count bigint NOT NULL,
    CONSTRAINT erased_record_outcome_check CHECK ((outcome = ANY (ARRAY['inserted'::text, 'filled'::text, 'conflict'::text]))),
    CONSTRAINT erased_record_record_count_check CHECK ((record_count >= 1))
);

-- Name: TABLE erased_record; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.erased_record IS 'One row per loaded file, stream and outcome with erased records of another stream within its lines, such as the receipts of purchaseUpdated events. The file''s count of an outcome in ingest.embedded_count is the sum of the records still stored and the records counted here. Written by: ingest.erase_user.';

-- Name: COLUMN erased_record.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_record.source_file_id IS 'The file of the lines.';

-- Name: COLUMN erased_record.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_record.stream IS 'The stream of the records.';

-- Name: COLUMN erased_record.outcome; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_record.outcome IS 'Outcome of the records: inserted, filled or conflict, for the count of the same name in ingest.embedded_count.';

-- Name: COLUMN erased_record.record_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_record.record_count IS 'Records with that outcome whose rows or conflicts an erasure deleted.';

-- Name: erased_user; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erased_user (
    user_hmac bytea NOT NULL,
    app_id text COLLATE pg_catalog."C",
    user_filter bigint,
    erased_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT erased_user_user_hmac_check CHECK ((octet_length(user_hmac) = 32))
);

ALTER TABLE ONLY ingest.erased_user REPLICA IDENTITY FULL;

-- Name: TABLE erased_user; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.erased_user IS 'One row per erased user, or per erased user and application: a tombstone. Loads after the erasure suppress the user''s lines. Written by: ingest.erase_user.';

-- Name: COLUMN erased_user.user_hmac; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_user.user_hmac IS 'HMAC-SHA-256 of the user''s id under the erasure key. Without the key it does not reveal the user.';

-- Name: COLUMN erased_user.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_user.app_id IS 'The application of the erasure; NULL for an erasure in all applications.';

-- Name: COLUMN erased_user.user_filter; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_user.user_filter IS 'SipHash-2-4 of the user''s id under a key that is derived from the erasure key. A prefilter: the loader computes the HMAC only for users whose filter value is stored. NULL when an older version erased the user; one NULL makes the loader compute the HMAC for every user.';

-- Name: COLUMN erased_user.erased_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erased_user.erased_at IS 'Time of the user''s first erasure.';

-- Name: erasure_key; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erasure_key (
    is_current boolean DEFAULT true NOT NULL,
    check_value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT erasure_key_check_value_check CHECK ((octet_length(check_value) = 32)),
    CONSTRAINT erasure_key_is_current_check CHECK (is_current)
);

-- Name: TABLE erasure_key; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.erasure_key IS 'One row per database in which a user was erased. It verifies the erasure key without storing the key. Written by: ingest.erase_user.';

-- Name: COLUMN erasure_key.is_current; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erasure_key.is_current IS 'Always true; keeps the table at one row.';

-- Name: COLUMN erasure_key.check_value; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erasure_key.check_value IS 'HMAC-SHA-256 of a constant under the erasure key. The key is kept outside the database.';

-- Name: COLUMN erasure_key.created_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.erasure_key.created_at IS 'Time of the first erasure.';

-- Name: failed_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.failed_file (
    failed_file_id bigint NOT NULL,
    load_id bigint NOT NULL,
    stream text COLLATE pg_catalog."C",
    path text NOT NULL,
    sha256 bytea,
    reason text NOT NULL,
    byte_count bigint DEFAULT 0 NOT NULL,
    line_count bigint DEFAULT 0 NOT NULL,
    rejected_count bigint DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    canonical_path text COLLATE pg_catalog."C",
    first_failed_at timestamp with time zone DEFAULT now() NOT NULL,
    attempt_count bigint DEFAULT 1 NOT NULL,
    error_code integer,
    CONSTRAINT failed_file_attempt_count_check CHECK ((attempt_count >= 1)),
    CONSTRAINT failed_file_sha256_check CHECK ((octet_length(sha256) = 32))
);

-- Name: TABLE failed_file; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.failed_file IS 'One row per file that failed and has not been loaded since. Schema game has no rows of it.';

-- Name: COLUMN failed_file.failed_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.failed_file_id IS 'Number of the failure.';

-- Name: COLUMN failed_file.load_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.load_id IS 'The run in which the file failed.';

-- Name: COLUMN failed_file.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.stream IS 'The stream of the file; NULL when unknown.';

-- Name: COLUMN failed_file.path; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.path IS 'Path of the file, from the command line or from a search of a folder.';

-- Name: COLUMN failed_file.sha256; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.sha256 IS 'SHA-256 of the decoded bytes; NULL when the loader did not read all of them.';

-- Name: COLUMN failed_file.reason; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.reason IS 'The error and the next step.';

-- Name: COLUMN failed_file.byte_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.byte_count IS 'Decoded bytes read before the failure.';

-- Name: COLUMN failed_file.line_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.line_count IS 'Lines read before the failure.';

-- Name: COLUMN failed_file.rejected_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.rejected_count IS 'Lines refused before the failure; the first 1,000 are in ingest.failed_reject.';

-- Name: COLUMN failed_file.failed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.failed_at IS 'Time at which the failure was recorded.';

-- Name: COLUMN failed_file.canonical_path; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.canonical_path IS 'The path by which the file is recognized: the real path of its folder, and its name; - for standard input; NULL if an older version recorded the failure.';

-- Name: COLUMN failed_file.first_failed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.first_failed_at IS 'Time of the first attempt that failed, of those since the file was last loaded.';

-- Name: COLUMN failed_file.attempt_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.attempt_count IS 'Attempts since then that failed, with the first.';

-- Name: COLUMN failed_file.error_code; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_file.error_code IS 'Exit code of the error; NULL if an older version recorded the failure.';

-- Name: failed_file_failed_file_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.failed_file ALTER COLUMN failed_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.failed_file_failed_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: failed_reject; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.failed_reject (
    failed_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    byte_offset bigint NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    field text,
    reason text NOT NULL,
    raw bytea NOT NULL,
    raw_byte_count bigint NOT NULL,
    user_id text COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY ingest.failed_reject ALTER COLUMN user_id SET STATISTICS 0;

-- Name: TABLE failed_reject; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.failed_reject IS 'One row per refused line of a failed file, for the first 1,000 refused lines of the file.';

-- Name: COLUMN failed_reject.failed_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.failed_file_id IS 'The failure of the file.';

-- Name: COLUMN failed_reject.line_number; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.line_number IS 'Line number in the file, from 1.';

-- Name: COLUMN failed_reject.byte_offset; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.byte_offset IS 'Offset of the line''s first byte in the decoded bytes, from 0.';

-- Name: COLUMN failed_reject.code; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.code IS 'Reject code, from the same closed list as ingest.reject.code.';

-- Name: COLUMN failed_reject.field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.field IS 'The field at fault, as spelled in the line; NULL when the whole line is at fault.';

-- Name: COLUMN failed_reject.reason; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.reason IS 'Reason in words. It never contains the value.';

-- Name: COLUMN failed_reject.raw; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.raw IS 'Bytes of the line, with purchase tokens replaced by their digests, cut at 4 KiB.';

-- Name: COLUMN failed_reject.raw_byte_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.raw_byte_count IS 'Length of the line in bytes.';

-- Name: COLUMN failed_reject.user_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.user_id IS 'The user of the line; NULL when the loader could not read it.';

-- Name: COLUMN failed_reject.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failed_reject.app_id IS 'The application of the line, else the default of its file; NULL when the loader could not read it.';

-- Name: failure_dismissal; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.failure_dismissal (
    failed_file_id bigint NOT NULL,
    load_id bigint NOT NULL,
    stream text COLLATE pg_catalog."C",
    path text NOT NULL,
    reason text NOT NULL,
    failed_at timestamp with time zone NOT NULL,
    dismissed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    dismissed_by text DEFAULT SESSION_USER NOT NULL,
    note text
);

-- Name: TABLE failure_dismissal; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.failure_dismissal IS 'One row per dismissed failure of a file; a dismissed failure needs no further action. The row stays when the file loads later. Written by: gamebase-ingest failures dismiss.';

-- Name: COLUMN failure_dismissal.failed_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.failed_file_id IS 'Number of the failure. Its row in ingest.failed_file is deleted when the file loads or fails again.';

-- Name: COLUMN failure_dismissal.load_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.load_id IS 'The run in which the file failed.';

-- Name: COLUMN failure_dismissal.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.stream IS 'The stream of the file; NULL when unknown.';

-- Name: COLUMN failure_dismissal.path; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.path IS 'Path of the file in that run.';

-- Name: COLUMN failure_dismissal.reason; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.reason IS 'The error and the next step, from ingest.failed_file.';

-- Name: COLUMN failure_dismissal.failed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.failed_at IS 'Time at which the failure was recorded.';

-- Name: COLUMN failure_dismissal.dismissed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.dismissed_at IS 'Time of the dismissal.';

-- Name: COLUMN failure_dismissal.dismissed_by; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.dismissed_by IS 'The session user who dismissed the failure.';

-- Name: COLUMN failure_dismissal.note; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.failure_dismissal.note IS 'Note of the dismissal; NULL when none was given.';

-- Name: file_app; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.file_app (
    source_file_id bigint NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone,
    CONSTRAINT events_in_order CHECK (((num_nulls(first_event_at, newest_event_at) = ANY (ARRAY[0, 2])) AND (first_event_at <= newest_event_at))),
    CONSTRAINT events_of_contract CHECK (((first_event_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (newest_event_at <= '2100-01-02 00:00:00+00'::timestamp with time zone)))
);

-- Name: TABLE file_app; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.file_app IS 'One row per loaded file and application of its accepted lines: new, filled and known ones. Erasures and retention leave it. Records within lines do not count.';

-- Name: COLUMN file_app.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.file_app.source_file_id IS 'The file.';

-- Name: COLUMN file_app.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.file_app.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN file_app.first_event_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.file_app.first_event_at IS 'Time of the first event: an accepted line with a time of its own; NULL without an event.';

-- Name: COLUMN file_app.newest_event_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.file_app.newest_event_at IS 'Time of the newest event; NULL without an event.';

-- Name: fill; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.fill (
    fill_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    natural_key jsonb NOT NULL,
    field text NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL
);

-- Name: TABLE fill; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.fill IS 'One row per NULL column of a stored row that a later line filled. An undo of the later line''s file takes the value back.';

-- Name: COLUMN fill.fill_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.fill.fill_id IS 'Number of the fill.';

-- Name: COLUMN fill.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.fill.stream IS 'The stream of the row.';

-- Name: COLUMN fill.natural_key; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.fill.natural_key IS 'Key of the filled row, as a JSON array of the key columns'' values.';

-- Name: COLUMN fill.field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.fill.field IS 'The column that was filled.';

-- Name: COLUMN fill.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.fill.source_file_id IS 'The file of the line that supplied the value.';

-- Name: COLUMN fill.line_number; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.fill.line_number IS 'Number of the line that supplied the value, from 1.';

-- Name: fill_fill_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.fill ALTER COLUMN fill_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.fill_fill_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: kept_observation; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.kept_observation (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    stream text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    first_observed_at timestamp with time zone NOT NULL,
    last_observed_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY ingest.kept_observation ALTER COLUMN user_id SET STATISTICS 0;

-- Name: TABLE kept_observation; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.kept_observation IS 'One row per application, user, stream and file whose rows of the user retention dropped: the first and the last of them. Written by: ingest.drop_month.';

-- Name: COLUMN kept_observation.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.kept_observation.app_id IS 'The application.';

-- Name: COLUMN kept_observation.user_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.kept_observation.user_id IS 'The user.';

-- Name: COLUMN kept_observation.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.kept_observation.stream IS 'The stream of the rows: level_up or game_user.';

-- Name: COLUMN kept_observation.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.kept_observation.source_file_id IS 'The file that brought the rows.';

-- Name: COLUMN kept_observation.first_observed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.kept_observation.first_observed_at IS 'Time of the first dropped row that has a time of its own.';

-- Name: COLUMN kept_observation.last_observed_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.kept_observation.last_observed_at IS 'Time of the last one.';

-- Name: load; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.load (
    load_id bigint NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone,
    finished_at timestamp with time zone,
    exit_code integer,
    loader_version text NOT NULL,
    database_user text DEFAULT CURRENT_USER NOT NULL
);

-- Name: TABLE load; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.load IS 'One row per run of the loader. The run commits it at its start, in a separate transaction.';

-- Name: COLUMN load.load_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.load_id IS 'Number of the run.';

-- Name: COLUMN load.started_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.started_at IS 'Start of the run, by the server''s clock.';

-- Name: COLUMN load.seen_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.seen_at IS 'Last heartbeat of the run, by the server''s clock. The run sends one after 10 s and then every 15 s; NULL for a run shorter than 10 s.';

-- Name: COLUMN load.finished_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.finished_at IS 'End of the run; NULL while it runs and for a killed run.';

-- Name: COLUMN load.exit_code; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.exit_code IS 'Exit code of the run; NULL while finished_at is NULL.';

-- Name: COLUMN load.loader_version; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.loader_version IS 'Version of the program.';

-- Name: COLUMN load.database_user; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.load.database_user IS 'The role of the run''s connection.';

-- Name: load_load_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.load ALTER COLUMN load_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.load_load_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: reference_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.reference_file (
    reference_file_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL,
    sha256 bytea NOT NULL,
    byte_count bigint NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL,
    loader_version text NOT NULL,
    database_user text DEFAULT CURRENT_USER NOT NULL,
    CONSTRAINT reference_file_byte_count_check CHECK ((byte_count >= 0)),
    CONSTRAINT reference_file_kind_check CHECK ((kind = 'push-actions'::text)),
    CONSTRAINT reference_file_sha256_check CHECK ((octet_length(sha256) = 32))
);

-- Name: TABLE reference_file; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.reference_file IS 'One row per loaded file of reference data. The newest row of a kind and application is the file whose content is stored. Written by: gamebase-ingest reference load push-actions.';

-- Name: COLUMN reference_file.reference_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.reference_file_id IS 'Number of the file; a later file has a larger one.';

-- Name: COLUMN reference_file.kind; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.kind IS 'The data of the file: push-actions.';

-- Name: COLUMN reference_file.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.app_id IS 'The application of the data; empty when neither --app-id nor the database''s setting named one.';

-- Name: COLUMN reference_file.path; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.path IS 'The path as given.';

-- Name: COLUMN reference_file.sha256; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.sha256 IS 'SHA-256 of the decoded bytes. A file with the digest of the newest one changes nothing.';

-- Name: COLUMN reference_file.byte_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.byte_count IS 'Number of decoded bytes.';

-- Name: COLUMN reference_file.loaded_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.loaded_at IS 'Time of the load, by the server''s clock.';

-- Name: COLUMN reference_file.loader_version; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.loader_version IS 'Version of the program.';

-- Name: COLUMN reference_file.database_user; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reference_file.database_user IS 'The role of the load''s connection.';

-- Name: reference_file_reference_file_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.reference_file ALTER COLUMN reference_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.reference_file_reference_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: reject; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.reject (
    reject_id bigint NOT NULL,
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    line_number bigint NOT NULL,
    byte_offset bigint NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    field text,
    reason text NOT NULL,
    raw bytea NOT NULL,
    raw_byte_count bigint NOT NULL,
    user_id text COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C",
    resolved_at timestamp with time zone,
    resolved_order bigint,
    CONSTRAINT reject_byte_offset_check CHECK ((byte_offset >= 0)),
    CONSTRAINT reject_line_number_check CHECK ((line_number >= 1))
);
ALTER TABLE ONLY ingest.reject ALTER COLUMN user_id SET STATISTICS 0;

-- Name: TABLE reject; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.reject IS 'One row per refused line of a loaded file, with all that is needed to find, repair and replay the line.';

-- Name: COLUMN reject.reject_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.reject_id IS 'Number of the reject.';

-- Name: COLUMN reject.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.source_file_id IS 'The file of the line.';

-- Name: COLUMN reject.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.stream IS 'The stream of the file.';

-- Name: COLUMN reject.line_number; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.line_number IS 'Line number in the file, from 1.';

-- Name: COLUMN reject.byte_offset; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.byte_offset IS 'Offset of the line''s first byte in the decoded bytes, from 0; a byte-order mark counts.';

-- Name: COLUMN reject.code; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.code IS 'Reject code, from a closed list of codes that never change their meaning; see the table of reject codes in the documentation.';

-- Name: COLUMN reject.field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.field IS 'The field at fault, as spelled in the line; NULL when the whole line is at fault.';

-- Name: COLUMN reject.reason; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.reason IS 'Reason in words. It never contains the value.';

-- Name: COLUMN reject.raw; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.raw IS 'Bytes of the line, with purchase tokens replaced by their digests, cut at 64 KiB.';

-- Name: COLUMN reject.raw_byte_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.raw_byte_count IS 'Length of the line in bytes. A raw value shorter than 64 KiB is the whole line.';

-- Name: COLUMN reject.user_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.user_id IS 'The user of the line; NULL when the loader could not read it.';

-- Name: COLUMN reject.app_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.app_id IS 'The application of the line, else the default of its file; NULL when the loader could not read it.';

-- Name: COLUMN reject.resolved_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.resolved_at IS 'Time at which a replay loaded or suppressed the line; NULL for an open reject.';

-- Name: COLUMN reject.resolved_order; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.reject.resolved_order IS 'Position of that replay in the number sequence of files: files with larger numbers were loaded after it.';

-- Name: reject_reject_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.reject ALTER COLUMN reject_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.reject_reject_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: row_digest_key; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.row_digest_key (
    points bytea NOT NULL,
    CONSTRAINT row_digest_key_points_check CHECK ((octet_length(points) = 16))
);

ALTER TABLE ONLY ingest.row_digest_key REPLICA IDENTITY FULL;

-- Name: TABLE row_digest_key; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.row_digest_key IS 'One row per database: the key of its row digests. It is secret, so that an attacker cannot prepare two rows with the same digest. After a change of the key, the digests of older rows match no new digest, and a load compares those rows value by value.';

-- Name: COLUMN row_digest_key.points; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.row_digest_key.points IS 'Two 64-bit random numbers; the digest uses 61 bits of each.';

-- Name: schema_migration; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.schema_migration (
    version text NOT NULL COLLATE pg_catalog."C",
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE schema_migration; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.schema_migration IS 'One row per migration that is applied to this database. Written by: gamebase-ingest migrate.';

-- Name: COLUMN schema_migration.version; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.schema_migration.version IS 'File name of the migration without its extension.';

-- Name: COLUMN schema_migration.checksum; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.schema_migration.checksum IS 'SHA-256 of the applied file. A merged migration never changes.';

-- Name: COLUMN schema_migration.applied_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.schema_migration.applied_at IS 'Time at which the migration was applied.';

-- Name: setting; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.setting (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    set_at timestamp with time zone DEFAULT now() NOT NULL,
    set_by text DEFAULT SESSION_USER NOT NULL,
    CONSTRAINT setting_base_currency_check CHECK (((name <> 'base-currency'::text) OR (value ~ '^[A-Z]{3}$'::text))),
    CONSTRAINT setting_name_check CHECK (((name = ANY (ARRAY['app-id'::text, 'apps'::text, 'time-zone'::text, 'base-currency'::text, 'receipt-feed'::text, 'max-age'::text, 'min-daily-lines'::text])) OR (name ~ '^(receipt-feed|max-age|min-daily-lines)\..'::text))),
    CONSTRAINT setting_number_check CHECK (((name !~ '^(max-age|min-daily-lines)'::text) OR (value ~ '^[1-9][0-9]{0,6}$'::text))),
    CONSTRAINT setting_receipt_feed_check CHECK (((name !~ '^receipt-feed'::text) OR (value = ANY (ARRAY['auto'::text, 'files'::text, 'events'::text])))),
    CONSTRAINT setting_time_zone_check CHECK (((name <> 'time-zone'::text) OR (value = 'UTC'::text) OR ((value ~ '^[A-Za-z].*/.'::text) AND (value !~ '^(Etc|posix|right)/'::text)))),
    CONSTRAINT setting_value_check CHECK ((value <> ''::text))
);

-- Name: TABLE setting; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.setting IS 'One row per setting of this database that differs from its default. Written by: gamebase-ingest settings.';

-- Name: COLUMN setting.name; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.setting.name IS 'Name of the setting. app-id is the application of lines without one, apps the applications that lines may belong to, separated by commas (default: any), time-zone the zone of the days in the reports (default: UTC), base-currency the currency of converted revenue, receipt-feed the files that money views follow, receipt-feed.APP the same for one application, max-age the hours after which a stream is late, min-daily-lines the lines of a day below which a missing day counts for nothing, both also for one stream.';

-- Name: COLUMN setting.value; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.setting.value IS 'Value of the setting.';

-- Name: COLUMN setting.set_at; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.setting.set_at IS 'Time at which the value was set.';

-- Name: COLUMN setting.set_by; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.setting.set_by IS 'The session user who set the value.';

-- Name: stream; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.stream (
    stream text NOT NULL COLLATE pg_catalog."C",
    target_table text NOT NULL COLLATE pg_catalog."C",
    key_columns text[] NOT NULL,
    compared_columns text[] NOT NULL,
    followers jsonb DEFAULT '{}'::jsonb NOT NULL,
    empty_is_absent_columns text[] DEFAULT '{}'::text[] NOT NULL,
    secret_columns text[] DEFAULT '{}'::text[] NOT NULL,
    partition_column text,
    time_column text COLLATE pg_catalog."C",
    time_source_column text COLLATE pg_catalog."C",
    has_player boolean DEFAULT true NOT NULL,
    has_user boolean DEFAULT true NOT NULL,
    embedded_stream text COLLATE pg_catalog."C"
);

-- Name: TABLE stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.stream IS 'One row per stream, with its table, its natural key and the columns that a merge compares. Written by: the migration that creates the stream.';

-- Name: COLUMN stream.stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.stream IS 'Name of the stream: one kind of record.';

-- Name: COLUMN stream.target_table; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.target_table IS 'Table of the stream in schema game.';

-- Name: COLUMN stream.key_columns; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.key_columns IS 'Columns of the natural key, in the order of a natural_key array.';

-- Name: COLUMN stream.compared_columns; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.compared_columns IS 'Columns that a merge compares: equal values make a duplicate, a different value makes a conflict, and a later line can fill a NULL.';

-- Name: COLUMN stream.followers; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.followers IS 'JSON object that maps a compared column to its follower columns. A line that fills the compared column also sets its followers.';

-- Name: COLUMN stream.empty_is_absent_columns; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.empty_is_absent_columns IS 'Compared columns in which an empty text counts as absent, like NULL.';

-- Name: COLUMN stream.secret_columns; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.secret_columns IS 'Compared columns that hold secrets. A conflict never records their values.';

-- Name: COLUMN stream.partition_column; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.partition_column IS 'The column whose month (UTC) partitions the table; NULL for a table without partitions.';

-- Name: COLUMN stream.time_column; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.time_column IS 'The column whose time puts a row into the days of the reports; NULL for a stream that no report reads.';

-- Name: COLUMN stream.time_source_column; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.time_source_column IS 'The column with the origin of that time: with load_start a row has no time of its own. NULL when every row has one.';

-- Name: COLUMN stream.has_player; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.has_player IS 'False when no figure of a player counts the rows: a refresh then ignores their user.';

-- Name: COLUMN stream.has_user; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.has_user IS 'False when the rows of the stream have no user_id: they belong to no user, and an erasure leaves them.';

-- Name: COLUMN stream.embedded_stream; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.stream.embedded_stream IS 'The stream whose records lie within lines of this one, such as the receipts in event messages; NULL when none do. A file of this stream then brings rows of both.';

-- Name: unknown_field; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.unknown_field (
    source_file_id bigint NOT NULL,
    field text COLLATE pg_catalog."C",
    line_count bigint NOT NULL,
    first_line_number bigint NOT NULL,
    CONSTRAINT unknown_field_first_line_number_check CHECK ((first_line_number >= 1)),
    CONSTRAINT unknown_field_line_count_check CHECK ((line_count >= 1))
);

ALTER TABLE ONLY ingest.unknown_field REPLICA IDENTITY FULL;

-- Name: TABLE unknown_field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.unknown_field IS 'One row per loaded file and field name that its stream does not declare. A new name can mean that the vendor changed its schema. The values are in column extra of the fact rows.';

-- Name: COLUMN unknown_field.source_file_id; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.unknown_field.source_file_id IS 'The file with the field.';

-- Name: COLUMN unknown_field.field; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.unknown_field.field IS 'Field name, as spelled in the lines; NULL stands for all names after the first 1,000 and all names longer than 256 bytes.';

-- Name: COLUMN unknown_field.line_count; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.unknown_field.line_count IS 'Lines with the field, including refused lines.';

-- Name: COLUMN unknown_field.first_line_number; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.unknown_field.first_line_number IS 'Number of the first line with the field, from 1.';

-- Name: app_horizon; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.app_horizon (
    app_id text NOT NULL COLLATE pg_catalog."C",
    receipt_feed text NOT NULL COLLATE pg_catalog."C",
    receipt_first_at timestamp with time zone,
    receipt_newest_at timestamp with time zone,
    money_first_at timestamp with time zone,
    money_newest_at timestamp with time zone,
    first_at timestamp with time zone,
    horizon_at timestamp with time zone,
    observed_first_at timestamp with time zone,
    observed_newest_at timestamp with time zone,
    CONSTRAINT app_horizon_receipt_feed_check CHECK ((receipt_feed = ANY (ARRAY['files'::text, 'events'::text])))
);

-- Name: TABLE app_horizon; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.app_horizon IS 'One row per application with an accepted line, a stored receipt or an observed user, as of the last refresh: how far its events go. The streams here are level_up, game_user and, in the place of receipt, the followed feed. Written by: a refresh.';

-- Name: COLUMN app_horizon.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN app_horizon.receipt_feed; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.receipt_feed IS 'The files that money views follow: receipt files, or files of events. From the settings receipt-feed and receipt-feed.APP.';

-- Name: COLUMN app_horizon.receipt_first_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.receipt_first_at IS 'Time of the first event of that feed; NULL without one.';

-- Name: COLUMN app_horizon.receipt_newest_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.receipt_newest_at IS 'Time of the newest event of that feed; NULL without one.';

-- Name: COLUMN app_horizon.money_first_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.money_first_at IS 'The earlier of receipt_first_at and the first stored receipt: money views begin here.';

-- Name: COLUMN app_horizon.money_newest_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.money_newest_at IS 'The later of receipt_newest_at and the newest stored receipt: money views end here.';

-- Name: COLUMN app_horizon.first_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.first_at IS 'Time of the first event in any of the streams; NULL without an event.';

-- Name: COLUMN app_horizon.horizon_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.horizon_at IS 'The smallest of the streams'' newest event times. A stream more than 8 days behind the newest one counts as stopped and is left out.';

-- Name: COLUMN app_horizon.observed_first_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.observed_first_at IS 'The earlier of first_at and the start of the first day with an observed user: observed_by_period begins here.';

-- Name: COLUMN app_horizon.observed_newest_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.app_horizon.observed_newest_at IS 'The later of the newest event and the start of the newest day with an observed user: observed_by_period ends here.';

-- Name: horizon; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.horizon (
    app_id text NOT NULL COLLATE pg_catalog."C",
    stream text NOT NULL COLLATE pg_catalog."C",
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone,
    first_on date,
    newest_on date,
    newest_day_line_count bigint
);

-- Name: TABLE horizon; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.horizon IS 'One row per application and stream with an accepted line in a loaded file, as of the last refresh. Written by: a refresh.';

-- Name: COLUMN horizon.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN horizon.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.stream IS 'The stream of the files.';

-- Name: COLUMN horizon.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.first_event_at IS 'Time of the first event in the files; NULL without an event.';

-- Name: COLUMN horizon.newest_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.newest_event_at IS 'Time of the newest event in the files: the horizon; NULL without an event.';

-- Name: COLUMN horizon.first_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.first_on IS 'Day of first_event_at in the reporting zone.';

-- Name: COLUMN horizon.newest_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.newest_on IS 'Day of newest_event_at in the reporting zone.';

-- Name: COLUMN horizon.newest_day_line_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.horizon.newest_day_line_count IS 'Stored receipts of the day of newest_event_at, up to that time; NULL where rollup.stream_day has the same count.';

-- Name: player; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    first_observed_at timestamp with time zone,
    first_observed_on date,
    first_observed_in text COLLATE pg_catalog."C",
    last_observed_at timestamp with time zone,
    last_observed_in text COLLATE pg_catalog."C",
    first_paid_at timestamp with time zone,
    first_paid_on date,
    last_paid_at timestamp with time zone,
    paid_count bigint NOT NULL,
    receipt_count bigint NOT NULL,
    subscription_count bigint NOT NULL,
    user_level integer,
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    newest_at timestamp with time zone,
    observed_on date,
    level_up_on date,
    snapshot_on date,
    last_level_up_at timestamp with time zone,
    highest_level integer,
    levels integer[] NOT NULL,
    reached_at timestamp with time zone[] NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY rollup.player ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.player ALTER COLUMN levels SET STATISTICS 0;
ALTER TABLE ONLY rollup.player ALTER COLUMN reached_at SET STATISTICS 0;

-- Name: TABLE player; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.player IS 'One row per application and user with any stored row or kept observation, with the state from which the fold continues when later rows come. Written by: a refresh.';

-- Name: COLUMN player.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.app_id IS 'The application.';

-- Name: COLUMN player.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.user_id IS 'The user.';

-- Name: COLUMN player.first_observed_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.first_observed_at IS 'Time of the first observation; NULL for none.';

-- Name: COLUMN player.first_observed_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.first_observed_on IS 'Day of the first observation in the reporting zone.';

-- Name: COLUMN player.first_observed_in; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.first_observed_in IS 'Stream of the first observation: receipt, level_up or game_user.';

-- Name: COLUMN player.last_observed_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.last_observed_at IS 'Time of the last observation; NULL for none.';

-- Name: COLUMN player.last_observed_in; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.last_observed_in IS 'Stream of the last observation.';

-- Name: COLUMN player.first_paid_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.first_paid_at IS 'Time of the first paid purchase; NULL for none.';

-- Name: COLUMN player.first_paid_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.first_paid_on IS 'Day of the first paid purchase in the reporting zone.';

-- Name: COLUMN player.last_paid_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.last_paid_at IS 'Time of the last paid purchase; NULL for none.';

-- Name: COLUMN player.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.paid_count IS 'Number of paid purchases.';

-- Name: COLUMN player.receipt_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.receipt_count IS 'Number of receipts, sandbox included.';

-- Name: COLUMN player.subscription_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.subscription_count IS 'Number of receipts that form subscriptions.';

-- Name: COLUMN player.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.user_level IS 'Current level; of several characters the highest.';

-- Name: COLUMN player.channel_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.channel_id IS 'Channel of the row that gives the current level.';

-- Name: COLUMN player.character_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.character_id IS 'Character of that row.';

-- Name: COLUMN player.class_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.class_id IS 'Class of that row.';

-- Name: COLUMN player.newest_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.newest_at IS 'Time of the newest row that has a time of its own. The fold continues with later rows only.';

-- Name: COLUMN player.observed_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.observed_on IS 'Newest day with an observation by a stored row.';

-- Name: COLUMN player.level_up_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.level_up_on IS 'Newest day with a level-up.';

-- Name: COLUMN player.snapshot_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.snapshot_on IS 'Newest day with a snapshot that has a time of its own.';

-- Name: COLUMN player.last_level_up_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.last_level_up_at IS 'Time of the last level-up; NULL for none.';

-- Name: COLUMN player.highest_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.highest_level IS 'Highest level of any level-up; NULL for none.';

-- Name: COLUMN player.levels; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.levels IS 'The levels of all level-ups, each once, ascending.';

-- Name: COLUMN player.reached_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player.reached_at IS 'The first time of each level, in the order of levels.';

-- Name: app; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.app AS
 SELECT a.app_id,
    h.first_event_at,
    h.newest_event_at,
    COALESCE(p.player_count, (0)::bigint) AS player_count,
    a.receipt_feed
   FROM ((( SELECT horizon.app_id,
            min(horizon.first_event_at) AS first_event_at,
            max(horizon.newest_event_at) AS newest_event_at
           FROM rollup.horizon
          GROUP BY horizon.app_id) h
     JOIN rollup.app_horizon a ON ((a.app_id = h.app_id)))
     LEFT JOIN ( SELECT player.app_id,
            count(*) AS player_count
           FROM rollup.player
          GROUP BY player.app_id) p ON ((p.app_id = h.app_id)));

-- Name: VIEW app; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.app IS 'One row per application with an accepted line in a loaded file, as of the last refresh.';

-- Name: COLUMN app.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.app.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN app.first_event_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.app.first_event_at IS 'Time of the first event in any of the five streams; NULL when no accepted line has a time of its own.';

-- Name: COLUMN app.newest_event_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.app.newest_event_at IS 'Time of the newest event in any of the five streams; NULL like first_event_at.';

-- Name: COLUMN app.player_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.app.player_count IS 'Players of the application: the rows of report.player. Players do not add up over applications.';

-- Name: COLUMN app.receipt_feed; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.app.receipt_feed IS 'The files that money views follow: files for receipt files, events for files of events. See the setting receipt-feed.';

-- Name: calendar_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.calendar_period (
    period text NOT NULL COLLATE pg_catalog."C",
    period_start date NOT NULL,
    last_day date NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT calendar_period_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);

-- Name: TABLE calendar_period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.calendar_period IS 'One row per day, week (from Monday) and month of the reporting zone, from the first event to 400 days after the newest. Written by: rollup.collect_touched.';

-- Name: COLUMN calendar_period.period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.calendar_period.period IS 'day, week or month.';

-- Name: COLUMN calendar_period.period_start; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.calendar_period.period_start IS 'First day of the period.';

-- Name: COLUMN calendar_period.last_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.calendar_period.last_day IS 'Last day of the period.';

-- Name: COLUMN calendar_period.starts_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.calendar_period.starts_at IS 'First instant of the period.';

-- Name: COLUMN calendar_period.ends_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.calendar_period.ends_at IS 'First instant after the period.';

-- Name: dropped_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.dropped_month (
    stream text NOT NULL COLLATE pg_catalog."C",
    month date NOT NULL,
    source_file_id bigint NOT NULL,
    starts_at timestamp with time zone GENERATED ALWAYS AS (((month)::timestamp without time zone AT TIME ZONE 'UTC'::text)) STORED NOT NULL,
    ends_at timestamp with time zone GENERATED ALWAYS AS ((((month)::timestamp without time zone + '1 mon'::interval) AT TIME ZONE 'UTC'::text)) STORED NOT NULL,
    CONSTRAINT dropped_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

-- Name: TABLE dropped_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.dropped_month IS 'One row per stream and month (UTC) whose rows retention dropped. Figures of its days are incomplete.';

-- Name: COLUMN dropped_month.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.dropped_month.stream IS 'The stream.';

-- Name: COLUMN dropped_month.month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.dropped_month.month IS 'First day of the month, in UTC.';

-- Name: COLUMN dropped_month.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.dropped_month.source_file_id IS 'Rows of files up to this number were dropped; later files may have brought rows of the month again.';

-- Name: COLUMN dropped_month.starts_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.dropped_month.starts_at IS 'First instant of the month.';

-- Name: COLUMN dropped_month.ends_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.dropped_month.ends_at IS 'First instant after the month.';

-- Name: player_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_period (
    app_id text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    period_start date NOT NULL,
    row_count bigint NOT NULL,
    observed_user_count bigint NOT NULL,
    level_up_user_count bigint NOT NULL,
    snapshot_user_count bigint NOT NULL,
    new_user_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    new_payer_count bigint NOT NULL,
    CONSTRAINT player_period_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.player_period REPLICA IDENTITY FULL;

-- Name: TABLE player_period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.player_period IS 'One row per application and day, week or month with any row that has a time of its own, or a first observation. Written by: rollup.add_up.';

-- Name: COLUMN player_period.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.app_id IS 'The application.';

-- Name: COLUMN player_period.period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.period IS 'day, week (from Monday) or month.';

-- Name: COLUMN player_period.period_start; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.period_start IS 'First day of the period.';

-- Name: COLUMN player_period.row_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.row_count IS 'Days of players and first observations in the period, which keep the row.';

-- Name: COLUMN player_period.observed_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.observed_user_count IS 'Users observed in the period.';

-- Name: COLUMN player_period.level_up_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.level_up_user_count IS 'Users with a level-up.';

-- Name: COLUMN player_period.snapshot_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.snapshot_user_count IS 'Users with a snapshot.';

-- Name: COLUMN player_period.new_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.new_user_count IS 'Users first observed in the period.';

-- Name: COLUMN player_period.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.payer_count IS 'Users with a paid purchase.';

-- Name: COLUMN player_period.new_payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_period.new_payer_count IS 'Users whose first paid purchase falls into the period.';

-- Name: observed_by_period; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.observed_by_period AS
 SELECT c.period,
    c.period_start,
    h.app_id,
        CASE
            WHEN (NOT d.is_dropped) THEN COALESCE(r.observed_user_count, (0)::bigint)
            ELSE NULL::bigint
        END AS observed_user_count,
        CASE
            WHEN (NOT d.is_dropped) THEN COALESCE(r.level_up_user_count, (0)::bigint)
            ELSE NULL::bigint
        END AS level_up_user_count,
        CASE
            WHEN (NOT d.is_dropped) THEN COALESCE(r.snapshot_user_count, (0)::bigint)
            ELSE NULL::bigint
        END AS snapshot_user_count,
        CASE
            WHEN (NOT d.is_dropped) THEN COALESCE(r.payer_count, (0)::bigint)
            ELSE NULL::bigint
        END AS payer_count,
        CASE
            WHEN (NOT d.is_dropped) THEN COALESCE(r.new_user_count, (0)::bigint)
            ELSE NULL::bigint
        END AS new_user_count,
    ((NOT d.is_dropped) AND COALESCE(((c.starts_at >= h.first_at) AND (c.ends_at <= h.horizon_at)), false)) AS is_complete
   FROM (((rollup.app_horizon h
     JOIN rollup.calendar_period c ON (((c.ends_at > h.observed_first_at) AND (c.starts_at <= h.observed_newest_at))))
     CROSS JOIN LATERAL ( SELECT (EXISTS ( SELECT 1
                   FROM rollup.dropped_month m
                  WHERE ((m.stream = ANY (ARRAY['receipt'::text, 'level_up'::text, 'game_user'::text])) AND (c.starts_at < m.ends_at) AND (c.ends_at > m.starts_at)))) AS is_dropped) d)
     LEFT JOIN rollup.player_period r ON (((r.app_id = h.app_id) AND (r.period = c.period) AND (r.period_start = c.period_start))));

-- Name: VIEW observed_by_period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.observed_by_period IS 'One row per period and application, from the first event of any stream to the newest. Not daily active users: the streams contain no logins. Users do not add up over rows.';

-- Name: COLUMN observed_by_period.period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.period IS 'day, week (from Monday) or month, in the reporting zone.';

-- Name: COLUMN observed_by_period.period_start; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.period_start IS 'First day of the period.';

-- Name: COLUMN observed_by_period.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN observed_by_period.observed_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.observed_user_count IS 'Users with a production purchase that the store did not make by itself, a level-up, or a snapshot with a time of its own; NULL when retention dropped rows of the period.';

-- Name: COLUMN observed_by_period.level_up_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.level_up_user_count IS 'Users with a level-up; NULL when retention dropped rows of the period.';

-- Name: COLUMN observed_by_period.snapshot_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.snapshot_user_count IS 'Users with a snapshot that has a time of its own; NULL when retention dropped rows of the period.';

-- Name: COLUMN observed_by_period.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.payer_count IS 'Users with a paid purchase; NULL when retention dropped rows of the period.';

-- Name: COLUMN observed_by_period.new_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.new_user_count IS 'Users whose first observation falls into the period; NULL when retention dropped rows of the period.';

-- Name: COLUMN observed_by_period.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.observed_by_period.is_complete IS 'True when all streams of the application have gone past the period and the first event is not after its start. Late files can still change it.';

-- Name: currency_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.currency_period (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    period_start date NOT NULL,
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    new_payer_amount_minor numeric NOT NULL,
    CONSTRAINT currency_period_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.currency_period REPLICA IDENTITY FULL;

-- Name: TABLE currency_period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.currency_period IS 'One row per application, currency and day, week or month with a paid purchase. Written by: rollup.add_up.';

-- Name: COLUMN currency_period.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.app_id IS 'The application.';

-- Name: COLUMN currency_period.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.currency IS 'ISO 4217 code.';

-- Name: COLUMN currency_period.period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.period IS 'day, week (from Monday) or month.';

-- Name: COLUMN currency_period.period_start; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.period_start IS 'First day of the period.';

-- Name: COLUMN currency_period.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.paid_count IS 'Paid purchases.';

-- Name: COLUMN currency_period.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.payer_count IS 'Users with a paid purchase in the currency.';

-- Name: COLUMN currency_period.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.amount_minor IS 'Sum of the paid purchases, in the minor unit.';

-- Name: COLUMN currency_period.new_payer_amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.currency_period.new_payer_amount_minor IS 'Part of amount_minor from users whose first paid purchase in the application falls into the period.';

-- Name: arppu_by_period; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.arppu_by_period AS
 SELECT c.period,
    c.period_start,
    h.app_id,
    k.currency,
    COALESCE(r.amount_minor, (0)::numeric) AS amount_minor,
    (COALESCE(r.amount_minor, (0)::numeric) * u.minor_unit_value) AS amount,
    COALESCE(r.payer_count, (0)::bigint) AS payer_count,
    (COALESCE(r.new_payer_amount_minor, (0)::numeric) * u.minor_unit_value) AS new_payer_amount,
    (COALESCE((r.amount_minor - r.new_payer_amount_minor), (0)::numeric) * u.minor_unit_value) AS repeat_payer_amount,
    round(((r.amount_minor * u.minor_unit_value) / (r.payer_count)::numeric), (u.minor_unit + 2)) AS arppu,
    round(((COALESCE(r.amount_minor, (0)::numeric) * u.minor_unit_value) / (NULLIF(o.observed_user_count, 0))::numeric), (u.minor_unit + 2)) AS amount_per_observed_user,
    COALESCE(((c.starts_at >= h.receipt_first_at) AND (c.ends_at <= h.receipt_newest_at)), false) AS is_complete
   FROM (((((rollup.app_horizon h
     JOIN rollup.calendar_period c ON (((c.ends_at > h.money_first_at) AND (c.starts_at <= h.money_newest_at))))
     JOIN ( SELECT DISTINCT currency_period.app_id,
            currency_period.currency
           FROM rollup.currency_period
          WHERE (currency_period.period = 'month'::text)) k ON ((k.app_id = h.app_id)))
     JOIN game.currency u ON ((u.currency = k.currency)))
     LEFT JOIN rollup.currency_period r ON (((r.app_id = h.app_id) AND (r.currency = k.currency) AND (r.period = c.period) AND (r.period_start = c.period_start))))
     LEFT JOIN report.observed_by_period o ON (((o.app_id = h.app_id) AND (o.period = c.period) AND (o.period_start = c.period_start))));

-- Name: VIEW arppu_by_period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.arppu_by_period IS 'One row per period, application and currency in which the application was ever paid, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Users do not add up over rows.';

-- Name: COLUMN arppu_by_period.period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.period IS 'day, week (from Monday) or month, in the reporting zone.';

-- Name: COLUMN arppu_by_period.period_start; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.period_start IS 'First day of the period.';

-- Name: COLUMN arppu_by_period.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN arppu_by_period.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.currency IS 'ISO 4217 code.';

-- Name: COLUMN arppu_by_period.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.amount_minor IS 'Sum of the paid purchases, in the minor unit of the currency.';

-- Name: COLUMN arppu_by_period.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: COLUMN arppu_by_period.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.payer_count IS 'Users with a paid purchase in the currency.';

-- Name: COLUMN arppu_by_period.new_payer_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.new_payer_amount IS 'Part of amount from users whose first paid purchase in the application, in any currency, falls into the period.';

-- Name: COLUMN arppu_by_period.repeat_payer_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.repeat_payer_amount IS 'Part of amount from the other users.';

-- Name: COLUMN arppu_by_period.arppu; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.arppu IS 'amount / payer_count, with two digits more than the minor unit; NULL without a payer.';

-- Name: COLUMN arppu_by_period.amount_per_observed_user; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.amount_per_observed_user IS 'amount / observed users of the period in the application, with two digits more than the minor unit; NULL without an observed user. is_complete does not cover it.';

-- Name: COLUMN arppu_by_period.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.arppu_by_period.is_complete IS 'True when the receipts of the application begin before the period and have gone past it. Late files can still change it.';

-- Name: stream_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.stream_day (
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    line_count bigint NOT NULL,
    first_event_at timestamp with time zone NOT NULL,
    newest_event_at timestamp with time zone NOT NULL
);

-- Name: TABLE stream_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.stream_day IS 'One row per stream, application and day with an event: a stored row with a time of its own, sandbox included. Written by: a refresh.';

-- Name: COLUMN stream_day.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.stream_day.stream IS 'The stream.';

-- Name: COLUMN stream_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.stream_day.app_id IS 'The application.';

-- Name: COLUMN stream_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.stream_day.day IS 'Day of the events, in the reporting zone.';

-- Name: COLUMN stream_day.line_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.stream_day.line_count IS 'Number of events.';

-- Name: COLUMN stream_day.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.stream_day.first_event_at IS 'Time of the first event of the day.';

-- Name: COLUMN stream_day.newest_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.stream_day.newest_event_at IS 'Time of the newest event of the day.';

-- Name: calendar_gap; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.calendar_gap AS
 WITH line AS NOT MATERIALIZED (
         SELECT h_1.stream,
            h_1.app_id,
            d_1.day,
                CASE
                    WHEN (d_1.day = h_1.newest_on) THEN COALESCE(h_1.newest_day_line_count, d_1.line_count)
                    ELSE d_1.line_count
                END AS line_count
           FROM (rollup.horizon h_1
             JOIN rollup.stream_day d_1 ON (((d_1.stream = h_1.stream) AND (d_1.app_id = h_1.app_id) AND ((h_1.stream <> 'receipt'::text) OR (d_1.day <= h_1.newest_on)))))
        )
 SELECT h.stream,
    h.app_id,
    c.period_start AS day,
    COALESCE(l.line_count, (0)::bigint) AS line_count,
    m.median_line_count,
        CASE
            WHEN (NOT d.is_dropped) THEN (l.line_count IS NULL)
            ELSE NULL::boolean
        END AS is_missing,
        CASE
            WHEN ((NOT d.is_dropped) AND (c.period_start < h.app_newest_on)) THEN ((((COALESCE(l.line_count, (0)::bigint) * 2))::numeric < m.median_line_count) OR ((COALESCE(l.line_count, (0)::bigint))::numeric > (m.median_line_count * (2)::numeric)))
            ELSE NULL::boolean
        END AS is_unusual
   FROM ((((( SELECT horizon.stream,
            horizon.app_id,
            horizon.first_on,
            horizon.newest_on,
            max(horizon.newest_on) OVER (PARTITION BY horizon.app_id) AS app_newest_on
           FROM rollup.horizon) h
     JOIN rollup.calendar_period c ON (((c.period = 'day'::text) AND (c.period_start >= h.first_on) AND (c.period_start <= h.app_newest_on))))
     LEFT JOIN line l ON (((l.stream = h.stream) AND (l.app_id = h.app_id) AND (l.day = c.period_start))))
     CROSS JOIN LATERAL ( SELECT (EXISTS ( SELECT
                   FROM rollup.dropped_month d_1
                  WHERE ((d_1.stream = h.stream) AND (d_1.starts_at < c.ends_at) AND (d_1.ends_at > c.starts_at)))) AS is_dropped) d)
     CROSS JOIN LATERAL ( SELECT (percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY ((COALESCE(b.line_count, (0)::bigint))::double precision)))::numeric(20,1) AS median_line_count
           FROM ((( VALUES (7), (14), (21), (28), (35), (42), (49), (56)) w(day_count)
             JOIN rollup.calendar_period p ON (((p.period = 'day'::text) AND (p.period_start = (c.period_start - w.day_count)))))
             LEFT JOIN line b ON (((b.stream = h.stream) AND (b.app_id = h.app_id) AND (b.day = p.period_start))))
          WHERE ((p.period_start >= h.first_on) AND (NOT (EXISTS ( SELECT
                   FROM rollup.dropped_month d_1
                  WHERE ((d_1.stream = h.stream) AND (d_1.starts_at < p.ends_at) AND (d_1.ends_at > p.starts_at))))))) m);

-- Name: VIEW calendar_gap; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.calendar_gap IS 'One row per stream, application and day, from the first event of the application in the stream to its newest event in any stream, also for days without a line.';

-- Name: COLUMN calendar_gap.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.stream IS 'The stream.';

-- Name: COLUMN calendar_gap.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN calendar_gap.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.day IS 'Day in the reporting zone.';

-- Name: COLUMN calendar_gap.line_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.line_count IS 'Standing rows with a time of their own on the day. Of receipts those that came in events count, too, but none after the newest event of the receipt files.';

-- Name: COLUMN calendar_gap.median_line_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.median_line_count IS 'Median of line_count over the same weekday in the 8 weeks before, as far as the stream goes back, without days in months that retention dropped; NULL without such a day.';

-- Name: COLUMN calendar_gap.is_missing; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.is_missing IS 'True for a day without a line; NULL for days in months that retention dropped.';

-- Name: COLUMN calendar_gap.is_unusual; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.calendar_gap.is_unusual IS 'True when line_count is below half or above twice the median. NULL without a median, for the day of the application''s newest event, which is not over, and for days in months that retention dropped.';

-- Name: character_change; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.character_change (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    valid_from timestamp with time zone NOT NULL,
    user_level integer NOT NULL,
    class_id text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.character_change ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.character_change ALTER COLUMN character_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.character_change REPLICA IDENTITY FULL;

-- Name: TABLE character_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.character_change IS 'One row per player, channel, character and change of level or class, from snapshots with a time of their own. Written by: a refresh.';

-- Name: COLUMN character_change.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.app_id IS 'The application.';

-- Name: COLUMN character_change.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.user_id IS 'The user.';

-- Name: COLUMN character_change.channel_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.channel_id IS 'The channel; NULL when the game has none.';

-- Name: COLUMN character_change.character_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.character_id IS 'The character; NULL when the game has none.';

-- Name: COLUMN character_change.valid_from; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.valid_from IS 'Time of the first snapshot with this level and class.';

-- Name: COLUMN character_change.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.user_level IS 'The level.';

-- Name: COLUMN character_change.class_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.character_change.class_id IS 'The class; NULL when missing.';

-- Name: character_history; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.character_history AS
 SELECT character_change.app_id,
    character_change.user_id,
    character_change.channel_id,
    character_change.character_id,
    character_change.valid_from,
    character_change.user_level,
    character_change.class_id,
    lead(character_change.valid_from) OVER (PARTITION BY character_change.app_id, character_change.user_id, character_change.channel_id, character_change.character_id ORDER BY character_change.valid_from) AS valid_to
   FROM rollup.character_change;

-- Name: VIEW character_history; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.character_history IS 'One row per application, user, channel, character and change of level or class, from snapshots with a time of their own. The last row of a character is open.';

-- Name: COLUMN character_history.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN character_history.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.user_id IS 'The user.';

-- Name: COLUMN character_history.channel_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.channel_id IS 'The channel or server; NULL when the game has none. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN character_history.character_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.character_id IS 'The character; NULL when the game has none. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN character_history.valid_from; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.valid_from IS 'Time of the first snapshot with this level and class.';

-- Name: COLUMN character_history.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.user_level IS 'The level from valid_from until before valid_to.';

-- Name: COLUMN character_history.class_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.class_id IS 'The class from valid_from until before valid_to; NULL when missing.';

-- Name: COLUMN character_history.valid_to; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.character_history.valid_to IS 'Time of the snapshot with the next level or class; NULL for the last one known.';

-- Name: churn_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.churn_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    month date NOT NULL,
    change_count bigint NOT NULL,
    active_change bigint NOT NULL,
    churned_count bigint NOT NULL,
    active_at_start bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.churn_month REPLICA IDENTITY FULL;

-- Name: TABLE churn_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.churn_month IS 'One row per application, product and month in which a subscription period starts or the number of active chains changes, also after the newest receipt. Written by: rollup.add_up.';

-- Name: COLUMN churn_month.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.app_id IS 'The application.';

-- Name: COLUMN churn_month.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN churn_month.month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.month IS 'First day of the month in the reporting zone.';

-- Name: COLUMN churn_month.change_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.change_count IS 'Starts of periods, and changes of the other columns.';

-- Name: COLUMN churn_month.active_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.active_change IS 'Chains that are active at the start of the month and were not at the start of the month before, less the opposite.';

-- Name: COLUMN churn_month.churned_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.churned_count IS 'Chains that are active at the start of the month, and in no product at its end.';

-- Name: COLUMN churn_month.active_at_start; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_month.active_at_start IS 'Sum of active_change up to the month. Set by: rollup.run_subscription_totals.';

-- Name: churn_running; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.churn_running (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    churned_count bigint NOT NULL
);

ALTER TABLE ONLY rollup.churn_running REPLICA IDENTITY FULL;

-- Name: TABLE churn_running; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.churn_running IS 'One row per application and product with a chain that has churned in the running month. Written by: rollup.refresh_running_month.';

-- Name: COLUMN churn_running.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_running.app_id IS 'The application.';

-- Name: COLUMN churn_running.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_running.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN churn_running.churned_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.churn_running.churned_count IS 'As in rollup.churn_month, with the newest instant as the end of the month.';

-- Name: churn_by_month; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.churn_by_month AS
 SELECT f.app_id,
    f.gamebase_product_id,
    f.month,
    f.active_at_start,
    f.churned_count,
    round(((f.churned_count)::numeric / (NULLIF(f.active_at_start, 0))::numeric), 6) AS rate,
    f.is_complete
   FROM ( SELECT s.app_id,
            s.gamebase_product_id,
            m.period_start AS month,
            COALESCE(r.active_at_start, (0)::bigint) AS active_at_start,
                CASE
                    WHEN (m.ends_at > h.money_newest_at) THEN COALESCE(( SELECT n.churned_count
                       FROM rollup.churn_running n
                      WHERE ((n.app_id = s.app_id) AND (COALESCE(n.gamebase_product_id, ''::text) = COALESCE(s.gamebase_product_id, ''::text)))), (0)::bigint)
                    WHEN (r.month = m.period_start) THEN r.churned_count
                    ELSE (0)::bigint
                END AS churned_count,
            COALESCE(((m.starts_at >= h.receipt_first_at) AND (m.ends_at <= (h.receipt_newest_at - '384:00:00'::interval))), false) AS is_complete
           FROM (((( SELECT DISTINCT churn_month.app_id,
                    churn_month.gamebase_product_id
                   FROM rollup.churn_month) s
             JOIN rollup.app_horizon h ON ((h.app_id = s.app_id)))
             JOIN rollup.calendar_period m ON (((m.period = 'month'::text) AND (m.ends_at > h.money_first_at) AND (m.starts_at <= h.money_newest_at))))
             LEFT JOIN LATERAL ( SELECT t.month,
                    t.active_at_start,
                    t.churned_count
                   FROM rollup.churn_month t
                  WHERE ((t.app_id = s.app_id) AND (COALESCE(t.gamebase_product_id, ''::text) = COALESCE(s.gamebase_product_id, ''::text)) AND (t.month <= m.period_start))
                  ORDER BY t.month DESC
                 LIMIT 1) r ON (true))) f;

-- Name: VIEW churn_by_month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.churn_by_month IS 'One row per application, product with any subscription, and month from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Counts chains of report.subscription_period that are active: with a paid period at the instant, or within the at most 16 days between a paid period and its renewal, whether that is paid or not. In the last month the newest event or receipt stands for the end of the month: a period that starts at that instant is active, one that ends at it is not.';

-- Name: COLUMN churn_by_month.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN churn_by_month.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.gamebase_product_id IS 'Product of the period that runs at the start of the month, or ended before its renewal; NULL when unknown.';

-- Name: COLUMN churn_by_month.month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.month IS 'First day of the month in the reporting zone.';

-- Name: COLUMN churn_by_month.active_at_start; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.active_at_start IS 'Chains that are active at the start of the month. Each chain is in one product.';

-- Name: COLUMN churn_by_month.churned_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.churned_count IS 'Those of them that are not active at the end of the month, in any product. A chain that comes back later in the same month is no churn.';

-- Name: COLUMN churn_by_month.rate; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.rate IS 'churned_count / active_at_start; NULL when no chain is active at the start.';

-- Name: COLUMN churn_by_month.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.churn_by_month.is_complete IS 'True when the receipts of the application begin before the month and have gone 16 days past it, so that no later renewal undoes a churn. Late files can still change it.';

-- Name: cohort_converted; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_converted (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    converted_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_converted REPLICA IDENTITY FULL;

-- Name: TABLE cohort_converted; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.cohort_converted IS 'One row per cohort of first observations and day after it by which a user first paid. Written by: rollup.add_up.';

-- Name: COLUMN cohort_converted.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_converted.app_id IS 'The application.';

-- Name: COLUMN cohort_converted.cohort_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_converted.cohort_on IS 'The cohort: the day of the first observation or the first paid purchase of its users.';

-- Name: COLUMN cohort_converted.day_n; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_converted.day_n IS 'The first day of rollup.cohort_step at or after the first paid purchase.';

-- Name: COLUMN cohort_converted.converted_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_converted.converted_count IS 'Users of the cohort who first paid after the day_n before and through this one.';

-- Name: cohort_size; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_size (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_kind text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    cohort_size bigint NOT NULL,
    CONSTRAINT cohort_size_cohort_kind_check CHECK ((cohort_kind = ANY (ARRAY['first_observed'::text, 'first_paid'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_size REPLICA IDENTITY FULL;

-- Name: TABLE cohort_size; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.cohort_size IS 'One row per cohort: application, kind and day. Written by: rollup.add_up.';

-- Name: COLUMN cohort_size.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_size.app_id IS 'The application.';

-- Name: COLUMN cohort_size.cohort_kind; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_size.cohort_kind IS 'The day that makes the cohort: first_observed or first_paid.';

-- Name: COLUMN cohort_size.cohort_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_size.cohort_on IS 'The cohort: the day of the first observation or the first paid purchase of its users.';

-- Name: COLUMN cohort_size.cohort_size; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_size.cohort_size IS 'Users of the cohort.';

-- Name: cohort_step; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_step (
    day_n integer NOT NULL,
    CONSTRAINT cohort_step_day_n_check CHECK ((day_n >= 0))
);

-- Name: TABLE cohort_step; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.cohort_step IS 'One row per day after the cohort day for which the views of cohorts have a row. Source: the migration create_sums.';

-- Name: COLUMN cohort_step.day_n; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_step.day_n IS 'Number of calendar days after the cohort day.';

-- Name: conversion_by_cohort; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.conversion_by_cohort AS
 WITH mature AS (
         SELECT h.app_id,
            (max(c_1.period_start) - 1) AS paid_through
           FROM (rollup.app_horizon h
             JOIN rollup.calendar_period c_1 ON (((c_1.period = 'day'::text) AND (c_1.starts_at <= h.receipt_newest_at))))
          GROUP BY h.app_id
        ), cell AS (
         SELECT s.app_id,
            s.cohort_on,
            n.day_n,
            s.cohort_size,
            (sum(COALESCE(r.converted_count, (0)::bigint)) OVER (PARTITION BY s.app_id, s.cohort_on ORDER BY n.day_n))::bigint AS converted_count,
            COALESCE(((s.cohort_on + n.day_n) <= a.paid_through), false) AS is_mature
           FROM (((rollup.cohort_size s
             CROSS JOIN rollup.cohort_step n)
             LEFT JOIN rollup.cohort_converted r ON (((r.app_id = s.app_id) AND (r.cohort_on = s.cohort_on) AND (r.day_n = n.day_n))))
             LEFT JOIN mature a ON ((a.app_id = s.app_id)))
          WHERE (s.cohort_kind = 'first_observed'::text)
        )
 SELECT c.app_id,
    c.cohort_on,
    c.day_n,
    c.cohort_size,
        CASE
            WHEN c.is_mature THEN c.cohort_size
            ELSE NULL::bigint
        END AS mature_size,
        CASE
            WHEN c.is_mature THEN c.converted_count
            ELSE NULL::bigint
        END AS converted_count,
        CASE
            WHEN c.is_mature THEN round(((c.converted_count)::numeric / (c.cohort_size)::numeric), 6)
            ELSE NULL::numeric
        END AS rate,
    c.is_mature
   FROM cell c;

-- Name: VIEW conversion_by_cohort; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.conversion_by_cohort IS 'One row per application, day of the first observation and day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365). Users who had paid by then.';

-- Name: COLUMN conversion_by_cohort.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.app_id IS 'The application.';

-- Name: COLUMN conversion_by_cohort.cohort_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.cohort_on IS 'The cohort: the day on which its users were first observed.';

-- Name: COLUMN conversion_by_cohort.day_n; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.day_n IS 'Number of calendar days after cohort_on.';

-- Name: COLUMN conversion_by_cohort.cohort_size; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.cohort_size IS 'Users first observed on the day.';

-- Name: COLUMN conversion_by_cohort.mature_size; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.mature_size IS 'cohort_size where the figures are mature, else NULL: the denominator of sums over cohorts.';

-- Name: COLUMN conversion_by_cohort.converted_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.converted_count IS 'Users of the cohort whose first paid purchase falls on day_n or before; one before cohort_on (a subscription that a store continued) counts from day 0 on. Do not add it over rows. NULL while immature.';

-- Name: COLUMN conversion_by_cohort.rate; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.rate IS 'converted_count / cohort_size, 6 digits. NULL while immature.';

-- Name: COLUMN conversion_by_cohort.is_mature; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.conversion_by_cohort.is_mature IS 'True when day_n ends at or before the newest event of the application''s receipt feed; never without one.';

-- Name: current_game_user; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.current_game_user (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    class_id text COLLATE pg_catalog."C",
    observed_at timestamp with time zone NOT NULL,
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY rollup.current_game_user ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_game_user ALTER COLUMN character_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.current_game_user REPLICA IDENTITY FULL;

-- Name: TABLE current_game_user; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.current_game_user IS 'One row per player, channel and character with a snapshot: the newest one. Written by: a refresh.';

-- Name: COLUMN current_game_user.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.app_id IS 'The application.';

-- Name: COLUMN current_game_user.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.user_id IS 'The user.';

-- Name: COLUMN current_game_user.channel_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.channel_id IS 'The channel; NULL when the game has none.';

-- Name: COLUMN current_game_user.character_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.character_id IS 'The character; NULL when the game has none.';

-- Name: COLUMN current_game_user.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.user_level IS 'The level.';

-- Name: COLUMN current_game_user.class_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.class_id IS 'The class; NULL when missing.';

-- Name: COLUMN current_game_user.observed_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.observed_at IS 'Time of the snapshot.';

-- Name: COLUMN current_game_user.observed_at_source; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.observed_at_source IS 'Origin of observed_at: line, option or load_start.';

-- Name: COLUMN current_game_user.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.source_file_id IS 'The file of the snapshot.';

-- Name: COLUMN current_game_user.line_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_game_user.line_number IS 'The line in that file.';

-- Name: current_game_user; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.current_game_user AS
 SELECT current_game_user.app_id,
    current_game_user.user_id,
    current_game_user.channel_id,
    current_game_user.character_id,
    current_game_user.user_level,
    current_game_user.class_id,
    current_game_user.observed_at,
    current_game_user.observed_at_source,
    current_game_user.source_file_id,
    current_game_user.line_number
   FROM rollup.current_game_user;

-- Name: VIEW current_game_user; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.current_game_user IS 'One row per character of a user in a channel, as last observed. A snapshot with a time of its own always outranks one dated by the start of its load; among those, the newest load counts. Loading an older snapshot later changes nothing.';

-- Name: COLUMN current_game_user.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN current_game_user.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.user_id IS 'The user.';

-- Name: COLUMN current_game_user.channel_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.channel_id IS 'The channel or server; NULL when the game has none. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN current_game_user.character_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.character_id IS 'The character; NULL when the game has none. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN current_game_user.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.user_level IS 'Level at observed_at.';

-- Name: COLUMN current_game_user.class_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.class_id IS 'Class at observed_at.';

-- Name: COLUMN current_game_user.observed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.observed_at IS 'Time of the last observation.';

-- Name: COLUMN current_game_user.observed_at_source; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.observed_at_source IS 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';

-- Name: COLUMN current_game_user.source_file_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.source_file_id IS 'Number of the file that brought the row.';

-- Name: COLUMN current_game_user.line_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.line_number IS 'Line number in that file, from 1.';

-- Name: current_item; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.current_item (
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C",
    amount_minor bigint,
    product_type text COLLATE pg_catalog."C",
    item_name text,
    localized_price text,
    localized_title text,
    localized_description text,
    is_active boolean,
    observed_at timestamp with time zone NOT NULL,
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL
);
ALTER TABLE ONLY rollup.current_item ALTER COLUMN item_name SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_item ALTER COLUMN localized_price SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_item ALTER COLUMN localized_title SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_item ALTER COLUMN localized_description SET STATISTICS 0;

ALTER TABLE ONLY rollup.current_item REPLICA IDENTITY FULL;

-- Name: TABLE current_item; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.current_item IS 'One row per item, with the values of its last snapshot. Written by: a refresh.';

-- Name: COLUMN current_item.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.app_id IS 'The application.';

-- Name: COLUMN current_item.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.store_code IS 'Code of the store; NULL when unknown.';

-- Name: COLUMN current_item.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN current_item.market_item_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.market_item_id IS 'The product''s id in the store; NULL when unknown.';

-- Name: COLUMN current_item.item_seq; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.item_seq IS 'The number of the item in the Gamebase console; NULL when unknown.';

-- Name: COLUMN current_item.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.currency IS 'ISO 4217 code of the price; NULL without a price.';

-- Name: COLUMN current_item.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.amount_minor IS 'Price in the minor unit; NULL when none was shown.';

-- Name: COLUMN current_item.product_type; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.product_type IS 'Type of the product; NULL when unknown.';

-- Name: COLUMN current_item.item_name; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.item_name IS 'Name in the Gamebase console; NULL when unknown.';

-- Name: COLUMN current_item.localized_price; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.localized_price IS 'Price as the store wrote it; NULL when unknown.';

-- Name: COLUMN current_item.localized_title; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.localized_title IS 'Name in the language of the client; NULL when unknown.';

-- Name: COLUMN current_item.localized_description; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.localized_description IS 'Description in the language of the client; NULL when unknown.';

-- Name: COLUMN current_item.is_active; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.is_active IS 'True when the console offers the item; NULL when unknown.';

-- Name: COLUMN current_item.observed_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.observed_at IS 'Time of the snapshot.';

-- Name: COLUMN current_item.observed_at_source; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.observed_at_source IS 'line, option or load_start.';

-- Name: COLUMN current_item.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.source_file_id IS 'The file of the snapshot.';

-- Name: COLUMN current_item.line_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.current_item.line_number IS 'The line of the snapshot in that file.';

-- Name: current_item; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.current_item AS
 SELECT i.app_id,
    i.store_code,
    i.gamebase_product_id,
    i.market_item_id,
    i.item_seq,
    i.currency,
    i.amount_minor,
    ((i.amount_minor)::numeric * c.minor_unit_value) AS amount,
    i.product_type,
    i.item_name,
    i.localized_price,
    i.localized_title,
    i.localized_description,
    i.is_active,
    i.observed_at,
    i.observed_at_source,
    i.source_file_id,
    i.line_number
   FROM (rollup.current_item i
     LEFT JOIN game.currency c ON ((c.currency = i.currency)));

-- Name: VIEW current_item; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.current_item IS 'One row per item of a shop (application, store, the three ids, currency), as last observed. A snapshot with a time of its own always outranks one dated by the start of its load; among those, the newest load counts.';

-- Name: COLUMN current_item.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN current_item.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.store_code IS 'Code of the store (see game.store); NULL when unknown. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN current_item.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN current_item.market_item_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.market_item_id IS 'The product''s id in the store; NULL when unknown.';

-- Name: COLUMN current_item.item_seq; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.item_seq IS 'The number of the item in the Gamebase console; NULL when unknown.';

-- Name: COLUMN current_item.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.currency IS 'ISO 4217 code of the price; NULL without a price. Each storefront has a row of its own.';

-- Name: COLUMN current_item.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.amount_minor IS 'Price in the minor unit of the currency; NULL when none was shown.';

-- Name: COLUMN current_item.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.amount IS 'Price in the major unit of the currency.';

-- Name: COLUMN current_item.product_type; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.product_type IS 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when missing.';

-- Name: COLUMN current_item.item_name; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.item_name IS 'Name in the Gamebase console; NULL when missing.';

-- Name: COLUMN current_item.localized_price; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.localized_price IS 'Price as the store wrote it; NULL when missing.';

-- Name: COLUMN current_item.localized_title; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.localized_title IS 'Name in the language of the client that observed the item; NULL when missing.';

-- Name: COLUMN current_item.localized_description; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.localized_description IS 'Description in the language of that client; NULL when missing.';

-- Name: COLUMN current_item.is_active; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.is_active IS 'True when the Gamebase console offers the item; NULL when missing.';

-- Name: COLUMN current_item.observed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.observed_at IS 'Time of the last observation.';

-- Name: COLUMN current_item.observed_at_source; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.observed_at_source IS 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';

-- Name: COLUMN current_item.source_file_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.source_file_id IS 'Number of the file that brought the row.';

-- Name: COLUMN current_item.line_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_item.line_number IS 'Line number in that file, from 1.';

-- Name: event_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.event_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    event_group text NOT NULL COLLATE pg_catalog."C",
    code bigint,
    event_count bigint NOT NULL,
    user_count bigint NOT NULL
);

ALTER TABLE ONLY rollup.event_day REPLICA IDENTITY FULL;

-- Name: TABLE event_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.event_day IS 'One row per day, application, category, group and code of events. Written by: a refresh.';

-- Name: COLUMN event_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN event_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.app_id IS 'The application.';

-- Name: COLUMN event_day.category; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.category IS 'Category of the events.';

-- Name: COLUMN event_day.event_group; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.event_group IS 'Group of the category.';

-- Name: COLUMN event_day.code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.code IS 'Code of the events; NULL without one.';

-- Name: COLUMN event_day.event_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.event_count IS 'Events.';

-- Name: COLUMN event_day.user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.event_day.user_count IS 'Known users of the events.';

-- Name: event_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.event_by_day AS
 WITH code_name AS (
         SELECT n_1.category,
            n_1.code,
            string_agg(n_1.name, ' / '::text ORDER BY n_1.name) AS name
           FROM ( SELECT 'observerLaunching'::text AS category,
                    launching_status.code,
                    launching_status.name
                   FROM game.launching_status
                UNION ALL
                 SELECT 'observerHeartbeat'::text,
                    error_code.code,
                    error_code.name
                   FROM game.error_code
                UNION ALL
                 SELECT 'observerNetwork'::text,
                    network_status.code,
                    network_status.name
                   FROM game.network_status
                UNION ALL
                 SELECT 'idPRevoked'::text,
                    idp_revoked_code.code,
                    idp_revoked_code.name
                   FROM game.idp_revoked_code) n_1
          GROUP BY n_1.category, n_1.code
        )
 SELECT e.day,
    e.app_id,
    e.category,
    e.event_group,
    e.code,
    n.name AS code_name,
    e.event_count,
    e.user_count
   FROM (rollup.event_day e
     LEFT JOIN code_name n ON (((n.category = e.category) AND (n.code = e.code))));

-- Name: VIEW event_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.event_by_day IS 'One row per day, application, category, group and code of events. Users do not add up over rows.';

-- Name: COLUMN event_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN event_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN event_by_day.category; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.category IS 'Category of the events; see game.event_category.';

-- Name: COLUMN event_by_day.event_group; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.event_group IS 'purchase, push, server_push, observer, idp_revoked, logged_out or other.';

-- Name: COLUMN event_by_day.code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.code IS 'Code of the events; NULL without one. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN event_by_day.code_name; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.code_name IS 'Name of the code in the reference table of the category; NULL for an unknown code. Where the code has several meanings, as in different SDKs, all of them with a slash between.';

-- Name: COLUMN event_by_day.event_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.event_count IS 'Events.';

-- Name: COLUMN event_by_day.user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.event_by_day.user_count IS 'Known users of the events; an event without a user counts for none.';

-- Name: freshness; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.freshness AS
 SELECT s.stream,
    s.app_id,
    s.newest_event_at,
    s.newest_loaded_at,
    (round(((EXTRACT(epoch FROM (now() - s.newest_event_at)))::numeric(20,6) / (3600)::numeric), 2))::numeric(14,2) AS hours_behind_now,
    (round(((EXTRACT(epoch FROM (now() - s.newest_loaded_at)))::numeric(20,6) / (3600)::numeric), 2))::numeric(14,2) AS hours_since_load,
    (round(((EXTRACT(epoch FROM (max(s.newest_event_at) OVER (PARTITION BY s.app_id) - s.newest_event_at)))::numeric(20,6) / (3600)::numeric), 2))::numeric(14,2) AS hours_behind_app
   FROM ( SELECT f.stream,
            a.app_id,
            max(a.newest_event_at) AS newest_event_at,
            max(f.loaded_at) AS newest_loaded_at
           FROM (ingest.file_app a
             JOIN ingest.source_file f ON ((f.source_file_id = a.source_file_id)))
          WHERE (f.undone_at IS NULL)
          GROUP BY f.stream, a.app_id) s;

-- Name: VIEW freshness; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.freshness IS 'One row per stream and application with an accepted line in a loaded file, also where no line has a time of its own. Files loaded since the last refresh are included. The hours up to now go by the clock of the server.';

-- Name: COLUMN freshness.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.stream IS 'The stream.';

-- Name: COLUMN freshness.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN freshness.newest_event_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.newest_event_at IS 'Time of the newest event; NULL when no accepted line of the application in the stream has a time of its own.';

-- Name: COLUMN freshness.newest_loaded_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.newest_loaded_at IS 'Load time of the newest file with an accepted line of the application in the stream; lines known before are accepted, too.';

-- Name: COLUMN freshness.hours_behind_now; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.hours_behind_now IS 'Hours from newest_event_at to now; NULL like newest_event_at.';

-- Name: COLUMN freshness.hours_since_load; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.hours_since_load IS 'Hours from newest_loaded_at to now.';

-- Name: COLUMN freshness.hours_behind_app; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.freshness.hours_behind_app IS 'Hours from newest_event_at to the application''s newest event in any stream; NULL like newest_event_at. Above 192, the stream counts as stopped, and other views leave it out of the horizon.';

-- Name: open_failure; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.open_failure AS
 SELECT f.stream,
    f.path,
    min(LEAST(f.first_failed_at, f.failed_at)) AS first_failed_at,
    max(f.failed_at) AS last_failed_at,
    (sum(f.attempt_count))::bigint AS attempt_count,
    (array_agg(f.error_code ORDER BY f.failed_at DESC, f.failed_file_id DESC))[1] AS error_code,
    (array_agg(f.reason ORDER BY f.failed_at DESC, f.failed_file_id DESC))[1] AS error
   FROM ( SELECT x.stream,
            COALESCE(x.canonical_path, x.path) AS path,
            x.first_failed_at,
            x.failed_at,
            x.attempt_count,
            x.error_code,
            x.reason,
            x.failed_file_id
           FROM ingest.failed_file x
          WHERE (NOT (EXISTS ( SELECT
                   FROM ingest.failure_dismissal d
                  WHERE (d.failed_file_id = x.failed_file_id))))) f
  GROUP BY f.stream, f.path;

-- Name: VIEW open_failure; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.open_failure IS 'One row per stream and file with an open failure: one that nobody has dismissed, of a file that has failed and has not been loaded since. A load of a file with this path or these bytes in the stream ends the failure, and so does a dismissal, until the file fails again. Shows the ledger as it is, also without a refresh.';

-- Name: COLUMN open_failure.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.stream IS 'The stream of the file; NULL when unknown. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN open_failure.path; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.path IS 'Path by which the file is recognized: the real path of its folder, and its name; - for standard input; the path as given if an older version recorded the failure.';

-- Name: COLUMN open_failure.first_failed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.first_failed_at IS 'Time of the first attempt that failed. A dismissal does not reset it, a load does.';

-- Name: COLUMN open_failure.last_failed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.last_failed_at IS 'Time of the last attempt that failed.';

-- Name: COLUMN open_failure.attempt_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.attempt_count IS 'Attempts that failed since the file was last loaded; those before a dismissal count, too.';

-- Name: COLUMN open_failure.error_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.error_code IS 'Exit code of the error of the last attempt; NULL if an older version recorded the failure.';

-- Name: COLUMN open_failure.error; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.open_failure.error IS 'The error of the last attempt, and the next step.';

-- Name: refresh_state; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.refresh_state (
    stream text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint DEFAULT 0 NOT NULL,
    load_id bigint,
    refreshed_at timestamp with time zone
);

-- Name: TABLE refresh_state; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.refresh_state IS 'One row per stream, with the newest file that the reports contain. Files of a stream with larger numbers were loaded since.';

-- Name: COLUMN refresh_state.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.refresh_state.stream IS 'The stream.';

-- Name: COLUMN refresh_state.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.refresh_state.source_file_id IS 'The reports contain all files of the stream up to this number; 0 for none.';

-- Name: COLUMN refresh_state.load_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.refresh_state.load_id IS 'The newest run whose files the reports contain; NULL for none.';

-- Name: COLUMN refresh_state.refreshed_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.refresh_state.refreshed_at IS 'Start of the transaction that last refreshed the reports; NULL before the first refresh.';

-- Name: setting; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.setting AS
 SELECT s.name,
    s.value
   FROM ingest.setting s
UNION ALL
 SELECT d.name,
    d.value
   FROM ( VALUES ('time-zone'::text,'UTC'::text), ('receipt-feed'::text,'auto'::text), ('max-age'::text,'36'::text), ('min-daily-lines'::text,'10'::text)) d(name, value)
  WHERE (NOT (EXISTS ( SELECT
           FROM ingest.setting s
          WHERE (s.name = d.name))))
UNION ALL
 SELECT 'refreshed_at'::text AS name,
    to_char((max(r.refreshed_at) AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'::text) AS value
   FROM rollup.refresh_state r
 HAVING (max(r.refreshed_at) IS NOT NULL)
UNION ALL
 SELECT 'refreshed_through_load'::text AS name,
    (max(r.load_id))::text AS value
   FROM rollup.refresh_state r
 HAVING (max(r.load_id) IS NOT NULL);

-- Name: VIEW setting; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.setting IS 'One row per setting of the database that has a value, and two rows on the state of the reports: refreshed_at (UTC) and refreshed_through_load, the newest run whose files they contain.';

-- Name: COLUMN setting.name; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.setting.name IS 'Name of the setting, as in gamebase-ingest settings; refreshed_at; refreshed_through_load.';

-- Name: COLUMN setting.value; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.setting.value IS 'Its value, as text.';

-- Name: set_aside_player; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.set_aside_player (
    player_number bigint NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone DEFAULT now() NOT NULL,
    attempt_count bigint DEFAULT 1 NOT NULL,
    error text NOT NULL COLLATE pg_catalog."C",
    streams text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.set_aside_player ALTER COLUMN user_id SET STATISTICS 0;

-- Name: TABLE set_aside_player; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.set_aside_player IS 'One row per player who is in no figure, because the figures of the player cannot be computed. Written by: a refresh, which tries each of them again.';

-- Name: COLUMN set_aside_player.player_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.player_number IS 'Number of the player in the log, which does not name users.';

-- Name: COLUMN set_aside_player.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN set_aside_player.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.user_id IS 'The user.';

-- Name: COLUMN set_aside_player.since; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.since IS 'Time of the first refresh that could not compute the figures.';

-- Name: COLUMN set_aside_player.attempt_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.attempt_count IS 'Refreshes since then that tried.';

-- Name: COLUMN set_aside_player.error; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.error IS 'The reason; it has no value of a row.';

-- Name: COLUMN set_aside_player.streams; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.set_aside_player.streams IS 'The streams with a receipt, level-up or snapshot of the player, and those of the files that brought these rows, in the order of their names. Empty for a player whom an older version set aside, until the next refresh.';

-- Name: health; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.health AS
 WITH open_failure AS (
         SELECT open_failure.stream,
            count(*) AS failure_count
           FROM report.open_failure
          GROUP BY open_failure.stream
        ), pending AS (
         SELECT f.stream,
            a.app_id,
            count(*) AS file_count,
            min(f.loaded_at) AS first_loaded_at
           FROM ((ingest.source_file f
             JOIN rollup.refresh_state r ON (((r.stream = f.stream) AND (r.source_file_id < f.source_file_id))))
             LEFT JOIN ingest.file_app a ON ((a.source_file_id = f.source_file_id)))
          WHERE (f.undone_at IS NULL)
          GROUP BY f.stream, a.app_id
        ), limit_of_stream AS (
         SELECT s.stream,
            ( SELECT (m.value)::integer AS value
                   FROM report.setting m
                  WHERE ((m.name = ('max-age.'::text || s.stream)) OR ((m.name = 'max-age'::text) AND (s.stream <> ALL (ARRAY['event'::text, 'item'::text]))))
                  ORDER BY (length(m.name)) DESC
                 LIMIT 1) AS max_hours_behind,
            ( SELECT (m.value)::integer AS value
                   FROM report.setting m
                  WHERE (m.name = ANY (ARRAY[('min-daily-lines.'::text || s.stream), 'min-daily-lines'::text]))
                  ORDER BY (length(m.name)) DESC
                 LIMIT 1) AS min_daily_lines
           FROM ingest.stream s
        ), empty_file AS (
         SELECT source_file.stream,
            COALESCE(source_file.app_id, ''::text) AS app_id,
            max(source_file.loaded_at) AS newest_loaded_at
           FROM ingest.source_file
          WHERE ((source_file.line_count = source_file.blank_count) AND (source_file.undone_at IS NULL))
          GROUP BY source_file.stream, COALESCE(source_file.app_id, ''::text)
        ), feed AS (
         SELECT f.app_id,
            f.stream,
            f.newest_event_at,
            f.newest_loaded_at,
            f.hours_behind_now,
            f.hours_behind_app,
            max(f.newest_event_at) OVER (PARTITION BY f.app_id) AS app_newest_event_at,
            GREATEST(COALESCE(f.newest_event_at, f.newest_loaded_at), e.newest_loaded_at) AS news_at,
            l.max_hours_behind,
            l.min_daily_lines
           FROM ((report.freshness f
             JOIN limit_of_stream l ON ((l.stream = f.stream)))
             LEFT JOIN empty_file e ON (((e.stream = f.stream) AND (e.app_id = f.app_id))))
        ), missing AS (
         SELECT f.app_id,
            f.stream,
            count(*) AS day_count
           FROM ((feed f
             JOIN rollup.horizon h ON (((h.stream = f.stream) AND (h.app_id = f.app_id))))
             CROSS JOIN LATERAL ( SELECT g_1.median_line_count
                   FROM report.calendar_gap g_1
                  WHERE ((g_1.stream = h.stream) AND (g_1.app_id = h.app_id) AND (g_1.day >= (h.newest_on - 14)) AND (g_1.day < h.newest_on) AND g_1.is_missing)
                 OFFSET 0) g)
          WHERE (g.median_line_count >= (f.min_daily_lines)::numeric)
          GROUP BY f.app_id, f.stream
        ), counted AS (
         SELECT f.app_id,
            f.stream,
            f.newest_event_at,
            f.hours_behind_now,
            f.hours_behind_app,
            f.max_hours_behind,
            f.newest_loaded_at,
            COALESCE(m.day_count, (0)::bigint) AS missing_day_count,
            COALESCE(o.failure_count, (0)::bigint) AS open_failure_count,
            COALESCE(p.file_count, (0)::bigint) AS pending_file_count,
            ( SELECT count(*) AS count
                   FROM rollup.set_aside_player s
                  WHERE ((s.app_id = f.app_id) AND (f.stream = ANY (s.streams)))) AS set_aside_count,
            COALESCE(((now() - f.news_at) > ((f.max_hours_behind)::double precision * '01:00:00'::interval)), false) AS is_late,
            COALESCE((f.newest_event_at < (f.app_newest_event_at - '192:00:00'::interval)), false) AS is_stopped,
            f.news_at,
            p.first_loaded_at AS pending_since
           FROM (((feed f
             LEFT JOIN missing m ON (((m.app_id = f.app_id) AND (m.stream = f.stream))))
             LEFT JOIN open_failure o ON ((o.stream = f.stream)))
             LEFT JOIN pending p ON (((p.stream = f.stream) AND (p.app_id = f.app_id))))
        UNION ALL
         SELECT NULL::text,
            k.stream,
            NULL::timestamp with time zone,
            NULL::numeric,
            NULL::numeric,
            NULL::integer,
            NULL::timestamp with time zone,
            0,
            COALESCE(o.failure_count, (0)::bigint) AS "coalesce",
            COALESCE(p.file_count, (0)::bigint) AS "coalesce",
            0,
            false,
            false,
            NULL::timestamp with time zone,
            p.first_loaded_at
           FROM ((( SELECT open_failure.stream
                   FROM open_failure
                UNION
                 SELECT pending.stream
                   FROM pending
                  WHERE (pending.app_id IS NULL)) k
             LEFT JOIN open_failure o ON ((NOT (o.stream IS DISTINCT FROM k.stream))))
             LEFT JOIN pending p ON (((p.stream = k.stream) AND (p.app_id IS NULL))))
        ), judged AS (
         SELECT c.app_id,
            c.stream,
            c.newest_event_at,
            c.hours_behind_now,
            c.hours_behind_app,
            c.max_hours_behind,
            c.newest_loaded_at,
            c.missing_day_count,
            c.open_failure_count,
            c.pending_file_count,
            c.set_aside_count,
            c.is_late,
            c.is_stopped,
            c.news_at,
            c.pending_since,
            (round(((EXTRACT(epoch FROM (now() - c.news_at)))::numeric(20,6) / (3600)::numeric), 2))::numeric(14,2) AS news_hours,
            (round(((EXTRACT(epoch FROM (now() - c.pending_since)))::numeric(20,6) / (3600)::numeric), 2))::numeric(14,2) AS pending_hours,
                CASE
                    WHEN ((now() - c.pending_since) > '01:00:00'::interval) THEN 'not_refreshed'::text
                    WHEN (c.open_failure_count > 0) THEN 'failed'::text
                    WHEN (c.missing_day_count > 0) THEN 'incomplete'::text
                    WHEN c.is_stopped THEN 'stopped'::text
                    WHEN c.is_late THEN 'late'::text
                    ELSE 'ok'::text
                END AS verdict
           FROM counted c
        )
 SELECT j.app_id,
    j.stream,
    j.verdict,
        CASE j.verdict
            WHEN 'not_refreshed'::text THEN (((('Loaded files are missing in the reports: '::text || j.pending_file_count) || ', the oldest of them loaded '::text) || j.pending_hours) || ' hours ago.'::text)
            WHEN 'failed'::text THEN (('Files of the stream failed and were neither loaded nor dismissed since: '::text || j.open_failure_count) || '.'::text)
            WHEN 'incomplete'::text THEN (('Days without a line among the 14 days before the newest event: '::text || j.missing_day_count) || '.'::text)
            WHEN 'stopped'::text THEN (('The newest event is '::text || j.hours_behind_app) || ' hours behind the newest event of the application; 192 are allowed.'::text)
            ELSE
            CASE
                WHEN (j.news_at IS NULL) THEN (('No file of the stream failed; loaded files that are missing in the reports: '::text || j.pending_file_count) || '.'::text)
                ELSE (((((('The newest event'::text ||
                CASE
                    WHEN (j.news_at IS DISTINCT FROM j.newest_event_at) THEN ' or load'::text
                    ELSE ''::text
                END) || ' is '::text) || j.news_hours) || ' hours old'::text) || COALESCE((('; '::text || j.max_hours_behind) || ' are allowed'::text), ''::text)) || '.'::text)
            END
        END AS reason,
    j.newest_event_at,
    j.hours_behind_now,
    j.max_hours_behind,
    j.newest_loaded_at,
    j.missing_day_count,
    j.open_failure_count,
    j.pending_file_count,
    j.set_aside_count,
    j.news_hours AS hours_without_news
   FROM judged j;

-- Name: VIEW health; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.health IS 'One row per application and stream with an accepted line, and one with app_id NULL per stream with an open failure or with a pending file that has no accepted line. Says whether the reports can be trusted, at this moment: it goes by the clock of the server and by the ledger, but missing_day_count and set_aside_count are of the last refresh.';

-- Name: COLUMN health.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.app_id IS 'The application, empty when unknown; NULL for what belongs to no application.';

-- Name: COLUMN health.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.stream IS 'The stream; NULL for failed files whose stream is unknown. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN health.verdict; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.verdict IS 'ok, late (no news for more than max_hours_behind), stopped (more than 192 hours behind the application''s newest event of any stream), incomplete (missing_day_count above 0), failed (open_failure_count above 0) or not_refreshed (a pending file was loaded more than an hour ago). Where several hold, the last of this list. News is the newest event, or the load of the newest empty file that was loaded for this application, the later of both; the newest load where a stream has no event. A file loaded without an application counts as one of the empty application.';

-- Name: COLUMN health.reason; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.reason IS 'The verdict in one sentence with its figures.';

-- Name: COLUMN health.newest_event_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.newest_event_at IS 'Time of the newest event, as in report.freshness; NULL without an event and with app_id NULL.';

-- Name: COLUMN health.hours_behind_now; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.hours_behind_now IS 'Hours from newest_event_at to now; NULL like newest_event_at.';

-- Name: COLUMN health.max_hours_behind; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.max_hours_behind IS 'Hours without news that the settings allow: max-age.STREAM, else max-age. NULL where a stream is never late: for event and item without a setting of their own, and with app_id NULL.';

-- Name: COLUMN health.newest_loaded_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.newest_loaded_at IS 'Load time of the newest file with an accepted line of the application in the stream; NULL with app_id NULL.';

-- Name: COLUMN health.missing_day_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.missing_day_count IS 'Days without a line among the 14 days before the day of the newest event, from the day of the first event on, as of the last refresh. A day counts only where the median of its weekday is at least the setting min-daily-lines.STREAM, else min-daily-lines.';

-- Name: COLUMN health.open_failure_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.open_failure_count IS 'Open failures of the stream, of all applications; see report.open_failure. They do not add up over rows.';

-- Name: COLUMN health.pending_file_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.pending_file_count IS 'Files loaded and not in the reports, with an accepted line of the application; with app_id NULL, those without an accepted line. Files do not add up over applications.';

-- Name: COLUMN health.set_aside_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.set_aside_count IS 'Players set aside with a stored row in the stream, or in a file of the stream, as of the last refresh; see report.set_aside_player. Players do not add up over rows.';

-- Name: COLUMN health.hours_without_news; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.health.hours_without_news IS 'Hours from the newest news to now, which the verdict late compares with max_hours_behind; NULL with app_id NULL.';

-- Name: horizon; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.horizon AS
 SELECT a.app_id,
    f.stream,
    min(a.first_event_at) AS first_event_at,
    max(a.newest_event_at) AS newest_event_at
   FROM (ingest.file_app a
     JOIN ingest.source_file f ON ((f.source_file_id = a.source_file_id)))
  WHERE ((f.undone_at IS NULL) AND (a.newest_event_at IS NOT NULL))
  GROUP BY a.app_id, f.stream;

-- Name: VIEW horizon; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.horizon IS 'One row per application and stream with an event: an accepted line of a loaded file, new or known, with a time of its own, sandbox included. Receipts within events are no events of the stream receipt. Files loaded since the last refresh are included.';

-- Name: COLUMN horizon.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.horizon.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN horizon.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.horizon.stream IS 'The stream.';

-- Name: COLUMN horizon.first_event_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.horizon.first_event_at IS 'Time of the first event.';

-- Name: COLUMN horizon.newest_event_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.horizon.newest_event_at IS 'Time of the newest event: the horizon of the application in the stream.';

-- Name: idp_revocation_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.idp_revocation_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    idp_type text COLLATE pg_catalog."C",
    code bigint,
    event_count bigint NOT NULL,
    user_count bigint NOT NULL
);

ALTER TABLE ONLY rollup.idp_revocation_day REPLICA IDENTITY FULL;

-- Name: TABLE idp_revocation_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.idp_revocation_day IS 'One row per day, application, identity provider and code of revocations. Written by: a refresh.';

-- Name: COLUMN idp_revocation_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.idp_revocation_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN idp_revocation_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.idp_revocation_day.app_id IS 'The application.';

-- Name: COLUMN idp_revocation_day.idp_type; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.idp_revocation_day.idp_type IS 'The identity provider; NULL when unknown.';

-- Name: COLUMN idp_revocation_day.code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.idp_revocation_day.code IS 'Code of the revocation.';

-- Name: COLUMN idp_revocation_day.event_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.idp_revocation_day.event_count IS 'Events.';

-- Name: COLUMN idp_revocation_day.user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.idp_revocation_day.user_count IS 'Known users of the events.';

-- Name: idp_revocation_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.idp_revocation_by_day AS
 SELECT r.day,
    r.app_id,
    r.idp_type,
    r.code,
    c.name AS code_name,
    r.event_count,
    r.user_count
   FROM (rollup.idp_revocation_day r
     LEFT JOIN game.idp_revoked_code c ON ((c.code = r.code)));

-- Name: VIEW idp_revocation_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.idp_revocation_by_day IS 'One row per day, application, identity provider and code of revocations. Users do not add up over rows.';

-- Name: COLUMN idp_revocation_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN idp_revocation_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN idp_revocation_by_day.idp_type; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.idp_type IS 'The identity provider (see game.identity_provider); NULL when unknown. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN idp_revocation_by_day.code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.code IS 'Code of the revocation.';

-- Name: COLUMN idp_revocation_by_day.code_name; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.code_name IS 'Name of the code (see game.idp_revoked_code); NULL for an unknown code.';

-- Name: COLUMN idp_revocation_by_day.event_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.event_count IS 'Events of the category idPRevoked.';

-- Name: COLUMN idp_revocation_by_day.user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.idp_revocation_by_day.user_count IS 'Known users of the events.';

-- Name: item_change; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.item_change (
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C",
    valid_from timestamp with time zone NOT NULL,
    amount_minor bigint,
    product_type text COLLATE pg_catalog."C",
    item_name text,
    localized_title text,
    is_active boolean
);
ALTER TABLE ONLY rollup.item_change ALTER COLUMN item_name SET STATISTICS 0;
ALTER TABLE ONLY rollup.item_change ALTER COLUMN localized_title SET STATISTICS 0;

ALTER TABLE ONLY rollup.item_change REPLICA IDENTITY FULL;

-- Name: TABLE item_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.item_change IS 'One row per item and change of its price, type, names or flag, from snapshots with a time of their own. Written by: a refresh.';

-- Name: COLUMN item_change.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.app_id IS 'The application.';

-- Name: COLUMN item_change.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.store_code IS 'Code of the store; NULL when unknown.';

-- Name: COLUMN item_change.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN item_change.market_item_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.market_item_id IS 'The product''s id in the store; NULL when unknown.';

-- Name: COLUMN item_change.item_seq; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.item_seq IS 'The number of the item in the Gamebase console; NULL when unknown.';

-- Name: COLUMN item_change.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.currency IS 'ISO 4217 code of the price; NULL without a price.';

-- Name: COLUMN item_change.valid_from; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.valid_from IS 'Time of the first snapshot with these values.';

-- Name: COLUMN item_change.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.amount_minor IS 'Price in the minor unit; NULL when none was shown.';

-- Name: COLUMN item_change.product_type; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.product_type IS 'Type of the product; NULL when unknown.';

-- Name: COLUMN item_change.item_name; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.item_name IS 'Name in the Gamebase console; NULL when unknown.';

-- Name: COLUMN item_change.localized_title; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.localized_title IS 'Name in the language of the client; NULL when unknown.';

-- Name: COLUMN item_change.is_active; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.item_change.is_active IS 'True when the console offers the item; NULL when unknown.';

-- Name: item_history; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.item_history AS
 SELECT i.app_id,
    i.store_code,
    i.gamebase_product_id,
    i.market_item_id,
    i.item_seq,
    i.currency,
    i.valid_from,
    i.amount_minor,
    ((i.amount_minor)::numeric * c.minor_unit_value) AS amount,
    i.product_type,
    i.item_name,
    i.localized_title,
    i.is_active,
    lead(i.valid_from) OVER (PARTITION BY i.app_id, i.gamebase_product_id, i.currency, i.market_item_id, i.store_code, i.item_seq ORDER BY i.valid_from) AS valid_to
   FROM (rollup.item_change i
     LEFT JOIN game.currency c ON ((c.currency = i.currency)));

-- Name: VIEW item_history; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.item_history IS 'One row per item of a shop (application, store, the three ids, currency) and change of its price, type, names or flag, from snapshots with a time of their own. The last row of an item is open. A change of the description or of localized_price alone is no row.';

-- Name: COLUMN item_history.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN item_history.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.store_code IS 'Code of the store (see game.store); NULL when unknown. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN item_history.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN item_history.market_item_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.market_item_id IS 'The product''s id in the store; NULL when unknown.';

-- Name: COLUMN item_history.item_seq; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.item_seq IS 'The number of the item in the Gamebase console; NULL when unknown.';

-- Name: COLUMN item_history.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.currency IS 'ISO 4217 code of the price; NULL without a price.';

-- Name: COLUMN item_history.valid_from; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.valid_from IS 'Time of the first snapshot with these values.';

-- Name: COLUMN item_history.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.amount_minor IS 'Price in the minor unit, from valid_from until before valid_to; NULL when none was shown.';

-- Name: COLUMN item_history.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.amount IS 'Price in the major unit of the currency.';

-- Name: COLUMN item_history.product_type; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.product_type IS 'Type of the product; NULL when missing.';

-- Name: COLUMN item_history.item_name; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.item_name IS 'Name in the Gamebase console; NULL when missing.';

-- Name: COLUMN item_history.localized_title; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.localized_title IS 'Name in the language of the client; NULL when missing.';

-- Name: COLUMN item_history.is_active; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.is_active IS 'True when the Gamebase console offered the item; NULL when missing.';

-- Name: COLUMN item_history.valid_to; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.item_history.valid_to IS 'Time of the snapshot with the next change; NULL for the last one known.';

-- Name: kickout_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.kickout_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    kickout_count bigint NOT NULL,
    user_count bigint NOT NULL,
    CONSTRAINT kickout_day_kind_check CHECK ((kind = ANY (ARRAY['app'::text, 'transfer'::text])))
);

-- Name: TABLE kickout_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.kickout_day IS 'One row per day, application and kind of kick-out. Written by: a refresh.';

-- Name: COLUMN kickout_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.kickout_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN kickout_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.kickout_day.app_id IS 'The application.';

-- Name: COLUMN kickout_day.kind; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.kickout_day.kind IS 'app or transfer.';

-- Name: COLUMN kickout_day.kickout_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.kickout_day.kickout_count IS 'Kick-outs.';

-- Name: COLUMN kickout_day.user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.kickout_day.user_count IS 'Known users who were kicked out.';

-- Name: kickout_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.kickout_by_day AS
 SELECT k.day,
    k.app_id,
    k.kind,
    k.kickout_count,
    k.user_count
   FROM rollup.kickout_day k;

-- Name: VIEW kickout_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.kickout_by_day IS 'One row per day, application and kind of kick-out. One kick-out from the console gives two messages of a user: the received one counts, and the closed popup only without a received one of the user in the 24 hours before. Messages without a user count once each. Users do not add up over rows.';

-- Name: COLUMN kickout_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.kickout_by_day.day IS 'Day of the kick-out in the reporting zone.';

-- Name: COLUMN kickout_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.kickout_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN kickout_by_day.kind; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.kickout_by_day.kind IS 'app: from the console; transfer: the account was transferred to another device.';

-- Name: COLUMN kickout_by_day.kickout_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.kickout_by_day.kickout_count IS 'Kick-outs.';

-- Name: COLUMN kickout_by_day.user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.kickout_by_day.user_count IS 'Known users who were kicked out.';

-- Name: level; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    recorded_user_count bigint NOT NULL,
    stopped_user_count bigint NOT NULL,
    first_reached_at timestamp with time zone
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.level REPLICA IDENTITY FULL;

-- Name: TABLE level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.level IS 'One row per application and level with a level-up. Written by: rollup.add_up.';

-- Name: COLUMN level.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level.app_id IS 'The application.';

-- Name: COLUMN level.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level.user_level IS 'The level.';

-- Name: COLUMN level.recorded_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level.recorded_user_count IS 'Users with a level-up to the level.';

-- Name: COLUMN level.stopped_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level.stopped_user_count IS 'Users whose highest level it is.';

-- Name: COLUMN level.first_reached_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level.first_reached_at IS 'First level-up of any user to the level. Set by: rollup.find_first_reached.';

-- Name: level_funnel; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.level_funnel AS
 SELECT l.app_id,
    l.user_level,
    l.recorded_user_count,
    (sum(l.stopped_user_count) OVER (PARTITION BY l.app_id ORDER BY l.user_level DESC))::bigint AS reached_user_count,
    l.stopped_user_count,
    l.first_reached_at,
    (l.stopped_user_count - COALESCE(a.active_user_count, (0)::bigint)) AS stopped_7d_count
   FROM (rollup.level l
     LEFT JOIN ( SELECT p.app_id,
            p.highest_level,
            count(*) AS active_user_count
           FROM (( SELECT horizon.app_id,
                    (horizon.newest_event_at - '168:00:00'::interval) AS week_before
                   FROM rollup.horizon
                  WHERE (horizon.stream = 'level_up'::text)) n
             JOIN rollup.player p ON (((p.app_id = n.app_id) AND (p.last_level_up_at > n.week_before))))
          GROUP BY p.app_id, p.highest_level) a ON (((a.app_id = l.app_id) AND (a.highest_level = l.user_level))));

-- Name: VIEW level_funnel; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.level_funnel IS 'One row per application and level with at least one level-up. Each user counts once, with all characters, from level-ups only.';

-- Name: COLUMN level_funnel.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN level_funnel.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.user_level IS 'The level.';

-- Name: COLUMN level_funnel.recorded_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.recorded_user_count IS 'Users with a level-up to exactly this level. Users do not add up over levels.';

-- Name: COLUMN level_funnel.reached_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.reached_user_count IS 'Users whose highest level is this one or above, including users without a level-up to this level. Users do not add up over levels.';

-- Name: COLUMN level_funnel.stopped_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.stopped_user_count IS 'Users whose highest level is this one.';

-- Name: COLUMN level_funnel.first_reached_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.first_reached_at IS 'Time at which the first user reached the level.';

-- Name: COLUMN level_funnel.stopped_7d_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.stopped_7d_count IS 'Of stopped_user_count, users without any level-up in the 7 × 24 hours before the newest level-up of the application.';

-- Name: level_time; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level_time (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    user_count bigint NOT NULL,
    p25_minutes numeric(14,2) NOT NULL,
    p50_minutes numeric(14,2) NOT NULL,
    p90_minutes numeric(14,2) NOT NULL,
    group_counts bigint[] NOT NULL,
    counts bigint[] NOT NULL,
    CONSTRAINT level_time_kind_check CHECK ((kind = ANY (ARRAY['first_observed'::text, 'previous_level'::text])))
)
WITH (fillfactor='50');
ALTER TABLE ONLY rollup.level_time ALTER COLUMN group_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY rollup.level_time ALTER COLUMN counts SET STORAGE EXTERNAL;

ALTER TABLE ONLY rollup.level_time REPLICA IDENTITY FULL;

-- Name: TABLE level_time; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.level_time IS 'One row per application, level and kind: the durations until the level, counted in buckets. A duration in whole seconds belongs to the bucket of all durations with the same seven highest bits (DurationBucket in Swift). Written by: rollup.add_level_times.';

-- Name: COLUMN level_time.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.app_id IS 'The application.';

-- Name: COLUMN level_time.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.user_level IS 'The level.';

-- Name: COLUMN level_time.kind; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.kind IS 'Since the first observation, or since the previous level.';

-- Name: COLUMN level_time.user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.user_count IS 'Users with such a duration.';

-- Name: COLUMN level_time.p25_minutes; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.p25_minutes IS '25th percentile, in minutes.';

-- Name: COLUMN level_time.p50_minutes; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.p50_minutes IS 'Median, in minutes.';

-- Name: COLUMN level_time.p90_minutes; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.p90_minutes IS '90th percentile, in minutes.';

-- Name: COLUMN level_time.group_counts; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.group_counts IS 'Users by group of buckets: the first group has the 128 buckets of one second each, each later one the 64 buckets of the next number of bits. NULL for none.';

-- Name: COLUMN level_time.counts; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_time.counts IS 'Users by bucket, from the bucket of 0 seconds on. NULL for none.';

-- Name: level_time; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.level_time AS
 SELECT l.app_id,
    l.user_level,
    l.recorded_user_count AS user_count,
    COALESCE(s.user_count, (0)::bigint) AS step_user_count,
    f.p25_minutes AS p25_minutes_since_first_observed,
    f.p50_minutes AS p50_minutes_since_first_observed,
    f.p90_minutes AS p90_minutes_since_first_observed,
    s.p25_minutes AS p25_minutes_since_previous_level,
    s.p50_minutes AS p50_minutes_since_previous_level,
    s.p90_minutes AS p90_minutes_since_previous_level
   FROM ((rollup.level l
     LEFT JOIN rollup.level_time f ON (((f.app_id = l.app_id) AND (f.user_level = l.user_level) AND (f.kind = 'first_observed'::text))))
     LEFT JOIN rollup.level_time s ON (((s.app_id = l.app_id) AND (s.user_level = l.user_level) AND (s.kind = 'previous_level'::text))))
  WHERE (l.recorded_user_count > 0);

-- Name: VIEW level_time; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.level_time IS 'One row per application and level with at least one level-up: the minutes that users took to reach it. Each user counts once, with the first level-up to the level of any character. Percentiles from buckets of durations, within 0.8 %; rounded to 2 digits.';

-- Name: COLUMN level_time.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN level_time.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.user_level IS 'The level.';

-- Name: COLUMN level_time.user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.user_count IS 'Users with a level-up to this level. Users do not add up over levels.';

-- Name: COLUMN level_time.step_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.step_user_count IS 'Those of them with a previous level: a lower level reached no later.';

-- Name: COLUMN level_time.p25_minutes_since_first_observed; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.p25_minutes_since_first_observed IS '25th percentile of the minutes from the user''s first observation to the level, over user_count.';

-- Name: COLUMN level_time.p50_minutes_since_first_observed; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.p50_minutes_since_first_observed IS 'Median of the minutes from the user''s first observation to the level, over user_count.';

-- Name: COLUMN level_time.p90_minutes_since_first_observed; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.p90_minutes_since_first_observed IS '90th percentile of the minutes from the user''s first observation to the level, over user_count.';

-- Name: COLUMN level_time.p25_minutes_since_previous_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.p25_minutes_since_previous_level IS '25th percentile of the minutes from the previous level, the highest lower one reached no later, over step_user_count; NULL without any.';

-- Name: COLUMN level_time.p50_minutes_since_previous_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.p50_minutes_since_previous_level IS 'Median of the minutes from the previous level, over step_user_count; NULL without any.';

-- Name: COLUMN level_time.p90_minutes_since_previous_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_time.p90_minutes_since_previous_level IS '90th percentile of the minutes from the previous level, over step_user_count; NULL without any.';

-- Name: touched_file; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.touched_file (
    source_file_id bigint NOT NULL
);

ALTER TABLE ONLY rollup.touched_file REPLICA IDENTITY FULL;

-- Name: TABLE touched_file; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.touched_file IS 'One row per replay since the last refresh that added rows to a file that the reports contain already.';

-- Name: COLUMN touched_file.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_file.source_file_id IS 'The file.';

-- Name: touched_row; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.touched_row (
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    event_at timestamp with time zone NOT NULL,
    is_dated boolean NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    payment_seq text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.touched_row ALTER COLUMN user_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.touched_row REPLICA IDENTITY FULL;

-- Name: TABLE touched_row; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.touched_row IS 'One row per fact row that was changed or deleted since the last refresh, as it was before and as it is after. Written by: triggers on the fact tables.';

-- Name: COLUMN touched_row.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.stream IS 'The stream of the row; observation for a user whose kept observations an undo or an erasure removes.';

-- Name: COLUMN touched_row.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.app_id IS 'The application of the row.';

-- Name: COLUMN touched_row.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.user_id IS 'The user of the row; NULL for streams in no figure of a player.';

-- Name: COLUMN touched_row.event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.event_at IS 'Time of the row: purchased_at, leveled_up_at or observed_at.';

-- Name: COLUMN touched_row.is_dated; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.is_dated IS 'False for a snapshot without a time of its own (load_start).';

-- Name: COLUMN touched_row.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.source_file_id IS 'The file of the row.';

-- Name: COLUMN touched_row.line_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.line_number IS 'The line of the row in that file.';

-- Name: COLUMN touched_row.payment_seq; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.touched_row.payment_seq IS 'The payment; NULL for streams other than receipt.';

-- Name: pending_file; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.pending_file AS
 SELECT f.source_file_id
   FROM (ingest.source_file f
     JOIN rollup.refresh_state s ON (((s.stream = f.stream) AND (s.source_file_id < f.source_file_id))))
  WHERE (f.undone_at IS NULL)
UNION
 SELECT touched_file.source_file_id
   FROM rollup.touched_file
UNION
 SELECT touched_row.source_file_id
   FROM rollup.touched_row;

-- Name: VIEW pending_file; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.pending_file IS 'One row per file that was loaded, replayed, or changed in a row since the last refresh. The views of loads count the rows of these files when they are read.';

-- Name: COLUMN pending_file.source_file_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.pending_file.source_file_id IS 'The file.';

-- Name: file; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.file (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    line_count bigint NOT NULL,
    load_start_count bigint NOT NULL,
    unknown_sandbox_count bigint NOT NULL,
    unpriced_count bigint NOT NULL,
    free_count bigint NOT NULL,
    imprecise_count bigint NOT NULL,
    repaired_count bigint NOT NULL,
    unknown_product_type_count bigint NOT NULL,
    untyped_expiry_count bigint NOT NULL,
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone
);

-- Name: TABLE file; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.file IS 'One row per file, stream and application: the sums of rollup.file_day. Written by: a refresh.';

-- Name: COLUMN file.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.source_file_id IS 'The file.';

-- Name: COLUMN file.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.stream IS 'The stream of the rows.';

-- Name: COLUMN file.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.app_id IS 'The application.';

-- Name: COLUMN file.line_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.line_count IS 'Standing rows.';

-- Name: COLUMN file.load_start_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.load_start_count IS 'Rows without a time of their own (load_start). They are no events.';

-- Name: COLUMN file.unknown_sandbox_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.unknown_sandbox_count IS 'Receipts without a sandbox flag. They count as production.';

-- Name: COLUMN file.unpriced_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.unpriced_count IS 'Production receipts without a price.';

-- Name: COLUMN file.free_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.free_count IS 'Production receipts with the price 0.';

-- Name: COLUMN file.imprecise_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.imprecise_count IS 'Production receipts and items with a price that a 32-bit float may not have held exactly.';

-- Name: COLUMN file.repaired_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.repaired_count IS 'Rows with a repaired price or text.';

-- Name: COLUMN file.unknown_product_type_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.unknown_product_type_count IS 'Rows with the product type UNKNOWN.';

-- Name: COLUMN file.untyped_expiry_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.untyped_expiry_count IS 'Receipts with an expiry and without a renewable product type.';

-- Name: COLUMN file.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.first_event_at IS 'Time of the first event; NULL without an event.';

-- Name: COLUMN file.newest_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file.newest_event_at IS 'Time of the newest event; NULL without an event.';

-- Name: standing_file; Type: VIEW; Schema: rollup; Owner: -

CREATE VIEW rollup.standing_file AS
 SELECT f.source_file_id,
    f.stream,
    f.app_id,
    f.line_count,
    f.load_start_count,
    f.unknown_sandbox_count,
    f.unpriced_count,
    f.free_count,
    f.imprecise_count,
    f.repaired_count,
    f.unknown_product_type_count,
    f.untyped_expiry_count,
    f.first_event_at,
    f.newest_event_at
   FROM rollup.file f
  WHERE (NOT (EXISTS ( SELECT 1
           FROM report.pending_file p
          WHERE (p.source_file_id = f.source_file_id))))
UNION ALL
 SELECT p.source_file_id,
    p.stream,
    p.app_id,
    p.line_count,
    p.load_start_count,
    p.unknown_sandbox_count,
    p.unpriced_count,
    p.free_count,
    p.imprecise_count,
    p.repaired_count,
    p.unknown_product_type_count,
    p.untyped_expiry_count,
    p.first_event_at,
    p.newest_event_at
   FROM rollup.pending_counts() p(source_file_id, stream, app_id, line_count, load_start_count, unknown_sandbox_count, unpriced_count, free_count, imprecise_count, repaired_count, unknown_product_type_count, untyped_expiry_count, first_event_at, newest_event_at);

-- Name: VIEW standing_file; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON VIEW rollup.standing_file IS 'One row per file, stream and application with standing rows: rows that the file brought and that are stored. Files loaded since the last refresh are included.';

-- Name: COLUMN standing_file.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.source_file_id IS 'Number of the file.';

-- Name: COLUMN standing_file.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.stream IS 'The stream of the rows.';

-- Name: COLUMN standing_file.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN standing_file.line_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.line_count IS 'Standing rows.';

-- Name: COLUMN standing_file.load_start_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.load_start_count IS 'Rows without a time of their own (load_start). They are no events.';

-- Name: COLUMN standing_file.unknown_sandbox_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.unknown_sandbox_count IS 'Receipts without a sandbox flag. They count as production.';

-- Name: COLUMN standing_file.unpriced_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.unpriced_count IS 'Production receipts without a price.';

-- Name: COLUMN standing_file.free_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.free_count IS 'Production receipts with the price 0.';

-- Name: COLUMN standing_file.imprecise_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.imprecise_count IS 'Production receipts and items with a price that a 32-bit float may not have held exactly.';

-- Name: COLUMN standing_file.repaired_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.repaired_count IS 'Rows with a repaired price or text.';

-- Name: COLUMN standing_file.unknown_product_type_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.unknown_product_type_count IS 'Rows with the product type UNKNOWN.';

-- Name: COLUMN standing_file.untyped_expiry_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.untyped_expiry_count IS 'Receipts with an expiry and without a renewable product type.';

-- Name: COLUMN standing_file.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.first_event_at IS 'Time of the first event; NULL without an event.';

-- Name: COLUMN standing_file.newest_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.standing_file.newest_event_at IS 'Time of the newest event; NULL without an event.';

-- Name: load_history; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.load_history AS
 SELECT l.load_id,
    l.started_at,
    l.finished_at,
    l.exit_code,
    f.status,
    f.stream,
    f.path,
    f.source_file_id,
    f.byte_count,
    f.line_count,
    f.inserted_count,
    f.filled_count,
    f.duplicate_count,
    f.conflict_count,
    f.rejected_count,
    f.suppressed_count,
    f.blank_count,
    f.reason,
    f.undone_at,
    f.erased_count,
    f.standing_count,
    f.undone_count,
    f.dismissed_at
   FROM (ingest.load l
     LEFT JOIN ( SELECT s.load_id,
                CASE
                    WHEN (s.undone_at IS NULL) THEN 'loaded'::text
                    ELSE 'undone'::text
                END AS status,
            s.stream,
            s.path,
            s.source_file_id,
            s.byte_count,
            s.line_count,
            s.inserted_count,
            s.filled_count,
            s.duplicate_count,
            s.conflict_count,
            s.rejected_count,
            s.suppressed_count,
            s.blank_count,
            NULL::text AS reason,
            s.undone_at,
            (COALESCE(e.erased_count, (0)::numeric))::bigint AS erased_count,
            (COALESCE(r.standing_count, (0)::numeric))::bigint AS standing_count,
            (
                CASE
                    WHEN (s.undone_at IS NULL) THEN (0)::numeric
                    ELSE ((s.inserted_count)::numeric - COALESCE(e.erased_row_count, (0)::numeric))
                END)::bigint AS undone_count,
            NULL::timestamp with time zone AS dismissed_at
           FROM ((ingest.source_file s
             LEFT JOIN ( SELECT erased_line.source_file_id,
                    sum(erased_line.line_count) AS erased_count,
                    sum(erased_line.line_count) FILTER (WHERE (erased_line.outcome = 'inserted'::text)) AS erased_row_count
                   FROM ingest.erased_line
                  GROUP BY erased_line.source_file_id) e ON ((e.source_file_id = s.source_file_id)))
             LEFT JOIN ( SELECT standing_file.source_file_id,
                    standing_file.stream,
                    sum(standing_file.line_count) AS standing_count
                   FROM rollup.standing_file
                  GROUP BY standing_file.source_file_id, standing_file.stream) r ON (((r.source_file_id = s.source_file_id) AND (r.stream = s.stream))))
        UNION ALL
         SELECT x.load_id,
                CASE
                    WHEN (d.failed_file_id IS NULL) THEN 'failed'::text
                    ELSE 'dismissed'::text
                END AS "case",
            x.stream,
            x.path,
            NULL::bigint,
            x.byte_count,
            x.line_count,
            NULL::bigint,
            NULL::bigint,
            NULL::bigint,
            NULL::bigint,
            x.rejected_count,
            NULL::bigint,
            NULL::bigint,
            x.reason,
            NULL::timestamp with time zone,
            NULL::bigint,
            NULL::bigint,
            NULL::bigint,
            d.dismissed_at
           FROM (ingest.failed_file x
             LEFT JOIN ingest.failure_dismissal d ON ((d.failed_file_id = x.failed_file_id)))) f ON ((f.load_id = l.load_id)));

-- Name: VIEW load_history; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.load_history IS 'One row per run and file that the run loaded or failed to load; one row for a run without files. The counts of the ledger stay as they were, so that the outcomes add up to the lines; standing_count says what is left. Shows the ledger as it is, also without a refresh.';

-- Name: COLUMN load_history.load_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.load_id IS 'Number of the run.';

-- Name: COLUMN load_history.started_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.started_at IS 'Start of the run.';

-- Name: COLUMN load_history.finished_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.finished_at IS 'End of the run; NULL while it runs and for a killed run.';

-- Name: COLUMN load_history.exit_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.exit_code IS 'Exit code of the run; NULL while finished_at is NULL.';

-- Name: COLUMN load_history.status; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.status IS 'State of the file: loaded, undone, failed, or dismissed for a failure that needs no further action; NULL for a run without files.';

-- Name: COLUMN load_history.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.stream IS 'The stream of the file.';

-- Name: COLUMN load_history.path; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.path IS 'Path of the file, from the command line or from a search of a folder.';

-- Name: COLUMN load_history.source_file_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.source_file_id IS 'Number of the loaded file, as in column source_file_id of its rows; NULL for a failed file.';

-- Name: COLUMN load_history.byte_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.byte_count IS 'Decoded bytes; for a failed file, those read before the failure.';

-- Name: COLUMN load_history.line_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.line_count IS 'Lines; for a failed file, those read before the failure.';

-- Name: COLUMN load_history.inserted_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.inserted_count IS 'Lines that became a new row.';

-- Name: COLUMN load_history.filled_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.filled_count IS 'Lines that supplied values for NULL columns.';

-- Name: COLUMN load_history.duplicate_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.duplicate_count IS 'Lines with a known key and no new value.';

-- Name: COLUMN load_history.conflict_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.conflict_count IS 'Lines that contradicted a stored row.';

-- Name: COLUMN load_history.rejected_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.rejected_count IS 'Refused lines that no replay has resolved; for a failed file, those refused before the failure.';

-- Name: COLUMN load_history.suppressed_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.suppressed_count IS 'Lines of erased users, which were not stored.';

-- Name: COLUMN load_history.blank_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.blank_count IS 'Blank lines.';

-- Name: COLUMN load_history.reason; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.reason IS 'The error and the next step for a failed file.';

-- Name: COLUMN load_history.undone_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.undone_at IS 'Time of the undo that removed the file''s rows; NULL for other files.';

-- Name: COLUMN load_history.erased_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.erased_count IS 'Lines among the counts of this row whose rows or records were erased with their user.';

-- Name: COLUMN load_history.standing_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.standing_count IS 'Lines whose row is stored and has the number of this file. A receipt within an event is no line.';

-- Name: COLUMN load_history.undone_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.undone_count IS 'Lines among inserted_count whose row the undo of the file removed, or retention before it; 0 for a loaded file. Erased rows are in erased_count.';

-- Name: COLUMN load_history.dismissed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.dismissed_at IS 'Time of the dismissal of the failure; NULL for other files.';

-- Name: mrr_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.mrr_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    change_count bigint NOT NULL,
    twelfths_change numeric NOT NULL,
    unknown_length_change bigint NOT NULL,
    amount_twelfths numeric DEFAULT 0 NOT NULL,
    unknown_length_count bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.mrr_day REPLICA IDENTITY FULL;

-- Name: TABLE mrr_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.mrr_day IS 'One row per application, currency and day on which a paid subscription period starts or ends, also after the newest receipt. Written by: rollup.add_up.';

-- Name: COLUMN mrr_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.app_id IS 'The application.';

-- Name: COLUMN mrr_day.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN mrr_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN mrr_day.change_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.change_count IS 'Starts and ends.';

-- Name: COLUMN mrr_day.twelfths_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.twelfths_change IS 'Monthly price of the periods that start, less those that end, in twelfths of the minor unit. Twelfths make the price of every known length a whole number.';

-- Name: COLUMN mrr_day.unknown_length_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.unknown_length_change IS 'Periods without a monthly price that start, less those that end.';

-- Name: COLUMN mrr_day.amount_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.amount_twelfths IS 'Sum of twelfths_change up to the day. Set by: rollup.run_subscription_totals.';

-- Name: COLUMN mrr_day.unknown_length_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_day.unknown_length_count IS 'Sum of unknown_length_change up to the day.';

-- Name: mrr_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.mrr_by_day AS
 SELECT k.app_id,
    k.currency,
    d.period_start AS day,
    round((COALESCE(r.amount_twelfths, (0)::numeric) / (12)::numeric)) AS amount_minor,
    (round((COALESCE(r.amount_twelfths, (0)::numeric) / (12)::numeric)) * c.minor_unit_value) AS amount,
    COALESCE(r.unknown_length_count, (0)::bigint) AS unknown_length_count,
    COALESCE(((d.starts_at >= h.receipt_first_at) AND (d.ends_at <= h.receipt_newest_at)), false) AS is_complete
   FROM ((((( SELECT DISTINCT currency_period.app_id,
            currency_period.currency
           FROM rollup.currency_period
          WHERE (currency_period.period = 'month'::text)) k
     JOIN game.currency c ON ((c.currency = k.currency)))
     JOIN rollup.app_horizon h ON ((h.app_id = k.app_id)))
     JOIN rollup.calendar_period d ON (((d.period = 'day'::text) AND (d.ends_at > h.money_first_at) AND (d.starts_at <= h.money_newest_at))))
     LEFT JOIN LATERAL ( SELECT t.amount_twelfths,
            t.unknown_length_count
           FROM rollup.mrr_day t
          WHERE ((t.app_id = k.app_id) AND (t.currency = k.currency) AND (t.day <= d.period_start))
          ORDER BY t.day DESC
         LIMIT 1) r ON (true));

-- Name: VIEW mrr_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.mrr_by_day IS 'One row per application, currency in which it was ever paid, and day from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Monthly recurring revenue: the paid subscription periods that are active at the end of the day, each price taken to a month by the length of its period.';

-- Name: COLUMN mrr_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN mrr_by_day.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN mrr_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN mrr_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.amount_minor IS 'Sum of the monthly prices in the minor unit, exact and rounded once. Factors by length in days: 1 × 30, 3 × 10, 7 × 4, 14 × 2, 28 to 31 × 1, 59 to 62 / 2, 89 to 93 / 3, 180 to 186 / 6, 360 to 370 / 12.';

-- Name: COLUMN mrr_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.amount IS 'amount_minor in the major unit of the currency.';

-- Name: COLUMN mrr_by_day.unknown_length_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.unknown_length_count IS 'Active paid periods of another length, which the amounts do not include.';

-- Name: COLUMN mrr_by_day.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_by_day.is_complete IS 'True when the receipts of the application begin before the day and have gone past it. Late files can still change it.';

-- Name: mrr_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.mrr_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    month date NOT NULL,
    change_count bigint NOT NULL,
    new_twelfths numeric NOT NULL,
    reactivated_twelfths numeric NOT NULL,
    expansion_twelfths numeric NOT NULL,
    contraction_twelfths numeric NOT NULL,
    churned_twelfths numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.mrr_month REPLICA IDENTITY FULL;

-- Name: TABLE mrr_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.mrr_month IS 'One row per application, currency and month in which the monthly price of a chain changes from one end of a month to the next, also after the newest receipt. All prices are in twelfths of the minor unit. Written by: rollup.add_up.';

-- Name: COLUMN mrr_month.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.app_id IS 'The application.';

-- Name: COLUMN mrr_month.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.currency IS 'ISO 4217 code.';

-- Name: COLUMN mrr_month.month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.month IS 'First day of the month in the reporting zone.';

-- Name: COLUMN mrr_month.change_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.change_count IS 'Chains whose monthly price changes.';

-- Name: COLUMN mrr_month.new_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.new_twelfths IS 'Monthly prices of chains that never had one before the month.';

-- Name: COLUMN mrr_month.reactivated_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.reactivated_twelfths IS 'Monthly prices of chains that had one before, but not at the start of the month.';

-- Name: COLUMN mrr_month.expansion_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.expansion_twelfths IS 'Increases of the monthly prices of chains that have one at both ends of the month.';

-- Name: COLUMN mrr_month.contraction_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.contraction_twelfths IS 'Decreases of these.';

-- Name: COLUMN mrr_month.churned_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_month.churned_twelfths IS 'Monthly prices of chains that have none at the end of the month.';

-- Name: mrr_running; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.mrr_running (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    new_twelfths numeric NOT NULL,
    reactivated_twelfths numeric NOT NULL,
    expansion_twelfths numeric NOT NULL,
    contraction_twelfths numeric NOT NULL,
    churned_twelfths numeric NOT NULL,
    unknown_length_count bigint NOT NULL
);

-- Name: TABLE mrr_running; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.mrr_running IS 'One row per application and currency with a paid period in the running month. As rollup.mrr_month, with the newest instant as the end of the month. Written by: rollup.refresh_running_month.';

-- Name: COLUMN mrr_running.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.app_id IS 'The application.';

-- Name: COLUMN mrr_running.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.currency IS 'ISO 4217 code.';

-- Name: COLUMN mrr_running.new_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.new_twelfths IS 'As in rollup.mrr_month.';

-- Name: COLUMN mrr_running.reactivated_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.reactivated_twelfths IS 'As in rollup.mrr_month.';

-- Name: COLUMN mrr_running.expansion_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.expansion_twelfths IS 'As in rollup.mrr_month.';

-- Name: COLUMN mrr_running.contraction_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.contraction_twelfths IS 'As in rollup.mrr_month.';

-- Name: COLUMN mrr_running.churned_twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.churned_twelfths IS 'As in rollup.mrr_month.';

-- Name: COLUMN mrr_running.unknown_length_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_running.unknown_length_count IS 'Paid periods without a monthly price that run at the newest instant.';

-- Name: mrr_movement_by_month; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.mrr_movement_by_month AS
 SELECT f.app_id,
    f.currency,
    f.month,
    (s.starting_minor * c.minor_unit_value) AS starting_amount,
    ((s.new_minor - s.starting_minor) * c.minor_unit_value) AS new_amount,
    ((s.reactivated_minor - s.new_minor) * c.minor_unit_value) AS reactivated_amount,
    ((s.expansion_minor - s.reactivated_minor) * c.minor_unit_value) AS expansion_amount,
    ((s.expansion_minor - s.contraction_minor) * c.minor_unit_value) AS contraction_amount,
    ((s.contraction_minor - s.churned_minor) * c.minor_unit_value) AS churned_amount,
    (s.churned_minor * c.minor_unit_value) AS ending_amount,
    f.unknown_length_count,
    f.is_complete
   FROM ((( SELECT k.app_id,
            k.currency,
            m.period_start AS month,
            COALESCE(b.amount_twelfths, (0)::numeric) AS starting_twelfths,
            COALESCE(
                CASE
                    WHEN r.is_running THEN n.new_twelfths
                    ELSE t.new_twelfths
                END, (0)::numeric) AS new_twelfths,
            COALESCE(
                CASE
                    WHEN r.is_running THEN n.reactivated_twelfths
                    ELSE t.reactivated_twelfths
                END, (0)::numeric) AS reactivated_twelfths,
            COALESCE(
                CASE
                    WHEN r.is_running THEN n.expansion_twelfths
                    ELSE t.expansion_twelfths
                END, (0)::numeric) AS expansion_twelfths,
            COALESCE(
                CASE
                    WHEN r.is_running THEN n.contraction_twelfths
                    ELSE t.contraction_twelfths
                END, (0)::numeric) AS contraction_twelfths,
            COALESCE(
                CASE
                    WHEN r.is_running THEN n.churned_twelfths
                    ELSE t.churned_twelfths
                END, (0)::numeric) AS churned_twelfths,
            COALESCE(
                CASE
                    WHEN r.is_running THEN n.unknown_length_count
                    ELSE e.unknown_length_count
                END, (0)::bigint) AS unknown_length_count,
            COALESCE(((m.starts_at >= h.receipt_first_at) AND (m.ends_at <= h.receipt_newest_at)), false) AS is_complete
           FROM (((((((( SELECT DISTINCT currency_period.app_id,
                    currency_period.currency
                   FROM rollup.currency_period
                  WHERE (currency_period.period = 'month'::text)) k
             JOIN rollup.app_horizon h ON ((h.app_id = k.app_id)))
             JOIN rollup.calendar_period m ON (((m.period = 'month'::text) AND (m.ends_at > h.money_first_at) AND (m.starts_at <= h.money_newest_at))))
             CROSS JOIN LATERAL ( SELECT (m.ends_at > h.money_newest_at) AS is_running) r)
             LEFT JOIN rollup.mrr_month t ON (((t.app_id = k.app_id) AND (t.currency = k.currency) AND (t.month = m.period_start))))
             LEFT JOIN rollup.mrr_running n ON (((n.app_id = k.app_id) AND (n.currency = k.currency))))
             LEFT JOIN LATERAL ( SELECT d.amount_twelfths
                   FROM rollup.mrr_day d
                  WHERE ((d.app_id = k.app_id) AND (d.currency = k.currency) AND (d.day < m.period_start))
                  ORDER BY d.day DESC
                 LIMIT 1) b ON (true))
             LEFT JOIN LATERAL ( SELECT d.unknown_length_count
                   FROM rollup.mrr_day d
                  WHERE ((d.app_id = k.app_id) AND (d.currency = k.currency) AND (d.day <= m.last_day))
                  ORDER BY d.day DESC
                 LIMIT 1) e ON (true))) f
     JOIN game.currency c ON ((c.currency = f.currency)))
     CROSS JOIN LATERAL ( SELECT round((f.starting_twelfths / (12)::numeric)) AS starting_minor,
            round(((f.starting_twelfths + f.new_twelfths) / (12)::numeric)) AS new_minor,
            round((((f.starting_twelfths + f.new_twelfths) + f.reactivated_twelfths) / (12)::numeric)) AS reactivated_minor,
            round(((((f.starting_twelfths + f.new_twelfths) + f.reactivated_twelfths) + f.expansion_twelfths) / (12)::numeric)) AS expansion_minor,
            round((((((f.starting_twelfths + f.new_twelfths) + f.reactivated_twelfths) + f.expansion_twelfths) - f.contraction_twelfths) / (12)::numeric)) AS contraction_minor,
            round(((((((f.starting_twelfths + f.new_twelfths) + f.reactivated_twelfths) + f.expansion_twelfths) - f.contraction_twelfths) - f.churned_twelfths) / (12)::numeric)) AS churned_minor) s);

-- Name: VIEW mrr_movement_by_month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.mrr_movement_by_month IS 'One row per application, currency in which it was ever paid, and month from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Compares the monthly recurring revenue of each chain and currency, as in report.mrr_by_day, on the day before the month with that on its last day. A renewal some days late is a churn and a reactivation when the end of a month lies between; a change of currency within a chain is a churn and a new amount. starting + new + reactivated + expansion - contraction - churned = ending, also as rounded here: the sum is rounded after each movement in this order, and each movement is the difference of two neighbours. In the last month the newest event or receipt stands for the end of the month: a period that starts at that instant counts, one that ends at it does not.';

-- Name: COLUMN mrr_movement_by_month.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN mrr_movement_by_month.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.currency IS 'ISO 4217 code.';

-- Name: COLUMN mrr_movement_by_month.month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.month IS 'First day of the month in the reporting zone.';

-- Name: COLUMN mrr_movement_by_month.starting_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.starting_amount IS 'Monthly recurring revenue on the day before the month, in the major unit.';

-- Name: COLUMN mrr_movement_by_month.new_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.new_amount IS 'Revenue at the end of chains that had none at any instant before the month.';

-- Name: COLUMN mrr_movement_by_month.reactivated_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.reactivated_amount IS 'Revenue at the end of chains that had some before the month, but none at its start.';

-- Name: COLUMN mrr_movement_by_month.expansion_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.expansion_amount IS 'Increases of chains with revenue at both ends of the month.';

-- Name: COLUMN mrr_movement_by_month.contraction_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.contraction_amount IS 'Decreases of chains with revenue at both ends of the month; positive.';

-- Name: COLUMN mrr_movement_by_month.churned_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.churned_amount IS 'Revenue at the start of chains that have none at the end; positive.';

-- Name: COLUMN mrr_movement_by_month.ending_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.ending_amount IS 'Monthly recurring revenue on the last day of the month, in the major unit.';

-- Name: COLUMN mrr_movement_by_month.unknown_length_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.unknown_length_count IS 'Active paid periods at the end of the month whose length gives no monthly price, which the amounts do not include.';

-- Name: COLUMN mrr_movement_by_month.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.mrr_movement_by_month.is_complete IS 'True when the receipts of the application begin before the month and have gone past it. Late files can still change it.';

-- Name: concentration_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.concentration_month (
    month date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    top_share numeric NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    total_amount_minor numeric NOT NULL,
    CONSTRAINT concentration_month_top_share_check CHECK (((top_share > (0)::numeric) AND (top_share <= (1)::numeric))),
    CONSTRAINT concentration_month_total_amount_minor_check CHECK ((total_amount_minor > (0)::numeric))
);

-- Name: TABLE concentration_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.concentration_month IS 'One row per month, application, currency and share of the payers. Largest payments do not add up, so touched months are computed again. Written by: rollup.refresh_concentration.';

-- Name: COLUMN concentration_month.month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.month IS 'First day of the month in the reporting zone.';

-- Name: COLUMN concentration_month.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.app_id IS 'The application.';

-- Name: COLUMN concentration_month.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.currency IS 'ISO 4217 code.';

-- Name: COLUMN concentration_month.top_share; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.top_share IS 'Share of the payers with the largest amounts.';

-- Name: COLUMN concentration_month.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.payer_count IS 'Number of these payers, rounded up.';

-- Name: COLUMN concentration_month.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.amount_minor IS 'Sum of their paid purchases, in the minor unit.';

-- Name: COLUMN concentration_month.total_amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.concentration_month.total_amount_minor IS 'Sum of the paid purchases of all payers, in the minor unit.';

-- Name: payer_concentration; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.payer_concentration AS
 SELECT r.month,
    r.app_id,
    r.currency,
    r.top_share,
    r.payer_count,
    r.amount_minor,
    round((r.amount_minor / ((10)::numeric ^ (c.minor_unit)::numeric)), (c.minor_unit)::integer) AS amount,
    (div(((r.amount_minor * (2000000)::numeric) + r.total_amount_minor), (r.total_amount_minor * (2)::numeric)) * 0.000001) AS share_of_amount,
    COALESCE(((m.ends_at <= h.receipt_newest_at) AND (m.starts_at >= h.receipt_first_at)), false) AS is_complete
   FROM (((rollup.concentration_month r
     JOIN game.currency c ON ((c.currency = r.currency)))
     LEFT JOIN rollup.calendar_period m ON (((m.period = 'month'::text) AND (m.period_start = r.month))))
     LEFT JOIN rollup.app_horizon h ON ((h.app_id = r.app_id)));

-- Name: VIEW payer_concentration; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.payer_concentration IS 'One row per month, application, currency and share of the payers (0.01, 0.05, 0.1, 0.25, 0.5, 1): the part of the revenue that comes from the users who paid most. Only months with a paid purchase in the currency.';

-- Name: COLUMN payer_concentration.month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.month IS 'First day of the month.';

-- Name: COLUMN payer_concentration.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.app_id IS 'The application.';

-- Name: COLUMN payer_concentration.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.currency IS 'ISO 4217 code.';

-- Name: COLUMN payer_concentration.top_share; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.top_share IS 'Share of the month''s payers in the currency, those who paid most first.';

-- Name: COLUMN payer_concentration.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.payer_count IS 'Number of these payers: the share of all payers, rounded up. Do not add it over rows.';

-- Name: COLUMN payer_concentration.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.amount_minor IS 'Sum of their paid purchases in the month, in the minor unit of the currency.';

-- Name: COLUMN payer_concentration.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: COLUMN payer_concentration.share_of_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.share_of_amount IS 'Their part of the revenue of all payers, 6 digits.';

-- Name: COLUMN payer_concentration.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payer_concentration.is_complete IS 'True when the month ends at or before the newest event of the application''s receipt feed and does not begin before its first one.';

-- Name: payers_by_period; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.payers_by_period AS
 SELECT c.period,
    c.period_start,
    h.app_id,
    COALESCE(r.payer_count, (0)::bigint) AS payer_count,
    COALESCE(r.new_payer_count, (0)::bigint) AS new_payer_count,
    COALESCE((r.payer_count - r.new_payer_count), (0)::bigint) AS repeat_payer_count,
    COALESCE(((c.starts_at >= h.receipt_first_at) AND (c.ends_at <= h.receipt_newest_at)), false) AS is_complete
   FROM ((rollup.app_horizon h
     JOIN rollup.calendar_period c ON (((c.ends_at > h.money_first_at) AND (c.starts_at <= h.money_newest_at))))
     LEFT JOIN rollup.player_period r ON (((r.app_id = h.app_id) AND (r.period = c.period) AND (r.period_start = c.period_start))));

-- Name: VIEW payers_by_period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.payers_by_period IS 'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Users do not add up over rows.';

-- Name: COLUMN payers_by_period.period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.period IS 'day, week (from Monday) or month, in the reporting zone.';

-- Name: COLUMN payers_by_period.period_start; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.period_start IS 'First day of the period.';

-- Name: COLUMN payers_by_period.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN payers_by_period.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.payer_count IS 'Users with a paid purchase in the period (PU in the vendor''s console).';

-- Name: COLUMN payers_by_period.new_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.new_payer_count IS 'Payers whose first paid purchase in the application falls into the period (NPU in the vendor''s console).';

-- Name: COLUMN payers_by_period.repeat_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.repeat_payer_count IS 'Payers who paid before the period. new_payer_count and repeat_payer_count add up to payer_count.';

-- Name: COLUMN payers_by_period.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_period.is_complete IS 'True when the receipts of the application begin before the period and have gone past it. Late files can still change it.';

-- Name: payers_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.payers_by_day AS
 SELECT payers_by_period.period_start AS day,
    payers_by_period.app_id,
    payers_by_period.payer_count,
    payers_by_period.new_payer_count,
    payers_by_period.repeat_payer_count,
    payers_by_period.is_complete
   FROM report.payers_by_period
  WHERE (payers_by_period.period = 'day'::text);

-- Name: VIEW payers_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.payers_by_day IS 'One row per day and application: the days of report.payers_by_period. Users do not add up over rows.';

-- Name: COLUMN payers_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.day IS 'The day, in the reporting zone.';

-- Name: COLUMN payers_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN payers_by_day.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.payer_count IS 'Users with a paid purchase on that day (PU in the vendor''s console).';

-- Name: COLUMN payers_by_day.new_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.new_payer_count IS 'Payers whose first paid purchase in the application falls on that day (NPU in the vendor''s console).';

-- Name: COLUMN payers_by_day.repeat_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.repeat_payer_count IS 'Payers who paid before that day. new_payer_count and repeat_payer_count add up to payer_count.';

-- Name: COLUMN payers_by_day.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.is_complete IS 'True when the receipts of the application begin before the day and have gone past it. Late files can still change it.';

-- Name: player; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.player AS
 SELECT p.app_id,
    p.user_id,
    p.first_observed_at,
    p.first_observed_on,
    p.first_observed_in,
    p.last_observed_at,
    p.first_paid_at,
    p.first_paid_on,
    p.last_paid_at,
    p.paid_count,
    (p.first_observed_on - h.first_on) AS days_of_history,
    p.user_level,
    p.channel_id,
    p.character_id,
    p.class_id
   FROM (rollup.player p
     LEFT JOIN ( SELECT f.app_id,
            min(f.first_on) AS first_on
           FROM ( SELECT a.app_id,
                    c.period_start AS first_on
                   FROM (rollup.app_horizon a
                     JOIN rollup.calendar_period c ON (((c.period = 'day'::text) AND (c.starts_at <= a.first_at) AND (c.ends_at > a.first_at))))
                UNION ALL
                 SELECT s.app_id,
                    s.cohort_on
                   FROM rollup.cohort_size s
                  WHERE (s.cohort_kind = 'first_observed'::text)) f
          GROUP BY f.app_id) h ON ((h.app_id = p.app_id)));

-- Name: VIEW player; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.player IS 'One row per application and user with any stored row or kept observation. A user who was never observed has NULLs and is in no cohort.';

-- Name: COLUMN player.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN player.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.user_id IS 'The user.';

-- Name: COLUMN player.first_observed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.first_observed_at IS 'Time of the first observation: a production purchase that the store did not make by itself, a level-up, or a snapshot with a time of its own.';

-- Name: COLUMN player.first_observed_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.first_observed_on IS 'Day of the first observation in the reporting zone; the user''s cohort.';

-- Name: COLUMN player.first_observed_in; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.first_observed_in IS 'Stream of the first observation.';

-- Name: COLUMN player.last_observed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.last_observed_at IS 'Time of the last observation.';

-- Name: COLUMN player.first_paid_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.first_paid_at IS 'Time of the first paid purchase; NULL for none.';

-- Name: COLUMN player.first_paid_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.first_paid_on IS 'Day of the first paid purchase in the reporting zone; NULL for none.';

-- Name: COLUMN player.last_paid_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.last_paid_at IS 'Time of the last paid purchase; NULL for none.';

-- Name: COLUMN player.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.paid_count IS 'Number of paid purchases.';

-- Name: COLUMN player.days_of_history; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.days_of_history IS 'Days from the first event or kept observation of the application to the first observation of the user. A small number means that the user may have played before the loaded history begins.';

-- Name: COLUMN player.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.user_level IS 'Current level; of several characters the highest. NULL when unknown.';

-- Name: COLUMN player.channel_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.channel_id IS 'Channel of the character with that level.';

-- Name: COLUMN player.character_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.character_id IS 'The character with that level; NULL also when the game has none.';

-- Name: COLUMN player.class_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player.class_id IS 'Class of that character.';

-- Name: player_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    is_observed boolean NOT NULL,
    is_new_payer boolean NOT NULL,
    firsts smallint NOT NULL,
    level_up_count integer NOT NULL,
    snapshot_count integer NOT NULL,
    paid_count integer NOT NULL,
    level_at_end integer,
    first_observed_on date
);
ALTER TABLE ONLY rollup.player_day ALTER COLUMN user_id SET STATISTICS 0;

-- Name: TABLE player_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.player_day IS 'One row per player and day with any row that has a time of its own, sandbox receipts included. Written by: a refresh.';

-- Name: COLUMN player_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.app_id IS 'The application.';

-- Name: COLUMN player_day.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.user_id IS 'The user.';

-- Name: COLUMN player_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN player_day.is_observed; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.is_observed IS 'True when the user was observed on the day.';

-- Name: COLUMN player_day.is_new_payer; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.is_new_payer IS 'True on the day of the first paid purchase.';

-- Name: COLUMN player_day.firsts; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.firsts IS 'The weeks and months whose first day of a kind this is, as bits: DayFirsts in Swift.';

-- Name: COLUMN player_day.level_up_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.level_up_count IS 'Level-ups.';

-- Name: COLUMN player_day.snapshot_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.snapshot_count IS 'Snapshots with a time of their own.';

-- Name: COLUMN player_day.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.paid_count IS 'Paid purchases.';

-- Name: COLUMN player_day.level_at_end; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.level_at_end IS 'Level at the end of the day; NULL while none is known.';

-- Name: COLUMN player_day.first_observed_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_day.first_observed_on IS 'Day of the player''s first observation; NULL on a day without an observation.';

-- Name: player_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.player_day AS
 SELECT player_day.app_id,
    player_day.user_id,
    player_day.day,
    player_day.is_observed,
    player_day.level_up_count,
    player_day.paid_count,
    player_day.is_new_payer,
    player_day.level_at_end
   FROM rollup.player_day;

-- Name: VIEW player_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.player_day IS 'One row per application, user and day with any row of the user that has a time of its own.';

-- Name: COLUMN player_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN player_day.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.user_id IS 'The user.';

-- Name: COLUMN player_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.day IS 'The day, in the reporting zone.';

-- Name: COLUMN player_day.is_observed; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.is_observed IS 'True when the user was observed; false on a day with only renewals or test purchases.';

-- Name: COLUMN player_day.level_up_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.level_up_count IS 'Number of level-ups.';

-- Name: COLUMN player_day.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.paid_count IS 'Number of paid purchases.';

-- Name: COLUMN player_day.is_new_payer; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.is_new_payer IS 'True when the user''s first paid purchase in the application falls on the day.';

-- Name: COLUMN player_day.level_at_end; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_day.level_at_end IS 'Level at the end of the day; of several characters the highest. NULL when unknown.';

-- Name: player_currency; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_currency (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    paid_count bigint NOT NULL,
    amount_minor numeric NOT NULL
)
WITH (fillfactor='90');
ALTER TABLE ONLY rollup.player_currency ALTER COLUMN user_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.player_currency REPLICA IDENTITY FULL;

-- Name: TABLE player_currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.player_currency IS 'One row per player and currency in which the player paid. Written by: rollup.add_up.';

-- Name: COLUMN player_currency.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_currency.app_id IS 'The application.';

-- Name: COLUMN player_currency.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_currency.user_id IS 'The user.';

-- Name: COLUMN player_currency.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_currency.currency IS 'ISO 4217 code.';

-- Name: COLUMN player_currency.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_currency.paid_count IS 'Paid purchases.';

-- Name: COLUMN player_currency.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_currency.amount_minor IS 'Sum of the paid purchases, in the minor unit.';

-- Name: player_revenue; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.player_revenue AS
 SELECT r.app_id,
    r.user_id,
    r.currency,
    r.paid_count,
    r.amount_minor,
    (r.amount_minor * c.minor_unit_value) AS amount
   FROM (rollup.player_currency r
     JOIN game.currency c ON ((c.currency = r.currency)));

-- Name: VIEW player_revenue; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.player_revenue IS 'One row per application, user and currency in which the user paid.';

-- Name: COLUMN player_revenue.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_revenue.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN player_revenue.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_revenue.user_id IS 'The user.';

-- Name: COLUMN player_revenue.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_revenue.currency IS 'ISO 4217 code.';

-- Name: COLUMN player_revenue.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_revenue.paid_count IS 'Number of paid purchases.';

-- Name: COLUMN player_revenue.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_revenue.amount_minor IS 'Sum of the paid purchases, in the minor unit of the currency.';

-- Name: COLUMN player_revenue.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.player_revenue.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: revenue_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.revenue_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    is_promotion boolean NOT NULL,
    purchase_count bigint NOT NULL,
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    new_payer_count bigint NOT NULL,
    free_count bigint NOT NULL,
    unpriced_count bigint NOT NULL,
    imprecise_count bigint NOT NULL,
    unknown_sandbox_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    promotion_amount_minor numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.revenue_day REPLICA IDENTITY FULL;

-- Name: TABLE revenue_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.revenue_day IS 'One row per application, day, currency, product, store and promotion flag with a production purchase. Written by: rollup.add_up.';

-- Name: COLUMN revenue_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.app_id IS 'The application.';

-- Name: COLUMN revenue_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN revenue_day.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN revenue_day.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN revenue_day.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.store_code IS 'Code of the store; NULL when missing.';

-- Name: COLUMN revenue_day.is_promotion; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.is_promotion IS 'True for promotional purchases; false also without the flag.';

-- Name: COLUMN revenue_day.purchase_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.purchase_count IS 'Production purchases.';

-- Name: COLUMN revenue_day.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.paid_count IS 'Paid purchases.';

-- Name: COLUMN revenue_day.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.payer_count IS 'Users with a paid purchase.';

-- Name: COLUMN revenue_day.new_payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.new_payer_count IS 'Users whose first paid purchase falls on the day.';

-- Name: COLUMN revenue_day.free_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.free_count IS 'Purchases with the price 0.';

-- Name: COLUMN revenue_day.unpriced_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.unpriced_count IS 'Purchases without a price.';

-- Name: COLUMN revenue_day.imprecise_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.imprecise_count IS 'Purchases whose price may have lost digits in a 32-bit float.';

-- Name: COLUMN revenue_day.unknown_sandbox_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.unknown_sandbox_count IS 'Purchases without a sandbox flag.';

-- Name: COLUMN revenue_day.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.amount_minor IS 'Sum of the paid purchases, in the minor unit.';

-- Name: COLUMN revenue_day.promotion_amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.revenue_day.promotion_amount_minor IS 'Sum of the prices of promotional purchases, in the minor unit.';

-- Name: product_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.product_by_day AS
 SELECT p.day,
    p.app_id,
    p.currency,
    p.gamebase_product_id,
    p.store_code,
    p.purchase_count,
    p.paid_count,
    p.payer_count,
    p.new_payer_count,
    p.amount_minor,
    (p.amount_minor * c.minor_unit_value) AS amount,
    round((p.amount_minor / NULLIF(p.total_amount_minor, (0)::numeric)), 6) AS share_of_amount
   FROM (( SELECT r.day,
            r.app_id,
            r.currency,
            r.gamebase_product_id,
            r.store_code,
            (sum(r.purchase_count))::bigint AS purchase_count,
            (sum(r.paid_count))::bigint AS paid_count,
            (sum(r.payer_count))::bigint AS payer_count,
            (sum(r.new_payer_count))::bigint AS new_payer_count,
            sum(r.amount_minor) AS amount_minor,
            sum(sum(r.amount_minor)) OVER (PARTITION BY r.day, r.app_id, r.currency) AS total_amount_minor
           FROM rollup.revenue_day r
          GROUP BY r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code) p
     JOIN game.currency c ON ((c.currency = p.currency)));

-- Name: VIEW product_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.product_by_day IS 'One row per day, application, currency, product and store with a production purchase.';

-- Name: COLUMN product_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.day IS 'Day of the purchase in the reporting zone.';

-- Name: COLUMN product_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN product_by_day.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN product_by_day.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN product_by_day.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.store_code IS 'Code of the store, as written in the receipts; NULL when missing.';

-- Name: COLUMN product_by_day.purchase_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.purchase_count IS 'Number of production purchases.';

-- Name: COLUMN product_by_day.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.paid_count IS 'Number of paid purchases.';

-- Name: COLUMN product_by_day.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.payer_count IS 'Users with a paid purchase in this row. Do not add it over rows.';

-- Name: COLUMN product_by_day.new_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.new_payer_count IS 'Payers of this row whose first paid purchase in the application falls on the day. A user who buys two products on that day is new in both, so do not add it over rows.';

-- Name: COLUMN product_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.amount_minor IS 'Sum of the paid purchases, in the minor unit of the currency.';

-- Name: COLUMN product_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: COLUMN product_by_day.share_of_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.product_by_day.share_of_amount IS 'Part of the amount of the day, application and currency, from 0 to 1; NULL when that amount is 0.';

-- Name: purchase; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.purchase (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    purchased_at timestamp with time zone NOT NULL,
    day date NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    amount_minor bigint,
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    is_sandbox boolean,
    is_promotion boolean,
    price_imprecise boolean NOT NULL,
    is_paid boolean NOT NULL,
    is_observation boolean NOT NULL,
    firsts integer NOT NULL,
    user_level integer,
    level_attribution text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    first_observed_on date,
    first_paid_on date,
    CONSTRAINT purchase_level_attribution_check CHECK ((level_attribution = ANY (ARRAY['exact'::text, 'highest_of_several'::text, 'none'::text])))
);
ALTER TABLE ONLY rollup.purchase ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN payment_seq SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN channel_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN character_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN class_id SET STATISTICS 0;

-- Name: TABLE purchase; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.purchase IS 'One row per payment (paymentSeq), sandbox included: what the sums over purchases need, and the level at the purchase. Written by: a refresh.';

-- Name: COLUMN purchase.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.app_id IS 'The application.';

-- Name: COLUMN purchase.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.user_id IS 'The user.';

-- Name: COLUMN purchase.payment_seq; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.payment_seq IS 'The payment. Joins to game.receipt.payment_seq.';

-- Name: COLUMN purchase.purchased_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.purchased_at IS 'Time of the purchase.';

-- Name: COLUMN purchase.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.day IS 'Day of the purchase in the reporting zone.';

-- Name: COLUMN purchase.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.currency IS 'ISO 4217 code.';

-- Name: COLUMN purchase.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.amount_minor IS 'Price in the minor unit; NULL without a price.';

-- Name: COLUMN purchase.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN purchase.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.store_code IS 'Code of the store; NULL when missing.';

-- Name: COLUMN purchase.is_sandbox; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.is_sandbox IS 'True for a test purchase; NULL without a flag.';

-- Name: COLUMN purchase.is_promotion; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.is_promotion IS 'True for a promotional purchase; NULL without a flag.';

-- Name: COLUMN purchase.price_imprecise; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.price_imprecise IS 'As in game.receipt.';

-- Name: COLUMN purchase.is_paid; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.is_paid IS 'True for a production purchase with a price above 0 and without a promotion.';

-- Name: COLUMN purchase.is_observation; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.is_observation IS 'True when the purchase is an observation of the user: a production purchase that no store renewed by itself.';

-- Name: COLUMN purchase.firsts; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.firsts IS 'The groups in which this is the player''s first purchase, as bits: PurchaseFirsts in Swift.';

-- Name: COLUMN purchase.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.user_level IS 'Level at the purchase; NULL when none is known.';

-- Name: COLUMN purchase.level_attribution; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.level_attribution IS 'exact (one character known), highest_of_several, or none.';

-- Name: COLUMN purchase.channel_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.channel_id IS 'Channel of the row that gives the level; NULL unless level_attribution is exact.';

-- Name: COLUMN purchase.character_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.character_id IS 'Character of that row; NULL unless level_attribution is exact.';

-- Name: COLUMN purchase.class_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.class_id IS 'Class of that row; NULL unless level_attribution is exact.';

-- Name: COLUMN purchase.first_observed_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.first_observed_on IS 'Day of the player''s first observation; NULL for a purchase that is not paid.';

-- Name: COLUMN purchase.first_paid_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.purchase.first_paid_on IS 'Day of the player''s first paid purchase; NULL for a purchase that is not paid.';

-- Name: subscription_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.subscription_period (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    amount_minor bigint,
    purchased_on date NOT NULL,
    chain_id text NOT NULL COLLATE pg_catalog."C",
    chain_rule text NOT NULL COLLATE pg_catalog."C",
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    starts_on date NOT NULL,
    ends_on date NOT NULL,
    length_in_days integer NOT NULL,
    period_kind text COLLATE pg_catalog."C",
    is_trial boolean NOT NULL,
    is_paid boolean NOT NULL,
    is_converted boolean NOT NULL,
    is_renewed boolean NOT NULL,
    is_expiry boolean NOT NULL,
    renewal_number integer,
    cohort_month date,
    cohort_product_id text COLLATE pg_catalog."C",
    cohort_started_as text COLLATE pg_catalog."C",
    CONSTRAINT subscription_period_chain_rule_check CHECK ((chain_rule = ANY (ARRAY['original'::text, 'google'::text, 'payment'::text, 'product'::text]))),
    CONSTRAINT subscription_period_check CHECK ((ends_at >= starts_at)),
    CONSTRAINT subscription_period_cohort_started_as_check CHECK ((cohort_started_as = ANY (ARRAY['trial'::text, 'paid'::text, 'other'::text]))),
    CONSTRAINT subscription_period_period_kind_check CHECK ((period_kind = ANY (ARRAY['new'::text, 'continued'::text, 'renewal'::text, 'resubscription'::text])))
);
ALTER TABLE ONLY rollup.subscription_period ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.subscription_period ALTER COLUMN payment_seq SET STATISTICS 0;
ALTER TABLE ONLY rollup.subscription_period ALTER COLUMN chain_id SET STATISTICS 0;

-- Name: TABLE subscription_period; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.subscription_period IS 'One row per subscription receipt: its chain and its period. Written by: a refresh.';

-- Name: COLUMN subscription_period.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.app_id IS 'The application.';

-- Name: COLUMN subscription_period.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.user_id IS 'The user.';

-- Name: COLUMN subscription_period.payment_seq; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.payment_seq IS 'The payment.';

-- Name: COLUMN subscription_period.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN subscription_period.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.store_code IS 'Code of the store; NULL when missing.';

-- Name: COLUMN subscription_period.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.currency IS 'ISO 4217 code.';

-- Name: COLUMN subscription_period.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.amount_minor IS 'Price in the minor unit; NULL without a price.';

-- Name: COLUMN subscription_period.purchased_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.purchased_on IS 'Day of the purchase in the reporting zone.';

-- Name: COLUMN subscription_period.chain_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.chain_id IS 'The chain: its smallest payment_seq.';

-- Name: COLUMN subscription_period.chain_rule; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.chain_rule IS 'The rule that joins the payment to its chain.';

-- Name: COLUMN subscription_period.starts_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.starts_at IS 'Start of the period.';

-- Name: COLUMN subscription_period.ends_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.ends_at IS 'First instant after the period; equal to starts_at for one without length.';

-- Name: COLUMN subscription_period.starts_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.starts_on IS 'Day of starts_at in the reporting zone.';

-- Name: COLUMN subscription_period.ends_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.ends_on IS 'Day of ends_at in the reporting zone.';

-- Name: COLUMN subscription_period.length_in_days; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.length_in_days IS 'Length to the nearest 24 hours, before a receipt of another product cut it; 0 for a period without length.';

-- Name: COLUMN subscription_period.period_kind; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.period_kind IS 'new, continued, renewal or resubscription; NULL for a period without length.';

-- Name: COLUMN subscription_period.is_trial; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.is_trial IS 'True for the price 0 without a promotion.';

-- Name: COLUMN subscription_period.is_paid; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.is_paid IS 'True for a price above 0 without a promotion.';

-- Name: COLUMN subscription_period.is_converted; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.is_converted IS 'True for a renewal that is the first paid period after a trial.';

-- Name: COLUMN subscription_period.is_renewed; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.is_renewed IS 'True when the next period of the chain is a renewal.';

-- Name: COLUMN subscription_period.is_expiry; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.is_expiry IS 'True when no renewal followed within 16 days of the end, as far as is known.';

-- Name: COLUMN subscription_period.renewal_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.renewal_number IS 'Number of the period in the unbroken chain, from 1; NULL when the chain belongs to no cohort.';

-- Name: COLUMN subscription_period.cohort_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.cohort_month IS 'First day of the month in which the chain began; NULL when it belongs to no cohort.';

-- Name: COLUMN subscription_period.cohort_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.cohort_product_id IS 'Product of the chain''s first period; NULL when unknown, or without a cohort.';

-- Name: COLUMN subscription_period.cohort_started_as; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_period.cohort_started_as IS 'How the chain began: with a trial, a paid period, or another one; NULL without a cohort.';

-- Name: purchase; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.purchase AS
 SELECT f.payment_seq,
    r.app_id,
    r.user_id,
    r.gamebase_product_id,
    f.market_item_id,
    f.item_seq,
    f.product_type,
    f.product_type_raw,
    r.store_code,
    r.currency,
    r.amount_minor,
    f.price_raw,
    f.price_repaired,
    r.price_imprecise,
    r.purchased_at,
    f.expires_at,
    f.payment_id,
    f.original_payment_id,
    r.is_sandbox,
    r.is_promotion,
    f.text_repaired,
    f.source_file_id,
    f.line_number,
    r.day AS purchased_on,
    ((r.amount_minor)::numeric * c.minor_unit_value) AS amount,
    r.is_paid,
    (r.is_sandbox IS NOT NULL) AS is_sandbox_known,
    ((r.firsts & 1) <> 0) AS is_first_paid,
    p.chain_id,
    r.user_level,
    r.level_attribution,
    r.channel_id,
    r.character_id,
    r.class_id
   FROM (((rollup.purchase r
     JOIN game.receipt f ON ((f.payment_seq = r.payment_seq)))
     JOIN game.currency c ON ((c.currency = r.currency)))
     LEFT JOIN rollup.subscription_period p ON (((p.app_id = r.app_id) AND (p.user_id = r.user_id) AND (p.payment_seq = r.payment_seq))));

-- Name: VIEW purchase; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.purchase IS 'One row per payment (paymentSeq), sandbox included, with its day, its place in a subscription and the level of the user. Until the next refresh, a value that a later file filled shows already in market_item_id, item_seq, product_type, expires_at, payment_id and original_payment_id.';

-- Name: COLUMN purchase.payment_seq; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.payment_seq IS 'The vendor''s number of the payment.';

-- Name: COLUMN purchase.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN purchase.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.user_id IS 'The user who paid.';

-- Name: COLUMN purchase.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN purchase.market_item_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.market_item_id IS 'The product''s id in the store.';

-- Name: COLUMN purchase.item_seq; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.item_seq IS 'The number of the item in the Gamebase console.';

-- Name: COLUMN purchase.product_type; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.product_type IS 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when the line has none.';

-- Name: COLUMN purchase.product_type_raw; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.product_type_raw IS 'The product type as written in the line, when it differs from product_type.';

-- Name: COLUMN purchase.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.store_code IS 'Code of the store, as written in the receipt; NULL when missing.';

-- Name: COLUMN purchase.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.currency IS 'ISO 4217 code.';

-- Name: COLUMN purchase.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.amount_minor IS 'Price in the minor unit of the currency; NULL when the vendor gave no price. Also of sandbox and promotional purchases.';

-- Name: COLUMN purchase.price_raw; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.price_raw IS 'The price as written in the line, when it was repaired or is imprecise.';

-- Name: COLUMN purchase.price_repaired; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.price_repaired IS 'True when the loader rounded off the error of a 32-bit float.';

-- Name: COLUMN purchase.price_imprecise; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.price_imprecise IS 'True when the amount is so large that a 32-bit float may not have held it exactly.';

-- Name: COLUMN purchase.purchased_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.purchased_at IS 'Time of the purchase, to the millisecond.';

-- Name: COLUMN purchase.expires_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.expires_at IS 'End of the subscription period; NULL for a purchase that is not a subscription.';

-- Name: COLUMN purchase.payment_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.payment_id IS 'The store''s reference of the payment; not unique.';

-- Name: COLUMN purchase.original_payment_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.original_payment_id IS 'The store''s reference of the first payment of the subscription; NULL when not given.';

-- Name: COLUMN purchase.is_sandbox; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.is_sandbox IS 'True for test purchases; NULL when the line has no flag.';

-- Name: COLUMN purchase.is_promotion; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.is_promotion IS 'True for promotional purchases; NULL when the line has no flag.';

-- Name: COLUMN purchase.text_repaired; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.text_repaired IS 'True when the loader replaced a NUL or an unpaired surrogate in a free text by U+FFFD.';

-- Name: COLUMN purchase.source_file_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.source_file_id IS 'The file that brought the row.';

-- Name: COLUMN purchase.line_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.line_number IS 'Line number in that file, from 1.';

-- Name: COLUMN purchase.purchased_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.purchased_on IS 'Day of the purchase in the reporting zone.';

-- Name: COLUMN purchase.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: COLUMN purchase.is_paid; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.is_paid IS 'True for a production purchase with a price above 0 that is not a promotion. Revenue and payers count these.';

-- Name: COLUMN purchase.is_sandbox_known; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.is_sandbox_known IS 'False when the line has no sandbox flag; such a purchase counts as production.';

-- Name: COLUMN purchase.is_first_paid; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.is_first_paid IS 'True for the user''s first paid purchase in the application; of purchases at one instant, the smallest payment_seq.';

-- Name: COLUMN purchase.chain_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.chain_id IS 'The subscription chain: its smallest payment_seq; NULL for a purchase that is no subscription period.';

-- Name: COLUMN purchase.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.user_level IS 'Level of the user at the purchase; of several characters the highest. NULL when unknown.';

-- Name: COLUMN purchase.level_attribution; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.level_attribution IS 'exact (one character known at the purchase), highest_of_several or none.';

-- Name: COLUMN purchase.channel_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.channel_id IS 'Channel at the purchase; NULL unless level_attribution is exact.';

-- Name: COLUMN purchase.character_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.character_id IS 'Character at the purchase; NULL unless level_attribution is exact.';

-- Name: COLUMN purchase.class_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.purchase.class_id IS 'Class at the purchase; NULL unless level_attribution is exact.';

-- Name: push_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.push_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    push_id text COLLATE pg_catalog."C",
    received_count bigint NOT NULL,
    received_user_count bigint NOT NULL,
    clicked_count bigint NOT NULL,
    clicked_user_count bigint NOT NULL,
    action_count bigint NOT NULL,
    open_app_count bigint NOT NULL,
    open_url_count bigint NOT NULL,
    reply_count bigint NOT NULL,
    dismiss_count bigint NOT NULL,
    first_event_at timestamp with time zone NOT NULL,
    first_received_at timestamp with time zone
);

ALTER TABLE ONLY rollup.push_day REPLICA IDENTITY FULL;

-- Name: TABLE push_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.push_day IS 'One row per day, application and push message. Written by: a refresh.';

-- Name: COLUMN push_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN push_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.app_id IS 'The application.';

-- Name: COLUMN push_day.push_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.push_id IS 'The push message; NULL when unknown.';

-- Name: COLUMN push_day.received_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.received_count IS 'Received messages.';

-- Name: COLUMN push_day.received_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.received_user_count IS 'Known users who received it.';

-- Name: COLUMN push_day.clicked_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.clicked_count IS 'Clicks on the message.';

-- Name: COLUMN push_day.clicked_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.clicked_user_count IS 'Known users who clicked.';

-- Name: COLUMN push_day.action_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.action_count IS 'Pressed buttons.';

-- Name: COLUMN push_day.open_app_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.open_app_count IS 'Buttons that opened the app.';

-- Name: COLUMN push_day.open_url_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.open_url_count IS 'Buttons that opened a page.';

-- Name: COLUMN push_day.reply_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.reply_count IS 'Replies.';

-- Name: COLUMN push_day.dismiss_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.dismiss_count IS 'Dismissals.';

-- Name: COLUMN push_day.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.first_event_at IS 'Time of the first of these events.';

-- Name: COLUMN push_day.first_received_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_day.first_received_at IS 'Time of the first received message; NULL without one.';

-- Name: push_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.push_by_day AS
 SELECT p.day,
    p.app_id,
    p.push_id,
    p.received_count,
    p.received_user_count,
    p.clicked_count,
    p.clicked_user_count,
    p.action_count,
    p.open_app_count,
    p.open_url_count,
    p.reply_count,
    p.dismiss_count,
    ((((p.action_count - p.open_app_count) - p.open_url_count) - p.reply_count) - p.dismiss_count) AS other_action_count
   FROM rollup.push_day p;

-- Name: VIEW push_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.push_by_day IS 'One row per day, application and push message with events. A click counts on its own day, not on that of the receipt, so a day has no click rate; report.push_performance has it. Users do not add up over rows.';

-- Name: COLUMN push_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.day IS 'Day of the event in the reporting zone.';

-- Name: COLUMN push_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN push_by_day.push_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.push_id IS 'The push message; NULL when unknown. Join it with IS NOT DISTINCT FROM.';

-- Name: COLUMN push_by_day.received_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.received_count IS 'Messages that arrived at clients.';

-- Name: COLUMN push_by_day.received_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.received_user_count IS 'Known users who received the message.';

-- Name: COLUMN push_by_day.clicked_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.clicked_count IS 'Clicks on the message.';

-- Name: COLUMN push_by_day.clicked_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.clicked_user_count IS 'Known users who clicked the message.';

-- Name: COLUMN push_by_day.action_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.action_count IS 'Pressed buttons of the message.';

-- Name: COLUMN push_by_day.open_app_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.open_app_count IS 'Of action_count: the button opened the app.';

-- Name: COLUMN push_by_day.open_url_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.open_url_count IS 'Of action_count: the button opened a page.';

-- Name: COLUMN push_by_day.reply_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.reply_count IS 'Of action_count: the user wrote a reply.';

-- Name: COLUMN push_by_day.dismiss_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.dismiss_count IS 'Of action_count: the user dismissed the message.';

-- Name: COLUMN push_by_day.other_action_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_by_day.other_action_count IS 'Of action_count: an unknown action or none.';

-- Name: push; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.push (
    app_id text NOT NULL COLLATE pg_catalog."C",
    push_id text NOT NULL COLLATE pg_catalog."C",
    first_event_at timestamp with time zone NOT NULL,
    first_received_at timestamp with time zone,
    received_user_count bigint NOT NULL,
    clicked_user_count bigint NOT NULL
);

-- Name: TABLE push; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.push IS 'One row per application and push message with events: the users of all its days. Written by: a refresh.';

-- Name: COLUMN push.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push.app_id IS 'The application.';

-- Name: COLUMN push.push_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push.push_id IS 'The push message.';

-- Name: COLUMN push.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push.first_event_at IS 'Time of the first event of the message: received, clicked or answered by a button.';

-- Name: COLUMN push.first_received_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push.first_received_at IS 'Time of the first received message; NULL without one.';

-- Name: COLUMN push.received_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push.received_user_count IS 'Known users who received or clicked the message.';

-- Name: COLUMN push.clicked_user_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push.clicked_user_count IS 'Of these, users who clicked it.';

-- Name: push_performance; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.push_performance AS
 SELECT p.app_id,
    p.push_id,
    p.first_received_at,
    p.received_user_count,
    p.clicked_user_count,
        CASE
            WHEN (NOT (EXISTS ( SELECT
               FROM rollup.dropped_month d
              WHERE ((d.stream = 'event'::text) AND (p.first_event_at >= d.starts_at) AND (p.first_event_at < (d.ends_at + '744:00:00'::interval)))))) THEN (round(((p.clicked_user_count)::numeric / (NULLIF(p.received_user_count, 0))::numeric), 6))::numeric(7,6)
            ELSE NULL::numeric
        END AS click_rate
   FROM rollup.push p;

-- Name: VIEW push_performance; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.push_performance IS 'One row per application and push message with an id, over all days of its stored events. Events of months that retention dropped leave the figures, so a message has no row when all its events are gone. Users do not add up over rows.';

-- Name: COLUMN push_performance.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_performance.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN push_performance.push_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_performance.push_id IS 'The push message.';

-- Name: COLUMN push_performance.first_received_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_performance.first_received_at IS 'Time at which a client first received the message, also one whose user is unknown; NULL when no client did.';

-- Name: COLUMN push_performance.received_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_performance.received_user_count IS 'Known users who received the message. A click without a receipt counts its user, too.';

-- Name: COLUMN push_performance.clicked_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_performance.clicked_user_count IS 'Known users who clicked the message, on any day. Buttons of the message are no clicks.';

-- Name: COLUMN push_performance.click_rate; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.push_performance.click_rate IS 'Share of the receiving users who clicked; NULL without known receivers. NULL also when the first event of the message lies in a month of events that retention dropped, or in the 31 days after one, because earlier events may be gone.';

-- Name: quality_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.quality_by_day AS
SELECT
    NULL::text COLLATE pg_catalog."C" AS stream,
    NULL::text COLLATE pg_catalog."C" AS app_id,
    NULL::date AS loaded_on,
    NULL::bigint AS line_count,
    NULL::bigint AS reject_count,
    NULL::bigint AS conflict_count,
    NULL::bigint AS unknown_sandbox_count,
    NULL::bigint AS unpriced_count,
    NULL::bigint AS free_count,
    NULL::bigint AS imprecise_count,
    NULL::bigint AS repaired_count,
    NULL::bigint AS unknown_product_type_count,
    NULL::bigint AS untyped_expiry_count,
    NULL::bigint AS load_start_count;

-- Name: VIEW quality_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.quality_by_day IS 'One row per stream, application and day on which files were loaded or failed. Refused lines have no application: they are in rows of their own, with app_id NULL. Files loaded since the last refresh are included. Of a failed file only the first 1,000 refused lines are known, and they are gone once the file loads.';

-- Name: COLUMN quality_by_day.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.stream IS 'The stream; NULL for refused lines of a failed file whose stream is unknown.';

-- Name: COLUMN quality_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.app_id IS 'The application; empty when unknown. NULL for refused lines, and for conflicts whose stored row is gone.';

-- Name: COLUMN quality_by_day.loaded_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.loaded_on IS 'Day in the reporting zone on which the file was loaded or failed.';

-- Name: COLUMN quality_by_day.line_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.line_count IS 'Standing rows: rows that files of the day brought and that are stored.';

-- Name: COLUMN quality_by_day.reject_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.reject_count IS 'Refused lines of loaded and of failed files, including lines that a replay has resolved.';

-- Name: COLUMN quality_by_day.conflict_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.conflict_count IS 'Lines that contradict a stored row of the application, including accepted ones.';

-- Name: COLUMN quality_by_day.unknown_sandbox_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.unknown_sandbox_count IS 'Receipts that count as production because they have no sandbox flag.';

-- Name: COLUMN quality_by_day.unpriced_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.unpriced_count IS 'Production receipts without a price.';

-- Name: COLUMN quality_by_day.free_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.free_count IS 'Production receipts with the price 0.';

-- Name: COLUMN quality_by_day.imprecise_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.imprecise_count IS 'Production receipts and items whose price may have lost digits in the vendor''s 32-bit float.';

-- Name: COLUMN quality_by_day.repaired_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.repaired_count IS 'Rows with a repaired price, or with a text in which a character was replaced.';

-- Name: COLUMN quality_by_day.unknown_product_type_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.unknown_product_type_count IS 'Rows with the product type UNKNOWN, sandbox included.';

-- Name: COLUMN quality_by_day.untyped_expiry_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.untyped_expiry_count IS 'Receipts with an expiry and without a renewable product type, sandbox included. They are in no subscription.';

-- Name: COLUMN quality_by_day.load_start_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.quality_by_day.load_start_count IS 'Snapshots without a time of their own. They are no events.';

-- Name: price_check; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.price_check (
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    purchased_at timestamp with time zone NOT NULL,
    amount_minor bigint NOT NULL,
    item_amount_minor bigint NOT NULL,
    observed_at timestamp with time zone NOT NULL
);

-- Name: TABLE price_check; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.price_check IS 'One row per production receipt with another price than its item had. Written by: a refresh.';

-- Name: COLUMN price_check.payment_seq; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.payment_seq IS 'The payment; see rollup.purchase.';

-- Name: COLUMN price_check.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN price_check.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.store_code IS 'Code of the receipt''s store; NULL when unknown.';

-- Name: COLUMN price_check.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN price_check.market_item_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.market_item_id IS 'The product''s id in the store; NULL when unknown.';

-- Name: COLUMN price_check.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.currency IS 'ISO 4217 code of both prices.';

-- Name: COLUMN price_check.purchased_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.purchased_at IS 'Time of the purchase.';

-- Name: COLUMN price_check.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.amount_minor IS 'Price of the receipt in the minor unit.';

-- Name: COLUMN price_check.item_amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.item_amount_minor IS 'Price of the item in the minor unit.';

-- Name: COLUMN price_check.observed_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.price_check.observed_at IS 'Time of the item''s last snapshot at or before the purchase.';

-- Name: receipt_price_check; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.receipt_price_check AS
 SELECT k.payment_seq,
    k.app_id,
    k.store_code,
    k.gamebase_product_id,
    k.market_item_id,
    k.currency,
    k.purchased_at,
    k.amount_minor,
    ((k.amount_minor)::numeric * c.minor_unit_value) AS amount,
    k.item_amount_minor,
    ((k.item_amount_minor)::numeric * c.minor_unit_value) AS item_amount,
    (k.amount_minor - k.item_amount_minor) AS difference_minor,
    (((k.amount_minor - k.item_amount_minor))::numeric * c.minor_unit_value) AS difference,
    k.observed_at
   FROM (rollup.price_check k
     JOIN game.currency c ON ((c.currency = k.currency)));

-- Name: VIEW receipt_price_check; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.receipt_price_check IS 'One row per production receipt (paymentSeq) whose price differs from that of its item: the item of the application and currency with its gamebase_product_id, or without one with its market_item_id, as last observed at or before the purchase. Items of the receipt''s store go before those of other stores. Receipts and items without a price are not compared; a free trial differs.';

-- Name: COLUMN receipt_price_check.payment_seq; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.payment_seq IS 'The vendor''s number of the payment.';

-- Name: COLUMN receipt_price_check.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN receipt_price_check.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.store_code IS 'Code of the receipt''s store; NULL when unknown.';

-- Name: COLUMN receipt_price_check.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when the receipt has none.';

-- Name: COLUMN receipt_price_check.market_item_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.market_item_id IS 'The product''s id in the store; NULL when the receipt has none.';

-- Name: COLUMN receipt_price_check.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.currency IS 'ISO 4217 code of both prices.';

-- Name: COLUMN receipt_price_check.purchased_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.purchased_at IS 'Time of the purchase.';

-- Name: COLUMN receipt_price_check.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.amount_minor IS 'Price of the receipt in the minor unit of the currency.';

-- Name: COLUMN receipt_price_check.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.amount IS 'Price of the receipt in the major unit.';

-- Name: COLUMN receipt_price_check.item_amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.item_amount_minor IS 'Price of the item in the minor unit of the currency.';

-- Name: COLUMN receipt_price_check.item_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.item_amount IS 'Price of the item in the major unit.';

-- Name: COLUMN receipt_price_check.difference_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.difference_minor IS 'Price of the receipt less that of the item, in the minor unit.';

-- Name: COLUMN receipt_price_check.difference; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.difference IS 'Price of the receipt less that of the item, in the major unit.';

-- Name: COLUMN receipt_price_check.observed_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.receipt_price_check.observed_at IS 'Time at which the item was last observed at or before the purchase.';

-- Name: reject_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.reject_by_day AS
 SELECT f.day,
    r.stream,
    r.code,
    r.field,
    true AS is_loaded,
    (sum(r.reject_count))::bigint AS reject_count
   FROM (( SELECT source_file.source_file_id,
            ((source_file.loaded_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date AS day
           FROM ingest.source_file) f
     CROSS JOIN LATERAL ( SELECT reject.stream,
            reject.code,
            reject.field,
            count(*) AS reject_count
           FROM ingest.reject
          WHERE (reject.source_file_id = f.source_file_id)
          GROUP BY reject.stream, reject.code, reject.field) r)
  GROUP BY f.day, r.stream, r.code, r.field
UNION ALL
 SELECT ((f.failed_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date AS day,
    f.stream,
    r.code,
    r.field,
    false AS is_loaded,
    count(*) AS reject_count
   FROM (ingest.failed_file f
     JOIN ingest.failed_reject r ON ((r.failed_file_id = f.failed_file_id)))
  GROUP BY (((f.failed_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date), f.stream, r.code, r.field;

-- Name: VIEW reject_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.reject_by_day IS 'One row per day, stream, reject code, field, and whether the file was loaded. Shows the ledger as it is, also without a refresh. Of a failed file only the first 1,000 refused lines are known, and they are gone once the file loads.';

-- Name: COLUMN reject_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_by_day.day IS 'Day in the reporting zone on which the file was loaded or failed.';

-- Name: COLUMN reject_by_day.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_by_day.stream IS 'The stream of the lines; NULL when the stream of a failed file is unknown.';

-- Name: COLUMN reject_by_day.code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_by_day.code IS 'Reject code; see ingest.reject.code.';

-- Name: COLUMN reject_by_day.field; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_by_day.field IS 'The field at fault, as spelled in the lines; NULL when the whole line is at fault.';

-- Name: COLUMN reject_by_day.is_loaded; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_by_day.is_loaded IS 'True for refused lines of loaded files, false for those of failed files.';

-- Name: COLUMN reject_by_day.reject_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_by_day.reject_count IS 'Refused lines, including lines that a replay has resolved. Lines of undone files and of erased users are gone.';

-- Name: reject_summary; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.reject_summary AS
 SELECT g.stream,
    g.code,
    g.field,
    g.reject_count,
    g.open_count,
    g.last_loaded_at,
    f.path AS example_path,
    e.line_number AS example_line_number,
    e.reason AS example_reason
   FROM ((( SELECT r.stream,
            r.code,
            r.field,
            count(*) AS reject_count,
            count(*) FILTER (WHERE (r.resolved_at IS NULL)) AS open_count,
            max(f_1.loaded_at) AS last_loaded_at,
            min(r.source_file_id) AS first_file_id
           FROM (ingest.reject r
             JOIN ingest.source_file f_1 ON ((f_1.source_file_id = r.source_file_id)))
          GROUP BY r.stream, r.code, r.field) g
     JOIN ingest.source_file f ON ((f.source_file_id = g.first_file_id)))
     CROSS JOIN LATERAL ( SELECT r.line_number,
            r.reason
           FROM ingest.reject r
          WHERE ((r.source_file_id = g.first_file_id) AND (r.stream = g.stream) AND (r.code = g.code) AND (NOT (r.field IS DISTINCT FROM g.field)))
          ORDER BY r.line_number
         LIMIT 1) e);

-- Name: VIEW reject_summary; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.reject_summary IS 'One row per stream, reject code and field, with the first such line as an example.';

-- Name: COLUMN reject_summary.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.stream IS 'The stream of the lines.';

-- Name: COLUMN reject_summary.code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.code IS 'Reject code; see ingest.reject.code.';

-- Name: COLUMN reject_summary.field; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.field IS 'The field at fault, as spelled in the lines; NULL when the whole line is at fault.';

-- Name: COLUMN reject_summary.reject_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.reject_count IS 'Refused lines, including resolved ones.';

-- Name: COLUMN reject_summary.open_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.open_count IS 'Refused lines that no replay has resolved.';

-- Name: COLUMN reject_summary.last_loaded_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.last_loaded_at IS 'Load time of the last loaded file with such a line.';

-- Name: COLUMN reject_summary.example_path; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.example_path IS 'Path of the file with the first such line.';

-- Name: COLUMN reject_summary.example_line_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.example_line_number IS 'Number of that line in the file, from 1.';

-- Name: COLUMN reject_summary.example_reason; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.reject_summary.example_reason IS 'Reason in words for the refusal of that line.';

-- Name: cohort_observed; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_observed (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    observed_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_observed REPLICA IDENTITY FULL;

-- Name: TABLE cohort_observed; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.cohort_observed IS 'One row per cohort of first observations and day after it on which a user was observed. Written by: rollup.add_up.';

-- Name: COLUMN cohort_observed.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_observed.app_id IS 'The application.';

-- Name: COLUMN cohort_observed.cohort_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_observed.cohort_on IS 'The cohort: the day of the first observation or the first paid purchase of its users.';

-- Name: COLUMN cohort_observed.day_n; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_observed.day_n IS 'Number of days after the cohort day, of rollup.cohort_step.';

-- Name: COLUMN cohort_observed.observed_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_observed.observed_count IS 'Users of the cohort observed on exactly that day.';

-- Name: retention_by_cohort; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.retention_by_cohort AS
 WITH mature AS (
         SELECT h.app_id,
            (max(c_1.period_start) - 1) AS observed_through
           FROM (rollup.app_horizon h
             JOIN rollup.calendar_period c_1 ON (((c_1.period = 'day'::text) AND (c_1.starts_at <= h.horizon_at))))
          GROUP BY h.app_id
        ), dropped_month AS MATERIALIZED (
         SELECT ((m.month)::timestamp without time zone AT TIME ZONE 'UTC'::text) AS starts_at,
            ((m.month + '1 mon'::interval) AT TIME ZONE 'UTC'::text) AS ends_at
           FROM rollup.dropped_month m
          WHERE (m.stream = ANY (ARRAY['receipt'::text, 'level_up'::text, 'game_user'::text]))
        ), dropped_day AS (
         SELECT DISTINCT c_1.period_start AS day
           FROM (dropped_month m
             JOIN rollup.calendar_period c_1 ON (((c_1.period = 'day'::text) AND (c_1.starts_at < m.ends_at) AND (c_1.ends_at > m.starts_at))))
        ), cell AS (
         SELECT s.app_id,
            s.cohort_on,
            n.day_n,
            s.cohort_size,
            COALESCE(r.observed_count, (0)::bigint) AS observed_count,
            (COALESCE(((s.cohort_on + n.day_n) <= a.observed_through), false) AND (d.day IS NULL)) AS is_mature
           FROM ((((rollup.cohort_size s
             CROSS JOIN rollup.cohort_step n)
             LEFT JOIN rollup.cohort_observed r ON (((r.app_id = s.app_id) AND (r.cohort_on = s.cohort_on) AND (r.day_n = n.day_n))))
             LEFT JOIN mature a ON ((a.app_id = s.app_id)))
             LEFT JOIN dropped_day d ON ((d.day = (s.cohort_on + n.day_n))))
          WHERE (s.cohort_kind = 'first_observed'::text)
        )
 SELECT c.app_id,
    c.cohort_on,
    c.day_n,
    c.cohort_size,
        CASE
            WHEN c.is_mature THEN c.cohort_size
            ELSE NULL::bigint
        END AS mature_size,
        CASE
            WHEN c.is_mature THEN c.observed_count
            ELSE NULL::bigint
        END AS observed_count,
        CASE
            WHEN c.is_mature THEN round(((c.observed_count)::numeric / (c.cohort_size)::numeric), 6)
            ELSE NULL::numeric
        END AS rate,
    c.is_mature
   FROM cell c;

-- Name: VIEW retention_by_cohort; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.retention_by_cohort IS 'One row per application, day of the first observation and day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365). Users who were observed again on exactly that day. A user is observed at a purchase that no store made by itself, at a level-up and at a snapshot with a time of its own.';

-- Name: COLUMN retention_by_cohort.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.app_id IS 'The application.';

-- Name: COLUMN retention_by_cohort.cohort_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.cohort_on IS 'The cohort: the day on which its users were first observed.';

-- Name: COLUMN retention_by_cohort.day_n; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.day_n IS 'Number of calendar days after cohort_on.';

-- Name: COLUMN retention_by_cohort.cohort_size; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.cohort_size IS 'Users first observed on the day.';

-- Name: COLUMN retention_by_cohort.mature_size; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.mature_size IS 'cohort_size where the figures are mature, else NULL: the denominator of sums over cohorts.';

-- Name: COLUMN retention_by_cohort.observed_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.observed_count IS 'Users of the cohort who were observed on day_n. Do not add it over rows. NULL while immature.';

-- Name: COLUMN retention_by_cohort.rate; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.rate IS 'observed_count / cohort_size, 6 digits. NULL while immature.';

-- Name: COLUMN retention_by_cohort.is_mature; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.retention_by_cohort.is_mature IS 'True when day_n ends at or before the application''s horizon over its streams, and retention of months has dropped no row of that day.';

-- Name: cohort_revenue; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_revenue (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_kind text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    CONSTRAINT cohort_revenue_cohort_kind_check CHECK ((cohort_kind = ANY (ARRAY['first_observed'::text, 'first_paid'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_revenue REPLICA IDENTITY FULL;

-- Name: TABLE cohort_revenue; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.cohort_revenue IS 'One row per cohort, day after it and currency with a paid purchase. Written by: rollup.add_up.';

-- Name: COLUMN cohort_revenue.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.app_id IS 'The application.';

-- Name: COLUMN cohort_revenue.cohort_kind; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.cohort_kind IS 'The day that makes the cohort: first_observed or first_paid.';

-- Name: COLUMN cohort_revenue.cohort_on; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.cohort_on IS 'The cohort: the day of the first observation or the first paid purchase of its users.';

-- Name: COLUMN cohort_revenue.day_n; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.day_n IS 'The first day of rollup.cohort_step at or after the purchase.';

-- Name: COLUMN cohort_revenue.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.currency IS 'ISO 4217 code.';

-- Name: COLUMN cohort_revenue.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.paid_count IS 'Paid purchases of the cohort after the day_n before and through this one.';

-- Name: COLUMN cohort_revenue.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.payer_count IS 'Users whose first paid purchase in the currency is one of these.';

-- Name: COLUMN cohort_revenue.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.cohort_revenue.amount_minor IS 'Sum of these purchases, in the minor unit.';

-- Name: revenue_by_cohort; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.revenue_by_cohort AS
 WITH mature AS (
         SELECT h.app_id,
            (max(c_1.period_start) - 1) AS paid_through
           FROM (rollup.app_horizon h
             JOIN rollup.calendar_period c_1 ON (((c_1.period = 'day'::text) AND (c_1.starts_at <= h.receipt_newest_at))))
          GROUP BY h.app_id
        ), paid_currency AS (
         SELECT p.app_id,
            c_1.currency,
            (c_1.minor_unit)::integer AS minor_unit,
            c_1.minor_unit_value
           FROM (( SELECT DISTINCT currency_period.app_id,
                    currency_period.currency
                   FROM rollup.currency_period
                  WHERE (currency_period.period = 'month'::text)) p
             JOIN game.currency c_1 ON ((c_1.currency = p.currency)))
        ), cell AS (
         SELECT s.app_id,
            s.cohort_kind,
            s.cohort_on,
            n.day_n,
            p.currency,
            p.minor_unit,
            p.minor_unit_value,
            s.cohort_size,
            (sum(COALESCE(r.payer_count, (0)::bigint)) OVER days)::bigint AS payer_count,
            sum(COALESCE(r.amount_minor, (0)::numeric)) OVER days AS amount_minor,
            COALESCE(((s.cohort_on + n.day_n) <= a.paid_through), false) AS is_mature
           FROM ((((rollup.cohort_size s
             JOIN paid_currency p ON ((p.app_id = s.app_id)))
             CROSS JOIN rollup.cohort_step n)
             LEFT JOIN rollup.cohort_revenue r ON (((r.app_id = s.app_id) AND (r.cohort_kind = s.cohort_kind) AND (r.cohort_on = s.cohort_on) AND (r.day_n = n.day_n) AND (r.currency = p.currency))))
             LEFT JOIN mature a ON ((a.app_id = s.app_id)))
          WINDOW days AS (PARTITION BY s.app_id, s.cohort_kind, s.cohort_on, p.currency ORDER BY n.day_n)
        )
 SELECT c.app_id,
    c.cohort_kind,
    c.cohort_on,
    c.day_n,
    c.currency,
    c.cohort_size,
        CASE
            WHEN c.is_mature THEN c.cohort_size
            ELSE NULL::bigint
        END AS mature_size,
        CASE
            WHEN c.is_mature THEN c.payer_count
            ELSE NULL::bigint
        END AS payer_count,
        CASE
            WHEN c.is_mature THEN (c.amount_minor * c.minor_unit_value)
            ELSE NULL::numeric
        END AS cumulative_amount,
        CASE
            WHEN c.is_mature THEN round(((div(((c.amount_minor * (200)::numeric) + (c.cohort_size)::numeric), ((c.cohort_size)::numeric * (2)::numeric)) * c.minor_unit_value) / (100)::numeric), (c.minor_unit + 2))
            ELSE NULL::numeric
        END AS amount_per_user,
    c.is_mature
   FROM cell c;

-- Name: VIEW revenue_by_cohort; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.revenue_by_cohort IS 'One row per application, kind of cohort, day of the cohort, day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365) and currency in which the application was ever paid. Gross revenue of paid purchases, in the currency of the purchases.';

-- Name: COLUMN revenue_by_cohort.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.app_id IS 'The application.';

-- Name: COLUMN revenue_by_cohort.cohort_kind; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.cohort_kind IS 'first_observed: users by the day of their first observation. first_paid: users by the day of their first paid purchase, in any currency.';

-- Name: COLUMN revenue_by_cohort.cohort_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.cohort_on IS 'The cohort: the day on which its users were first observed, or first paid.';

-- Name: COLUMN revenue_by_cohort.day_n; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.day_n IS 'Number of calendar days after cohort_on.';

-- Name: COLUMN revenue_by_cohort.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.currency IS 'ISO 4217 code.';

-- Name: COLUMN revenue_by_cohort.cohort_size; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.cohort_size IS 'Users of the cohort, whatever they paid. Do not add it over currencies.';

-- Name: COLUMN revenue_by_cohort.mature_size; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.mature_size IS 'cohort_size where the figures are mature, else NULL: the denominator of sums over cohorts.';

-- Name: COLUMN revenue_by_cohort.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.payer_count IS 'Users of the cohort with a paid purchase in the currency on day_n or before. Do not add it over rows. NULL while immature.';

-- Name: COLUMN revenue_by_cohort.cumulative_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.cumulative_amount IS 'Sum of the cohort''s paid purchases in the currency on day_n or before, in the major unit; what was paid before cohort_on (for a subscription that a store continued) counts from day 0 on. NULL while immature.';

-- Name: COLUMN revenue_by_cohort.amount_per_user; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.amount_per_user IS 'cumulative_amount / cohort_size, with two digits more than the currency. NULL while immature.';

-- Name: COLUMN revenue_by_cohort.is_mature; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_cohort.is_mature IS 'True when day_n ends at or before the newest event of the application''s receipt feed; never without one.';

-- Name: revenue_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.revenue_by_day AS
 SELECT r.day,
    r.app_id,
    r.currency,
    r.store_code,
    r.gamebase_product_id,
    r.is_promotion,
    r.purchase_count,
    r.payer_count,
    r.unpriced_count,
    r.imprecise_count,
    r.amount_minor,
    (r.amount_minor * c.minor_unit_value) AS amount,
    r.paid_count,
    r.free_count,
    r.unknown_sandbox_count,
    (r.promotion_amount_minor * c.minor_unit_value) AS promotion_amount
   FROM (rollup.revenue_day r
     JOIN game.currency c ON ((c.currency = r.currency)));

-- Name: VIEW revenue_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.revenue_by_day IS 'One row per day, application, currency, store, product and promotion flag with a production purchase. Gross revenue of paid purchases; the receipts contain no refunds. Never add amounts of different currencies.';

-- Name: COLUMN revenue_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.day IS 'Day of the purchase in the reporting zone.';

-- Name: COLUMN revenue_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN revenue_by_day.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN revenue_by_day.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.store_code IS 'Code of the store, as written in the receipts; NULL when missing.';

-- Name: COLUMN revenue_by_day.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN revenue_by_day.is_promotion; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.is_promotion IS 'True for promotional purchases; false also for receipts without the flag.';

-- Name: COLUMN revenue_by_day.purchase_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.purchase_count IS 'Number of production purchases, also promotional, free and unpriced ones.';

-- Name: COLUMN revenue_by_day.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.payer_count IS 'Users with a paid purchase in this row. Do not add it over rows; see report.payers_by_day.';

-- Name: COLUMN revenue_by_day.unpriced_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.unpriced_count IS 'Purchases without a price; the amounts do not include them.';

-- Name: COLUMN revenue_by_day.imprecise_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.imprecise_count IS 'Purchases whose price may have lost digits in the vendor''s 32-bit float.';

-- Name: COLUMN revenue_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.amount_minor IS 'Sum of the paid purchases, in the minor unit of the currency.';

-- Name: COLUMN revenue_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: COLUMN revenue_by_day.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.paid_count IS 'Number of paid purchases: with a price above 0, and no promotion.';

-- Name: COLUMN revenue_by_day.free_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.free_count IS 'Purchases with the price 0.';

-- Name: COLUMN revenue_by_day.unknown_sandbox_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.unknown_sandbox_count IS 'Purchases that count as production because they have no sandbox flag.';

-- Name: COLUMN revenue_by_day.promotion_amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.promotion_amount IS 'Sum of the prices of promotional purchases, in the major unit; not part of amount.';

-- Name: level_revenue; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level_revenue (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    user_level integer,
    level_attribution text NOT NULL COLLATE pg_catalog."C",
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.level_revenue REPLICA IDENTITY FULL;

-- Name: TABLE level_revenue; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.level_revenue IS 'One row per application, currency, level at the purchase and attribution with a paid purchase. Written by: rollup.add_up.';

-- Name: COLUMN level_revenue.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.app_id IS 'The application.';

-- Name: COLUMN level_revenue.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.currency IS 'ISO 4217 code.';

-- Name: COLUMN level_revenue.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.user_level IS 'Level at the purchase; NULL when none is known.';

-- Name: COLUMN level_revenue.level_attribution; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.level_attribution IS 'exact, highest_of_several or none.';

-- Name: COLUMN level_revenue.paid_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.paid_count IS 'Paid purchases.';

-- Name: COLUMN level_revenue.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.payer_count IS 'Users with a paid purchase.';

-- Name: COLUMN level_revenue.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.level_revenue.amount_minor IS 'Sum of the paid purchases, in the minor unit.';

-- Name: revenue_by_level; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.revenue_by_level AS
 SELECT r.app_id,
    r.currency,
    r.user_level,
    r.level_attribution,
    r.payer_count,
    r.paid_count,
    r.amount_minor,
    (r.amount_minor * c.minor_unit_value) AS amount
   FROM (rollup.level_revenue r
     JOIN game.currency c ON ((c.currency = r.currency)));

-- Name: VIEW revenue_by_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.revenue_by_level IS 'One row per application, currency, level at the purchase and attribution with a paid purchase. Never add amounts of different currencies. Users do not add up over rows.';

-- Name: COLUMN revenue_by_level.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN revenue_by_level.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.currency IS 'ISO 4217 code.';

-- Name: COLUMN revenue_by_level.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.user_level IS 'Level of the user at the purchase; NULL when no level was known then.';

-- Name: COLUMN revenue_by_level.level_attribution; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.level_attribution IS 'exact (one character known at the purchase), highest_of_several, or none.';

-- Name: COLUMN revenue_by_level.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.payer_count IS 'Users with a paid purchase in this row. Users do not add up over rows, because a user can pay at several levels.';

-- Name: COLUMN revenue_by_level.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.paid_count IS 'Number of paid purchases.';

-- Name: COLUMN revenue_by_level.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.amount_minor IS 'Sum of the paid purchases, in the minor unit of the currency.';

-- Name: COLUMN revenue_by_level.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_level.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: revenue_converted_by_period; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.revenue_converted_by_period AS
 SELECT c.period,
    c.period_start,
    h.app_id,
    b.currency AS base_currency,
    r.paid_count,
    r.unconverted_count,
        CASE
            WHEN (r.unconverted_count = 0) THEN round((round(r.amount, (b.minor_unit)::integer) / b.minor_unit_value))
            ELSE NULL::numeric
        END AS amount_minor,
        CASE
            WHEN (r.unconverted_count = 0) THEN round(r.amount, (b.minor_unit)::integer)
            ELSE NULL::numeric
        END AS amount,
    ((b.currency IS NOT NULL) AND (r.unconverted_count = 0)) AS is_converted,
    COALESCE(((c.starts_at >= h.receipt_first_at) AND (c.ends_at <= h.receipt_newest_at)), false) AS is_complete
   FROM (((rollup.app_horizon h
     JOIN rollup.calendar_period c ON (((c.ends_at > h.money_first_at) AND (c.starts_at <= h.money_newest_at))))
     LEFT JOIN game.currency b ON ((b.currency = ( SELECT rollup.base_currency() AS base_currency))))
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(d.paid_count), (0)::numeric))::bigint AS paid_count,
            (COALESCE(sum(d.paid_count) FILTER (WHERE (e.rate IS NULL)), (0)::numeric))::bigint AS unconverted_count,
            COALESCE(sum(((d.amount_minor * u.minor_unit_value) * e.rate)), (0)::numeric) AS amount
           FROM ((( SELECT revenue_day.day,
                    revenue_day.currency,
                    sum(revenue_day.paid_count) AS paid_count,
                    sum(revenue_day.amount_minor) AS amount_minor
                   FROM rollup.revenue_day
                  WHERE ((revenue_day.app_id = h.app_id) AND (revenue_day.day >= c.period_start) AND (revenue_day.day <
                        CASE c.period
                            WHEN 'day'::text THEN (c.period_start + 1)
                            WHEN 'week'::text THEN (c.period_start + 7)
                            ELSE ((c.period_start + '1 mon'::interval))::date
                        END) AND (revenue_day.paid_count > 0))
                  GROUP BY revenue_day.day, revenue_day.currency) d
             JOIN game.currency u ON ((u.currency = d.currency)))
             LEFT JOIN LATERAL ( SELECT (1)::numeric AS rate
                  WHERE (d.currency = b.currency)
                UNION ALL
                ( SELECT x.rate
                   FROM game.exchange_rate x
                  WHERE ((b.currency <> d.currency) AND (x.currency = d.currency) AND (x.valid_on <= d.day) AND (x.valid_on >= (d.day - 7)))
                  ORDER BY x.valid_on DESC
                 LIMIT 1)) e ON (true))) r);

-- Name: VIEW revenue_converted_by_period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.revenue_converted_by_period IS 'One row per period and application, from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones, also for periods without a purchase. Revenue of paid purchases in all currencies, converted to the base currency. While no base currency is set, base_currency and the amounts are NULL, and no purchase is converted.';

-- Name: COLUMN revenue_converted_by_period.period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.period IS 'day, week (from Monday) or month, in the reporting zone.';

-- Name: COLUMN revenue_converted_by_period.period_start; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.period_start IS 'First day of the period.';

-- Name: COLUMN revenue_converted_by_period.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN revenue_converted_by_period.base_currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.base_currency IS 'ISO 4217 code of the setting base-currency; NULL while it is not set.';

-- Name: COLUMN revenue_converted_by_period.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.paid_count IS 'Number of paid purchases, in all currencies.';

-- Name: COLUMN revenue_converted_by_period.unconverted_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.unconverted_count IS 'Paid purchases in a currency without a rate on the day of the purchase or in the 7 days before it.';

-- Name: COLUMN revenue_converted_by_period.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.amount_minor IS 'Sum of the paid purchases in the minor unit of the base currency; NULL when unconverted_count is above 0. Each uses the rate of its day, or the last one before it. The sum is exact and rounded once, half up.';

-- Name: COLUMN revenue_converted_by_period.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.amount IS 'amount_minor in the major unit of the base currency.';

-- Name: COLUMN revenue_converted_by_period.is_converted; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.is_converted IS 'True when a base currency is set and every paid purchase of the period has a rate.';

-- Name: COLUMN revenue_converted_by_period.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_period.is_complete IS 'True when the receipts of the application go from before the period''s start to after its end.';

-- Name: revenue_converted_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.revenue_converted_by_day AS
 SELECT revenue_converted_by_period.period_start AS day,
    revenue_converted_by_period.app_id,
    revenue_converted_by_period.base_currency,
    revenue_converted_by_period.paid_count,
    revenue_converted_by_period.unconverted_count,
    revenue_converted_by_period.amount_minor,
    revenue_converted_by_period.amount,
    revenue_converted_by_period.is_converted,
    revenue_converted_by_period.is_complete
   FROM report.revenue_converted_by_period
  WHERE (revenue_converted_by_period.period = 'day'::text);

-- Name: VIEW revenue_converted_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.revenue_converted_by_day IS 'One row per day and application: the days of report.revenue_converted_by_period.';

-- Name: COLUMN revenue_converted_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.day IS 'Day of the purchases in the reporting zone.';

-- Name: COLUMN revenue_converted_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN revenue_converted_by_day.base_currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.base_currency IS 'ISO 4217 code of the setting base-currency; NULL while it is not set.';

-- Name: COLUMN revenue_converted_by_day.paid_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.paid_count IS 'Number of paid purchases, in all currencies.';

-- Name: COLUMN revenue_converted_by_day.unconverted_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.unconverted_count IS 'Paid purchases in a currency without a rate on the day or in the 7 days before it.';

-- Name: COLUMN revenue_converted_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.amount_minor IS 'Sum of the paid purchases in the minor unit of the base currency; NULL when unconverted_count is above 0. Each uses the rate of the day, or the last one before it. The sum is exact and rounded once, half up.';

-- Name: COLUMN revenue_converted_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.amount IS 'amount_minor in the major unit of the base currency.';

-- Name: COLUMN revenue_converted_by_day.is_converted; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.is_converted IS 'True when a base currency is set and every paid purchase of the day has a rate.';

-- Name: COLUMN revenue_converted_by_day.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_converted_by_day.is_complete IS 'True when the receipts of the application go from before the day''s start to after its end.';

-- Name: sandbox_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.sandbox_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    purchase_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.sandbox_day REPLICA IDENTITY FULL;

-- Name: TABLE sandbox_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.sandbox_day IS 'One row per application, day, currency, product and store with a sandbox purchase. Written by: rollup.add_up.';

-- Name: COLUMN sandbox_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.app_id IS 'The application.';

-- Name: COLUMN sandbox_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN sandbox_day.currency; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN sandbox_day.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN sandbox_day.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.store_code IS 'Code of the store; NULL when missing.';

-- Name: COLUMN sandbox_day.purchase_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.purchase_count IS 'Sandbox purchases.';

-- Name: COLUMN sandbox_day.payer_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.payer_count IS 'Users with a sandbox purchase.';

-- Name: COLUMN sandbox_day.amount_minor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.sandbox_day.amount_minor IS 'Sum of their prices, in the minor unit.';

-- Name: sandbox_revenue_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.sandbox_revenue_by_day AS
 SELECT r.day,
    r.app_id,
    r.currency,
    r.store_code,
    r.gamebase_product_id,
    r.purchase_count,
    r.payer_count,
    r.amount_minor,
    (r.amount_minor * c.minor_unit_value) AS amount
   FROM (rollup.sandbox_day r
     JOIN game.currency c ON ((c.currency = r.currency)));

-- Name: VIEW sandbox_revenue_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.sandbox_revenue_by_day IS 'One row per day, application, currency, store and product. Sandbox (test) purchases only; no money was paid.';

-- Name: COLUMN sandbox_revenue_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.day IS 'Day of the purchase in the reporting zone.';

-- Name: COLUMN sandbox_revenue_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN sandbox_revenue_by_day.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.currency IS 'ISO 4217 code.';

-- Name: COLUMN sandbox_revenue_by_day.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.store_code IS 'Code of the store, as written in the receipts; NULL when missing.';

-- Name: COLUMN sandbox_revenue_by_day.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.gamebase_product_id IS 'The product''s id in the Gamebase console; NULL when unknown.';

-- Name: COLUMN sandbox_revenue_by_day.purchase_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.purchase_count IS 'Number of test purchases.';

-- Name: COLUMN sandbox_revenue_by_day.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.payer_count IS 'Users with a test purchase in this row, at any price. Do not add it over rows.';

-- Name: COLUMN sandbox_revenue_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.amount_minor IS 'Sum of the nominal prices, in the minor unit of the currency.';

-- Name: COLUMN sandbox_revenue_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: service_status_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.service_status_by_day AS
 SELECT e.day,
    e.app_id,
    e.code,
    s.name AS code_name,
    e.event_count AS report_count,
    e.user_count
   FROM (rollup.event_day e
     LEFT JOIN game.launching_status s ON ((s.code = e.code)))
  WHERE (e.category = 'observerLaunching'::text);

-- Name: VIEW service_status_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.service_status_by_day IS 'One row per day, application and launching status that clients reported. Clients differ by version and white list, so this counts reports; it is no timeline of the service. Users do not add up over rows.';

-- Name: COLUMN service_status_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.service_status_by_day.day IS 'Day of the report in the reporting zone.';

-- Name: COLUMN service_status_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.service_status_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN service_status_by_day.code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.service_status_by_day.code IS 'Code of the status.';

-- Name: COLUMN service_status_by_day.code_name; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.service_status_by_day.code_name IS 'Name of the status (see game.launching_status); NULL for an unknown code.';

-- Name: COLUMN service_status_by_day.report_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.service_status_by_day.report_count IS 'Messages of the category observerLaunching.';

-- Name: COLUMN service_status_by_day.user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.service_status_by_day.user_count IS 'Known users who reported the status.';

-- Name: set_aside_player; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.set_aside_player AS
 SELECT set_aside_player.app_id,
    set_aside_player.user_id,
    set_aside_player.player_number,
    set_aside_player.since,
    set_aside_player.attempt_count,
    set_aside_player.error
   FROM rollup.set_aside_player;

-- Name: VIEW set_aside_player; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.set_aside_player IS 'One row per player who is in no figure of the reports, because the figures of the player cannot be computed. Each refresh tries again. Usually empty; a row is a defect of the program to report.';

-- Name: COLUMN set_aside_player.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.set_aside_player.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN set_aside_player.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.set_aside_player.user_id IS 'The user.';

-- Name: COLUMN set_aside_player.player_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.set_aside_player.player_number IS 'Number of the player in the log, which does not name users.';

-- Name: COLUMN set_aside_player.since; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.set_aside_player.since IS 'Time of the first refresh that could not compute the figures.';

-- Name: COLUMN set_aside_player.attempt_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.set_aside_player.attempt_count IS 'Refreshes that tried, with the first.';

-- Name: COLUMN set_aside_player.error; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.set_aside_player.error IS 'The reason; it has no value of a row.';

-- Name: subscription_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.subscription_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    day date NOT NULL,
    change_count bigint NOT NULL,
    paid_change bigint NOT NULL,
    trial_change bigint NOT NULL,
    other_change bigint NOT NULL,
    new_count bigint NOT NULL,
    continued_count bigint NOT NULL,
    converted_count bigint NOT NULL,
    renewed_count bigint NOT NULL,
    resubscribed_count bigint NOT NULL,
    expired_count bigint NOT NULL,
    overlapped_count bigint NOT NULL,
    active_paid bigint DEFAULT 0 NOT NULL,
    active_trial bigint DEFAULT 0 NOT NULL,
    active_other bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.subscription_day REPLICA IDENTITY FULL;

-- Name: TABLE subscription_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.subscription_day IS 'One row per application, product, store and day on which a subscription period starts, ends or is overlapped, also after the newest receipt. Written by: rollup.add_up.';

-- Name: COLUMN subscription_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.app_id IS 'The application.';

-- Name: COLUMN subscription_day.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN subscription_day.store_code; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.store_code IS 'Code of the store; NULL when missing.';

-- Name: COLUMN subscription_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN subscription_day.change_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.change_count IS 'Starts, ends and overlaps.';

-- Name: COLUMN subscription_day.paid_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.paid_change IS 'Paid periods that start, less those that end.';

-- Name: COLUMN subscription_day.trial_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.trial_change IS 'The same of trials.';

-- Name: COLUMN subscription_day.other_change; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.other_change IS 'The same of other periods.';

-- Name: COLUMN subscription_day.new_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.new_count IS 'New periods that start.';

-- Name: COLUMN subscription_day.continued_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.continued_count IS 'Continued periods that start.';

-- Name: COLUMN subscription_day.converted_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.converted_count IS 'Converted periods that start.';

-- Name: COLUMN subscription_day.renewed_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.renewed_count IS 'Renewals that start.';

-- Name: COLUMN subscription_day.resubscribed_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.resubscribed_count IS 'Resubscriptions that start.';

-- Name: COLUMN subscription_day.expired_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.expired_count IS 'Periods that end without a renewal.';

-- Name: COLUMN subscription_day.overlapped_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.overlapped_count IS 'Overlapped periods bought on the day.';

-- Name: COLUMN subscription_day.active_paid; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.active_paid IS 'Sum of paid_change up to the day. Set by: rollup.run_subscription_totals.';

-- Name: COLUMN subscription_day.active_trial; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.active_trial IS 'Sum of trial_change up to the day.';

-- Name: COLUMN subscription_day.active_other; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_day.active_other IS 'Sum of other_change up to the day.';

-- Name: subscription_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.subscription_by_day AS
 SELECT s.app_id,
    s.gamebase_product_id,
    s.store_code,
    d.period_start AS day,
    COALESCE(r.active_paid, (0)::bigint) AS active_paid,
    COALESCE(r.active_trial, (0)::bigint) AS active_trial,
    COALESCE(r.active_other, (0)::bigint) AS active_other,
        CASE
            WHEN (r.day = d.period_start) THEN r.new_count
            ELSE (0)::bigint
        END AS new_count,
        CASE
            WHEN (r.day = d.period_start) THEN r.continued_count
            ELSE (0)::bigint
        END AS continued_count,
        CASE
            WHEN (r.day = d.period_start) THEN r.converted_count
            ELSE (0)::bigint
        END AS converted_count,
        CASE
            WHEN (r.day = d.period_start) THEN r.renewed_count
            ELSE (0)::bigint
        END AS renewed_count,
        CASE
            WHEN (r.day = d.period_start) THEN r.resubscribed_count
            ELSE (0)::bigint
        END AS resubscribed_count,
    (
        CASE
            WHEN (r.day = d.period_start) THEN r.expired_count
            ELSE (0)::bigint
        END -
        CASE
            WHEN ((r.day = d.period_start) AND (d.ends_at > COALESCE(h.receipt_newest_at, '-infinity'::timestamp with time zone))) THEN ( SELECT count(*) AS count
               FROM rollup.subscription_period p
              WHERE ((p.app_id = s.app_id) AND (NOT (p.gamebase_product_id IS DISTINCT FROM s.gamebase_product_id)) AND (NOT (p.store_code IS DISTINCT FROM s.store_code)) AND (p.ends_at > COALESCE(h.receipt_newest_at, '-infinity'::timestamp with time zone)) AND (p.ends_at >= d.starts_at) AND (p.ends_at < d.ends_at) AND p.is_expiry AND (p.period_kind IS NOT NULL)))
            ELSE (0)::bigint
        END) AS expired_count,
        CASE
            WHEN (r.day = d.period_start) THEN r.overlapped_count
            ELSE (0)::bigint
        END AS overlapped_count,
    COALESCE(((d.starts_at >= h.receipt_first_at) AND (d.ends_at <= h.receipt_newest_at)), false) AS is_complete,
    COALESCE((d.ends_at <= (h.receipt_newest_at - '384:00:00'::interval)), false) AS is_expiry_final
   FROM (((( SELECT DISTINCT subscription_day.app_id,
            subscription_day.gamebase_product_id,
            subscription_day.store_code
           FROM rollup.subscription_day) s
     JOIN rollup.app_horizon h ON ((h.app_id = s.app_id)))
     JOIN rollup.calendar_period d ON (((d.period = 'day'::text) AND (d.ends_at > h.money_first_at) AND (d.starts_at <= h.money_newest_at))))
     LEFT JOIN LATERAL ( SELECT t.app_id,
            t.gamebase_product_id,
            t.store_code,
            t.day,
            t.change_count,
            t.paid_change,
            t.trial_change,
            t.other_change,
            t.new_count,
            t.continued_count,
            t.converted_count,
            t.renewed_count,
            t.resubscribed_count,
            t.expired_count,
            t.overlapped_count,
            t.active_paid,
            t.active_trial,
            t.active_other
           FROM rollup.subscription_day t
          WHERE ((t.app_id = s.app_id) AND (COALESCE(t.gamebase_product_id, ''::text) = COALESCE(s.gamebase_product_id, ''::text)) AND (COALESCE(t.store_code, ''::text) = COALESCE(s.store_code, ''::text)) AND (t.day <= d.period_start))
          ORDER BY t.day DESC
         LIMIT 1) r ON (true));

-- Name: VIEW subscription_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.subscription_by_day IS 'One row per application, product and store with any subscription, and day from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Counts periods of report.subscription_period. A renewal under another product ends nothing in the old one: the old period stops being active without an expiry. Google''s new order number after a change of plan begins a new chain, so the old one expires.';

-- Name: COLUMN subscription_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN subscription_by_day.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN subscription_by_day.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.store_code IS 'Code of the store, as written in the receipts; NULL when missing.';

-- Name: COLUMN subscription_by_day.day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.day IS 'Day in the reporting zone.';

-- Name: COLUMN subscription_by_day.active_paid; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.active_paid IS 'Paid periods that are active at the end of the day.';

-- Name: COLUMN subscription_by_day.active_trial; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.active_trial IS 'Trials that are active at the end of the day.';

-- Name: COLUMN subscription_by_day.active_other; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.active_other IS 'Promotional and unpriced periods that are active at the end of the day.';

-- Name: COLUMN subscription_by_day.new_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.new_count IS 'New periods that start on the day.';

-- Name: COLUMN subscription_by_day.continued_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.continued_count IS 'First known periods of chains with earlier payments that start on the day.';

-- Name: COLUMN subscription_by_day.converted_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.converted_count IS 'Renewals that start on the day and are the first paid period after a trial; renewed_count contains them.';

-- Name: COLUMN subscription_by_day.renewed_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.renewed_count IS 'Renewals that start on the day.';

-- Name: COLUMN subscription_by_day.resubscribed_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.resubscribed_count IS 'Resubscriptions that start on the day.';

-- Name: COLUMN subscription_by_day.expired_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.expired_count IS 'Periods that end on the day, at or before the newest event of the receipt feed, without a renewal within 16 days as far as is known.';

-- Name: COLUMN subscription_by_day.overlapped_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.overlapped_count IS 'Overlapped periods that were bought on the day; no other count contains them.';

-- Name: COLUMN subscription_by_day.is_complete; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.is_complete IS 'True when the receipts of the application begin before the day and have gone past it. Late files can still change it.';

-- Name: COLUMN subscription_by_day.is_expiry_final; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_by_day.is_expiry_final IS 'True when the receipts have gone 16 days past the day, so that no later renewal undoes an expiry.';

-- Name: subscription_period; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.subscription_period AS
 SELECT s.payment_seq,
    s.app_id,
    s.user_id,
    s.gamebase_product_id,
    s.store_code,
    s.currency,
    s.amount_minor,
    ((s.amount_minor)::numeric * c.minor_unit_value) AS amount,
    s.chain_id,
    s.chain_rule,
    s.starts_at,
    s.ends_at,
    s.period_kind,
    s.is_trial,
    s.is_paid,
    (s.period_kind IS NULL) AS is_overlapped
   FROM (rollup.subscription_period s
     JOIN game.currency c ON ((c.currency = s.currency)));

-- Name: VIEW subscription_period; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.subscription_period IS 'One row per payment (paymentSeq) of a subscription: production, with an expiry, of type AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE. A chain joins the payments of one subscription of a user. Google''s new order number after a change of plan begins a new chain.';

-- Name: COLUMN subscription_period.payment_seq; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.payment_seq IS 'The vendor''s number of the payment.';

-- Name: COLUMN subscription_period.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN subscription_period.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.user_id IS 'The user who paid.';

-- Name: COLUMN subscription_period.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.gamebase_product_id IS 'The product; NULL when unknown.';

-- Name: COLUMN subscription_period.store_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.store_code IS 'Code of the store, as written in the receipt; NULL when missing.';

-- Name: COLUMN subscription_period.currency; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.currency IS 'ISO 4217 code.';

-- Name: COLUMN subscription_period.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.amount_minor IS 'Price in the minor unit of the currency, also of trials and promotions; NULL when the vendor gave no price.';

-- Name: COLUMN subscription_period.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: COLUMN subscription_period.chain_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.chain_id IS 'The chain: its smallest payment_seq.';

-- Name: COLUMN subscription_period.chain_rule; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.chain_rule IS 'The rule that joins this payment to its chain: original (it names an original payment), google (an order number GPA.…), payment (another payment has or names its payment id), or product (none of them: payments of one product and store).';

-- Name: COLUMN subscription_period.starts_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.starts_at IS 'Start of the period: the purchase, or the end of the chain''s earlier periods when that is later. A start that would lie after a receipt of another product in the chain moves to that receipt.';

-- Name: COLUMN subscription_period.ends_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.ends_at IS 'First instant after the period: the expiry, or the purchase of another product in the chain when that is earlier. Equal to starts_at for an overlapped period.';

-- Name: COLUMN subscription_period.period_kind; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.period_kind IS 'new (the first period with a length), continued (the first in the receipts, but its order number or its original payment tells of earlier ones that the user''s receipts, of any kind, lack), renewal, or resubscription (bought more than 16 times 24 hours after the latest end of a period with a length); NULL for an overlapped period.';

-- Name: COLUMN subscription_period.is_trial; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.is_trial IS 'True for the price 0 without a promotion.';

-- Name: COLUMN subscription_period.is_paid; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.is_paid IS 'True for a price above 0 without a promotion.';

-- Name: COLUMN subscription_period.is_overlapped; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_period.is_overlapped IS 'True for a period without length, which is neither new nor a renewal.';

-- Name: subscription_cohort; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.subscription_cohort (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_product_id text COLLATE pg_catalog."C",
    cohort_month date NOT NULL,
    cohort_started_as text NOT NULL COLLATE pg_catalog."C",
    renewal_number integer NOT NULL,
    chain_count bigint NOT NULL,
    renewed_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.subscription_cohort REPLICA IDENTITY FULL;

-- Name: TABLE subscription_cohort; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.subscription_cohort IS 'One row per application, product and month of a chain''s first period, and number of a period in the chain. Written by: rollup.add_up.';

-- Name: COLUMN subscription_cohort.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.app_id IS 'The application.';

-- Name: COLUMN subscription_cohort.cohort_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.cohort_product_id IS 'Product of the first period; NULL when unknown.';

-- Name: COLUMN subscription_cohort.cohort_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.cohort_month IS 'First day of the month of the first period.';

-- Name: COLUMN subscription_cohort.cohort_started_as; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.cohort_started_as IS 'How the chains began: with a trial, a paid period, or another one.';

-- Name: COLUMN subscription_cohort.renewal_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.renewal_number IS 'Number of the period in the unbroken chain, from 1.';

-- Name: COLUMN subscription_cohort.chain_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.chain_count IS 'Chains with such a period.';

-- Name: COLUMN subscription_cohort.renewed_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.subscription_cohort.renewed_count IS 'Those of them whose next period is a renewal.';

-- Name: subscription_retention; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.subscription_retention AS
 SELECT r.app_id,
    r.cohort_product_id AS gamebase_product_id,
    r.cohort_month AS month,
    r.cohort_started_as AS started_as,
    (r.renewal_number)::bigint AS renewal_number,
    (r.chain_count - COALESCE(o.chain_count, (0)::bigint)) AS eligible,
    (r.renewed_count - COALESCE(o.renewed_count, (0)::bigint)) AS retained,
    round((((r.renewed_count - COALESCE(o.renewed_count, (0)::bigint)))::numeric / (NULLIF((r.chain_count - COALESCE(o.chain_count, (0)::bigint)), 0))::numeric), 6) AS rate,
    (o.chain_count IS NULL) AS is_mature
   FROM (rollup.subscription_cohort r
     LEFT JOIN ( SELECT p.app_id,
            p.cohort_product_id,
            p.cohort_month,
            p.cohort_started_as,
            p.renewal_number,
            count(*) AS chain_count,
            count(*) FILTER (WHERE p.is_renewed) AS renewed_count
           FROM (rollup.app_horizon h
             JOIN rollup.subscription_period p ON (((p.app_id = h.app_id) AND (p.ends_at > (COALESCE(h.receipt_newest_at, '-infinity'::timestamp with time zone) - '384:00:00'::interval)))))
          WHERE (p.renewal_number IS NOT NULL)
          GROUP BY p.app_id, p.cohort_product_id, p.cohort_month, p.cohort_started_as, p.renewal_number) o ON (((o.app_id = r.app_id) AND (NOT (o.cohort_product_id IS DISTINCT FROM r.cohort_product_id)) AND (o.cohort_month = r.cohort_month) AND (o.cohort_started_as = r.cohort_started_as) AND (o.renewal_number = r.renewal_number))));

-- Name: VIEW subscription_retention; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.subscription_retention IS 'One row per application, product, month and kind of a subscription''s first period, and number of a period that any of these subscriptions has. Counts chains whose first period is new. A renewal under another product counts as a renewal.';

-- Name: COLUMN subscription_retention.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN subscription_retention.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.gamebase_product_id IS 'Product of the first period; NULL when unknown.';

-- Name: COLUMN subscription_retention.month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.month IS 'First day of the month in which the first period starts, in the reporting zone.';

-- Name: COLUMN subscription_retention.started_as; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.started_as IS 'The first period: trial (free), paid, or other (a promotion, or without a price).';

-- Name: COLUMN subscription_retention.renewal_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.renewal_number IS 'n: the step from the n-th period to the next one. A resubscription ends the count of a chain.';

-- Name: COLUMN subscription_retention.eligible; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.eligible IS 'Chains whose n-th period ended 16 days or more before the newest event of the receipt feed.';

-- Name: COLUMN subscription_retention.retained; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.retained IS 'Those of them whose next period is a renewal.';

-- Name: COLUMN subscription_retention.rate; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.rate IS 'retained / eligible; NULL when no chain is eligible.';

-- Name: COLUMN subscription_retention.is_mature; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.subscription_retention.is_mature IS 'True when the n-th period of each chain that has one ended 16 days or more before the newest event of the receipt feed.';

-- Name: trial_end; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.trial_end (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    month date NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    trial_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.trial_end REPLICA IDENTITY FULL;

-- Name: TABLE trial_end; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.trial_end IS 'One row per application, product, month and end of a trial that no converted period follows. The view finds the trials of which nothing is final yet by their end. Written by: rollup.add_up.';

-- Name: COLUMN trial_end.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_end.app_id IS 'The application.';

-- Name: COLUMN trial_end.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_end.gamebase_product_id IS 'Product of the first trial; NULL when unknown.';

-- Name: COLUMN trial_end.month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_end.month IS 'First day of the month of the first trial''s start.';

-- Name: COLUMN trial_end.ends_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_end.ends_at IS 'First instant after the trial; of trials in a row after the last one.';

-- Name: COLUMN trial_end.trial_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_end.trial_count IS 'Trials.';

-- Name: trial_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.trial_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    month date NOT NULL,
    trial_count bigint NOT NULL,
    converted_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.trial_month REPLICA IDENTITY FULL;

-- Name: TABLE trial_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.trial_month IS 'One row per application, product and month in which a trial began. Trials in a row are one. Written by: rollup.add_up.';

-- Name: COLUMN trial_month.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_month.app_id IS 'The application.';

-- Name: COLUMN trial_month.gamebase_product_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_month.gamebase_product_id IS 'Product of the first trial; NULL when unknown.';

-- Name: COLUMN trial_month.month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_month.month IS 'First day of the month of the first trial''s start.';

-- Name: COLUMN trial_month.trial_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_month.trial_count IS 'Trials.';

-- Name: COLUMN trial_month.converted_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.trial_month.converted_count IS 'Trials that a converted period of the chain follows.';

-- Name: trial_conversion_by_month; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.trial_conversion_by_month AS
 SELECT t.app_id,
    t.gamebase_product_id,
    t.month,
    t.trial_count,
    t.converted_count,
    ((t.trial_count - t.converted_count) - o.trial_count) AS lost_count,
    o.trial_count AS pending_count,
    round(((t.converted_count)::numeric / (NULLIF((t.trial_count - o.trial_count), 0))::numeric), 6) AS rate,
    (o.trial_count = 0) AS is_mature
   FROM ((rollup.trial_month t
     JOIN rollup.app_horizon h ON ((h.app_id = t.app_id)))
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(e.trial_count), (0)::numeric))::bigint AS trial_count
           FROM rollup.trial_end e
          WHERE ((e.app_id = t.app_id) AND (COALESCE(e.gamebase_product_id, ''::text) = COALESCE(t.gamebase_product_id, ''::text)) AND (e.month = t.month) AND (e.ends_at > (COALESCE(h.receipt_newest_at, '-infinity'::timestamp with time zone) - '384:00:00'::interval)))) o);

-- Name: VIEW trial_conversion_by_month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.trial_conversion_by_month IS 'One row per application, product and month in which a trial began. Counts periods of price 0 without a promotion, also when the chain had paid periods before. A renewal of a trial by another trial continues it; a trial after a resubscription, or after a period that is not a trial, is one of its own. The first paid period after a trial converts it if that period is a renewal; of several trials before it, it converts each. Trials that start after the newest receipt count, too.';

-- Name: COLUMN trial_conversion_by_month.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN trial_conversion_by_month.gamebase_product_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.gamebase_product_id IS 'Product of the trial, of trials in a row that of the first one; NULL when unknown.';

-- Name: COLUMN trial_conversion_by_month.month; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.month IS 'First day of the month in which the trial starts, in the reporting zone.';

-- Name: COLUMN trial_conversion_by_month.trial_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.trial_count IS 'Trials that start in the month. The three counts that follow add up to it.';

-- Name: COLUMN trial_conversion_by_month.converted_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.converted_count IS 'Trials that a converted period of the chain follows, of any product, also after periods that are not paid.';

-- Name: COLUMN trial_conversion_by_month.lost_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.lost_count IS 'Trials that none follows, and whose end is 16 days or more before the newest event of the receipt feed. Late files can still convert them.';

-- Name: COLUMN trial_conversion_by_month.pending_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.pending_count IS 'The other trials, of which nothing is final yet.';

-- Name: COLUMN trial_conversion_by_month.rate; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.rate IS 'converted_count / (converted_count + lost_count); NULL when both are 0.';

-- Name: COLUMN trial_conversion_by_month.is_mature; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.trial_conversion_by_month.is_mature IS 'True when no trial is pending.';

-- Name: unknown_field_summary; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.unknown_field_summary AS
 SELECT f.stream,
    u.field,
    (sum(u.line_count))::bigint AS line_count,
    count(*) AS file_count,
    min(f.loaded_at) AS first_loaded_at,
    max(f.loaded_at) AS last_loaded_at,
    (array_agg(f.path ORDER BY f.source_file_id))[1] AS example_path,
    (array_agg(u.first_line_number ORDER BY f.source_file_id))[1] AS example_line_number
   FROM (ingest.unknown_field u
     JOIN ingest.source_file f ON ((f.source_file_id = u.source_file_id)))
  WHERE (f.undone_at IS NULL)
  GROUP BY f.stream, u.field;

-- Name: VIEW unknown_field_summary; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.unknown_field_summary IS 'One row per stream and field name that the stream does not declare: a new field of the vendor, or a misspelled name.';

-- Name: COLUMN unknown_field_summary.stream; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.stream IS 'The stream of the lines.';

-- Name: COLUMN unknown_field_summary.field; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.field IS 'Field name, as spelled in the lines; NULL stands for names beyond the first 1,000 of a file and names longer than 256 bytes.';

-- Name: COLUMN unknown_field_summary.line_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.line_count IS 'Lines with the field.';

-- Name: COLUMN unknown_field_summary.file_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.file_count IS 'Files with the field.';

-- Name: COLUMN unknown_field_summary.first_loaded_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.first_loaded_at IS 'Load time of the first file with the field.';

-- Name: COLUMN unknown_field_summary.last_loaded_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.last_loaded_at IS 'Load time of the last file with the field.';

-- Name: COLUMN unknown_field_summary.example_path; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.example_path IS 'Path of the first file with the field.';

-- Name: COLUMN unknown_field_summary.example_line_number; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.unknown_field_summary.example_line_number IS 'Number of the first line with the field in that file, from 1.';

-- Name: conflict_line; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.conflict_line (
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C"
);

-- Name: TABLE conflict_line; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.conflict_line IS 'One row per line that contradicts a stored row, and stream of that row. Written by: a refresh.';

-- Name: COLUMN conflict_line.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.conflict_line.source_file_id IS 'The file of the line.';

-- Name: COLUMN conflict_line.line_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.conflict_line.line_number IS 'The line in that file.';

-- Name: COLUMN conflict_line.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.conflict_line.stream IS 'The stream of the stored row.';

-- Name: COLUMN conflict_line.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.conflict_line.app_id IS 'Application of the stored row; NULL when the row is gone.';

-- Name: file_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.file_day (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    line_count bigint NOT NULL,
    load_start_count bigint NOT NULL,
    unknown_sandbox_count bigint NOT NULL,
    unpriced_count bigint NOT NULL,
    free_count bigint NOT NULL,
    imprecise_count bigint NOT NULL,
    repaired_count bigint NOT NULL,
    unknown_product_type_count bigint NOT NULL,
    untyped_expiry_count bigint NOT NULL,
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone
);

-- Name: TABLE file_day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.file_day IS 'One row per file, stream, application and day of its standing rows: the rows that are stored and that the file brought. Written by: a refresh.';

-- Name: COLUMN file_day.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.source_file_id IS 'The file.';

-- Name: COLUMN file_day.stream; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.stream IS 'The stream of the rows.';

-- Name: COLUMN file_day.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.app_id IS 'The application.';

-- Name: COLUMN file_day.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.day IS 'Day of the rows'' time in the reporting zone; for a row without a time of its own, the start of its load.';

-- Name: COLUMN file_day.line_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.line_count IS 'Standing rows.';

-- Name: COLUMN file_day.load_start_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.load_start_count IS 'Rows without a time of their own (load_start). They are no events.';

-- Name: COLUMN file_day.unknown_sandbox_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.unknown_sandbox_count IS 'Receipts without a sandbox flag. They count as production.';

-- Name: COLUMN file_day.unpriced_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.unpriced_count IS 'Production receipts without a price.';

-- Name: COLUMN file_day.free_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.free_count IS 'Production receipts with the price 0.';

-- Name: COLUMN file_day.imprecise_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.imprecise_count IS 'Production receipts and items with a price that a 32-bit float may not have held exactly.';

-- Name: COLUMN file_day.repaired_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.repaired_count IS 'Rows with a repaired price or text.';

-- Name: COLUMN file_day.unknown_product_type_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.unknown_product_type_count IS 'Rows with the product type UNKNOWN.';

-- Name: COLUMN file_day.untyped_expiry_count; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.untyped_expiry_count IS 'Receipts with an expiry and without a renewable product type.';

-- Name: COLUMN file_day.first_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.first_event_at IS 'Time of the first event; NULL without an event.';

-- Name: COLUMN file_day.newest_event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.file_day.newest_event_at IS 'Time of the newest event; NULL without an event.';

-- Name: mrr_factor; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.mrr_factor (
    length_in_days integer NOT NULL,
    twelfths integer NOT NULL,
    CONSTRAINT mrr_factor_twelfths_check CHECK ((twelfths > 0))
);

-- Name: TABLE mrr_factor; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.mrr_factor IS 'One row per length of a subscription period that has a monthly price. Source: the migration create_subscription_flows.';

-- Name: COLUMN mrr_factor.length_in_days; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_factor.length_in_days IS 'Length to the nearest 24 hours.';

-- Name: COLUMN mrr_factor.twelfths; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.mrr_factor.twelfths IS 'Twelve times the factor that makes the price a monthly one. Twelfths make the price of every known length a whole number.';

-- Name: player_character; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_character (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    event_at timestamp with time zone NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    channel_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    CONSTRAINT player_character_kind_check CHECK ((kind = ANY (ARRAY['level_up'::text, 'snapshot'::text, 'load_start'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY rollup.player_character ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.player_character ALTER COLUMN character_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.player_character REPLICA IDENTITY FULL;

-- Name: TABLE player_character; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.player_character IS 'One row per player and character: the row that gives the level. One with a time of its own outranks a load_start one. Written by: a refresh.';

-- Name: COLUMN player_character.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.app_id IS 'The application.';

-- Name: COLUMN player_character.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.user_id IS 'The user.';

-- Name: COLUMN player_character.character_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.character_id IS 'The character; NULL is one, too.';

-- Name: COLUMN player_character.event_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.event_at IS 'Time of the row.';

-- Name: COLUMN player_character.kind; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.kind IS 'level_up, snapshot, or load_start for a snapshot without a time of its own.';

-- Name: COLUMN player_character.user_level; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.user_level IS 'The level.';

-- Name: COLUMN player_character.channel_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.channel_id IS 'The channel; NULL when missing.';

-- Name: COLUMN player_character.class_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.class_id IS 'The class; NULL when missing.';

-- Name: COLUMN player_character.source_file_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.source_file_id IS 'The file of the row.';

-- Name: COLUMN player_character.line_number; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.player_character.line_number IS 'The line in that file.';

-- Name: push_user; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.push_user (
    app_id text NOT NULL COLLATE pg_catalog."C",
    push_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    has_clicked boolean NOT NULL
);
ALTER TABLE ONLY rollup.push_user ALTER COLUMN user_id SET STATISTICS 0;

-- Name: TABLE push_user; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.push_user IS 'One row per application, push message, known user and day on which the user received or clicked the message. Written by: a refresh.';

-- Name: COLUMN push_user.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_user.app_id IS 'The application.';

-- Name: COLUMN push_user.push_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_user.push_id IS 'The push message.';

-- Name: COLUMN push_user.user_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_user.user_id IS 'The user.';

-- Name: COLUMN push_user.day; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_user.day IS 'Day of the events in the reporting zone.';

-- Name: COLUMN push_user.has_clicked; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.push_user.has_clicked IS 'True when the user clicked the message on this day.';

-- Name: refresh_lock; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.refresh_lock (
    is_never boolean NOT NULL,
    CONSTRAINT refresh_lock_is_never_check CHECK ((NOT is_never))
);

-- Name: TABLE refresh_lock; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.refresh_lock IS 'One row per lock, but the table stays empty: a refresh locks the table itself, in exclusive mode, so that only one runs at a time.';

-- Name: COLUMN refresh_lock.is_never; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.refresh_lock.is_never IS 'Unused: the table stays empty.';

-- Name: running_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.running_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    newest_at timestamp with time zone NOT NULL
);

-- Name: TABLE running_month; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON TABLE rollup.running_month IS 'One row per application with receipts: the instant for which churn_running and mrr_running were computed. A refresh deletes it where periods of subscriptions changed, and computes what has no row or another instant. Written by: rollup.refresh_running_month.';

-- Name: COLUMN running_month.app_id; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.running_month.app_id IS 'The application.';

-- Name: COLUMN running_month.newest_at; Type: COMMENT; Schema: rollup; Owner: -

COMMENT ON COLUMN rollup.running_month.newest_at IS 'The newest event or receipt of money views, which stands for the end of its month.';

-- Name: set_aside_player_player_number_seq; Type: SEQUENCE; Schema: rollup; Owner: -

ALTER TABLE rollup.set_aside_player ALTER COLUMN player_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rollup.set_aside_player_player_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: standing_row; Type: VIEW; Schema: staging; Owner: -

CREATE VIEW staging.standing_row AS
 SELECT ('receipt'::text COLLATE "C") AS stream,
    receipt.source_file_id,
    receipt.app_id,
    receipt.purchased_at AS event_at,
    true AS is_dated,
    (receipt.is_sandbox IS NULL) AS is_sandbox_unknown,
    ((receipt.is_sandbox IS NOT TRUE) AND (receipt.amount_minor IS NULL)) AS is_unpriced,
    ((receipt.is_sandbox IS NOT TRUE) AND COALESCE((receipt.amount_minor = 0), false)) AS is_free,
    ((receipt.is_sandbox IS NOT TRUE) AND receipt.price_imprecise) AS is_imprecise,
    (receipt.price_repaired OR receipt.text_repaired) AS is_repaired,
    COALESCE((receipt.product_type = 'UNKNOWN'::text), false) AS is_product_type_unknown,
    ((receipt.expires_at IS NOT NULL) AND COALESCE((receipt.product_type <> ALL (ARRAY['AUTO_RENEWABLE'::text, 'CONSUMABLE_AUTO_RENEWABLE'::text])), true)) AS is_expiry_untyped
   FROM game.receipt
UNION ALL
 SELECT 'level_up'::text AS stream,
    level_up.source_file_id,
    level_up.app_id,
    level_up.leveled_up_at AS event_at,
    true AS is_dated,
    false AS is_sandbox_unknown,
    false AS is_unpriced,
    false AS is_free,
    false AS is_imprecise,
    level_up.text_repaired AS is_repaired,
    false AS is_product_type_unknown,
    false AS is_expiry_untyped
   FROM game.level_up
UNION ALL
 SELECT 'game_user'::text AS stream,
    game_user_snapshot.source_file_id,
    game_user_snapshot.app_id,
    game_user_snapshot.observed_at AS event_at,
    (game_user_snapshot.observed_at_source <> 'load_start'::text) AS is_dated,
    false AS is_sandbox_unknown,
    false AS is_unpriced,
    false AS is_free,
    false AS is_imprecise,
    game_user_snapshot.text_repaired AS is_repaired,
    false AS is_product_type_unknown,
    false AS is_expiry_untyped
   FROM game.game_user_snapshot
UNION ALL
 SELECT 'item'::text AS stream,
    item_snapshot.source_file_id,
    item_snapshot.app_id,
    item_snapshot.observed_at AS event_at,
    (item_snapshot.observed_at_source <> 'load_start'::text) AS is_dated,
    false AS is_sandbox_unknown,
    false AS is_unpriced,
    false AS is_free,
    item_snapshot.price_imprecise AS is_imprecise,
    (item_snapshot.price_repaired OR item_snapshot.text_repaired) AS is_repaired,
    COALESCE((item_snapshot.product_type = 'UNKNOWN'::text), false) AS is_product_type_unknown,
    false AS is_expiry_untyped
   FROM game.item_snapshot
UNION ALL
 SELECT 'event'::text AS stream,
    event.source_file_id,
    event.app_id,
    event.occurred_at AS event_at,
    true AS is_dated,
    false AS is_sandbox_unknown,
    false AS is_unpriced,
    false AS is_free,
    false AS is_imprecise,
    event.text_repaired AS is_repaired,
    false AS is_product_type_unknown,
    false AS is_expiry_untyped
   FROM game.event;

-- Name: VIEW standing_row; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON VIEW staging.standing_row IS 'One row per stored row of any stream, with the properties that the reports on data quality count.';

-- Name: COLUMN standing_row.stream; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.stream IS 'The stream of the row.';

-- Name: COLUMN standing_row.source_file_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.source_file_id IS 'The file that brought the row.';

-- Name: COLUMN standing_row.app_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN standing_row.event_at; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.event_at IS 'Time of the row: purchased_at, leveled_up_at, observed_at or occurred_at.';

-- Name: COLUMN standing_row.is_dated; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_dated IS 'False for a snapshot without a time of its own (load_start).';

-- Name: COLUMN standing_row.is_sandbox_unknown; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_sandbox_unknown IS 'True for a receipt without a sandbox flag.';

-- Name: COLUMN standing_row.is_unpriced; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_unpriced IS 'True for a production receipt without a price.';

-- Name: COLUMN standing_row.is_free; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_free IS 'True for a production receipt with the price 0.';

-- Name: COLUMN standing_row.is_imprecise; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_imprecise IS 'True for a production receipt or an item with a price that a 32-bit float may not have held exactly.';

-- Name: COLUMN standing_row.is_repaired; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_repaired IS 'True for a row with a repaired price or text.';

-- Name: COLUMN standing_row.is_product_type_unknown; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_product_type_unknown IS 'True for a row with the product type UNKNOWN.';

-- Name: COLUMN standing_row.is_expiry_untyped; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.standing_row.is_expiry_untyped IS 'True for a receipt with an expiry and without a renewable product type.';

-- Name: touched_day; Type: TABLE; Schema: staging; Owner: -

CREATE UNLOGGED TABLE staging.touched_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL
);

-- Name: TABLE touched_day; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TABLE staging.touched_day IS 'One row per application and day of the reporting zone whose figures a refresh recomputes. Empty between refreshes.';

-- Name: COLUMN touched_day.app_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_day.app_id IS 'The application.';

-- Name: COLUMN touched_day.day; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_day.day IS 'The day.';

-- Name: touched_event_day; Type: TABLE; Schema: staging; Owner: -

CREATE UNLOGGED TABLE staging.touched_event_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL
);

-- Name: TABLE touched_event_day; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TABLE staging.touched_event_day IS 'One row per application and day whose events a refresh counts again. Empty between refreshes.';

-- Name: COLUMN touched_event_day.app_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_event_day.app_id IS 'The application.';

-- Name: COLUMN touched_event_day.day; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_event_day.day IS 'The day in the reporting zone.';

-- Name: touched_file; Type: TABLE; Schema: staging; Owner: -

CREATE UNLOGGED TABLE staging.touched_file (
    source_file_id bigint NOT NULL
);

-- Name: TABLE touched_file; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TABLE staging.touched_file IS 'One row per file whose rows a refresh reads: new files and replayed ones. Empty between refreshes.';

-- Name: COLUMN touched_file.source_file_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_file.source_file_id IS 'The file.';

-- Name: touched_item_app; Type: TABLE; Schema: staging; Owner: -

CREATE UNLOGGED TABLE staging.touched_item_app (
    app_id text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone NOT NULL,
    has_change boolean NOT NULL,
    has_undated_change boolean NOT NULL
);

-- Name: TABLE touched_item_app; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TABLE staging.touched_item_app IS 'One row per application with a touched item. Empty between refreshes.';

-- Name: COLUMN touched_item_app.app_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_item_app.app_id IS 'The application.';

-- Name: COLUMN touched_item_app.since; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_item_app.since IS 'Time of the earliest touched row; -infinity in a full refresh, infinity when no touched row has a time of its own.';

-- Name: COLUMN touched_item_app.has_change; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_item_app.has_change IS 'True when a touched row is of a file that the reports contain already.';

-- Name: COLUMN touched_item_app.has_undated_change; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_item_app.has_undated_change IS 'True when such a row has no time of its own.';

-- Name: touched_push; Type: TABLE; Schema: staging; Owner: -

CREATE UNLOGGED TABLE staging.touched_push (
    app_id text NOT NULL COLLATE pg_catalog."C",
    push_id text NOT NULL COLLATE pg_catalog."C"
);

-- Name: TABLE touched_push; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TABLE staging.touched_push IS 'One row per application and push message with events on a day that a refresh counts again. Empty between refreshes.';

-- Name: COLUMN touched_push.app_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_push.app_id IS 'The application.';

-- Name: COLUMN touched_push.push_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_push.push_id IS 'The push message.';

-- Name: touched_row; Type: TABLE; Schema: staging; Owner: -

CREATE UNLOGGED TABLE staging.touched_row (
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    event_at timestamp with time zone NOT NULL,
    is_dated boolean NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    payment_seq text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY staging.touched_row ALTER COLUMN user_id SET STATISTICS 0;

ALTER TABLE ONLY staging.touched_row REPLICA IDENTITY FULL;

-- Name: TABLE touched_row; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON TABLE staging.touched_row IS 'One row per row of a touched file, and per note of rollup.touched_row. A refresh fills it; empty between refreshes. A full refresh leaves it empty, because it reads all facts.';

-- Name: COLUMN touched_row.stream; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.stream IS 'The stream of the row.';

-- Name: COLUMN touched_row.app_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.app_id IS 'The application of the row.';

-- Name: COLUMN touched_row.user_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.user_id IS 'The user of the row; NULL for streams in no figure of a player.';

-- Name: COLUMN touched_row.event_at; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.event_at IS 'Time of the row.';

-- Name: COLUMN touched_row.is_dated; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.is_dated IS 'False for a snapshot without a time of its own (load_start).';

-- Name: COLUMN touched_row.source_file_id; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.source_file_id IS 'The file of the row.';

-- Name: COLUMN touched_row.line_number; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.line_number IS 'The line of the row in that file.';

-- Name: COLUMN touched_row.payment_seq; Type: COMMENT; Schema: staging; Owner: -

COMMENT ON COLUMN staging.touched_row.payment_seq IS 'The payment; NULL for streams other than receipt.';

-- Name: currency currency_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.currency
    ADD CONSTRAINT currency_pkey PRIMARY KEY (currency);

-- Name: display_language display_language_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.display_language
    ADD CONSTRAINT display_language_pkey PRIMARY KEY (code);

-- Name: error_code error_code_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.error_code
    ADD CONSTRAINT error_code_pkey PRIMARY KEY (code, name);

-- Name: event_category event_category_constant_name_key; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.event_category
    ADD CONSTRAINT event_category_constant_name_key UNIQUE (constant_name);

-- Name: event_category event_category_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.event_category
    ADD CONSTRAINT event_category_pkey PRIMARY KEY (category);

-- Name: event event_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (occurred_at, app_id, event_id);

-- Name: exchange_rate exchange_rate_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.exchange_rate
    ADD CONSTRAINT exchange_rate_pkey PRIMARY KEY (currency, valid_on);

-- Name: identity_provider identity_provider_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.identity_provider
    ADD CONSTRAINT identity_provider_pkey PRIMARY KEY (idp_type);

-- Name: idp_revoked_code idp_revoked_code_name_key; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.idp_revoked_code
    ADD CONSTRAINT idp_revoked_code_name_key UNIQUE (name);

-- Name: idp_revoked_code idp_revoked_code_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.idp_revoked_code
    ADD CONSTRAINT idp_revoked_code_pkey PRIMARY KEY (code);

-- Name: launching_status launching_status_name_key; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.launching_status
    ADD CONSTRAINT launching_status_name_key UNIQUE (name);

-- Name: launching_status launching_status_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.launching_status
    ADD CONSTRAINT launching_status_pkey PRIMARY KEY (code);

-- Name: network_status network_status_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.network_status
    ADD CONSTRAINT network_status_pkey PRIMARY KEY (platform, code);

-- Name: push_action push_action_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_action
    ADD CONSTRAINT push_action_pkey PRIMARY KEY (app_id, action);

-- Name: push_action_title push_action_title_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_action_title
    ADD CONSTRAINT push_action_title_pkey PRIMARY KEY (app_id, action, language);

-- Name: push_category_action push_category_action_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_category_action
    ADD CONSTRAINT push_category_action_pkey PRIMARY KEY (app_id, category, "position");

-- Name: receipt receipt_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (payment_seq);

-- Name: store store_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.store
    ADD CONSTRAINT store_pkey PRIMARY KEY (store_code);

-- Name: acceptance acceptance_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.acceptance
    ADD CONSTRAINT acceptance_pkey PRIMARY KEY (acceptance_id);

-- Name: accepted_value accepted_value_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.accepted_value
    ADD CONSTRAINT accepted_value_pkey PRIMARY KEY (accepted_value_id);

-- Name: conflict conflict_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.conflict
    ADD CONSTRAINT conflict_pkey PRIMARY KEY (conflict_id);

-- Name: definition_set definition_set_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.definition_set
    ADD CONSTRAINT definition_set_pkey PRIMARY KEY (is_current);

-- Name: embedded_count embedded_count_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.embedded_count
    ADD CONSTRAINT embedded_count_pkey PRIMARY KEY (source_file_id, stream);

-- Name: erased_line erased_line_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_line
    ADD CONSTRAINT erased_line_pkey PRIMARY KEY (source_file_id, outcome);

-- Name: erased_record erased_record_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_record
    ADD CONSTRAINT erased_record_pkey PRIMARY KEY (source_file_id, stream, outcome);

-- Name: erased_user erased_user_once; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_user
    ADD CONSTRAINT erased_user_once UNIQUE NULLS NOT DISTINCT (user_hmac, app_id);

-- Name: erasure_key erasure_key_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erasure_key
    ADD CONSTRAINT erasure_key_pkey PRIMARY KEY (is_current);

-- Name: failed_file failed_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_file
    ADD CONSTRAINT failed_file_pkey PRIMARY KEY (failed_file_id);

-- Name: failed_reject failed_reject_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_reject
    ADD CONSTRAINT failed_reject_pkey PRIMARY KEY (failed_file_id, line_number);

-- Name: failure_dismissal failure_dismissal_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failure_dismissal
    ADD CONSTRAINT failure_dismissal_pkey PRIMARY KEY (failed_file_id);

-- Name: file_app file_app_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.file_app
    ADD CONSTRAINT file_app_pkey PRIMARY KEY (source_file_id, app_id);

-- Name: fill fill_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.fill
    ADD CONSTRAINT fill_pkey PRIMARY KEY (fill_id);

-- Name: kept_observation kept_observation_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.kept_observation
    ADD CONSTRAINT kept_observation_pkey PRIMARY KEY (app_id, user_id, stream, source_file_id);

-- Name: load load_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.load
    ADD CONSTRAINT load_pkey PRIMARY KEY (load_id);

-- Name: reference_file reference_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reference_file
    ADD CONSTRAINT reference_file_pkey PRIMARY KEY (reference_file_id);

-- Name: reject reject_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reject
    ADD CONSTRAINT reject_pkey PRIMARY KEY (reject_id);

-- Name: schema_migration schema_migration_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (version);

-- Name: setting setting_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

-- Name: source_file source_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.source_file
    ADD CONSTRAINT source_file_pkey PRIMARY KEY (source_file_id);

-- Name: stream stream_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (stream);

-- Name: unknown_field unknown_field_once; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.unknown_field
    ADD CONSTRAINT unknown_field_once UNIQUE NULLS NOT DISTINCT (source_file_id, field);

-- Name: app_horizon app_horizon_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.app_horizon
    ADD CONSTRAINT app_horizon_pkey PRIMARY KEY (app_id);

-- Name: calendar_period calendar_period_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.calendar_period
    ADD CONSTRAINT calendar_period_pkey PRIMARY KEY (period, period_start);

-- Name: character_change character_change_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.character_change
    ADD CONSTRAINT character_change_key UNIQUE NULLS NOT DISTINCT (app_id, user_id, channel_id, character_id, valid_from);

-- Name: churn_month churn_month_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.churn_month
    ADD CONSTRAINT churn_month_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, month);

-- Name: churn_running churn_running_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.churn_running
    ADD CONSTRAINT churn_running_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id);

-- Name: cohort_converted cohort_converted_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_converted
    ADD CONSTRAINT cohort_converted_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_on, day_n);

-- Name: cohort_observed cohort_observed_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_observed
    ADD CONSTRAINT cohort_observed_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_on, day_n);

-- Name: cohort_revenue cohort_revenue_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_revenue
    ADD CONSTRAINT cohort_revenue_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_kind, cohort_on, day_n, currency);

-- Name: cohort_size cohort_size_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_size
    ADD CONSTRAINT cohort_size_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_kind, cohort_on);

-- Name: cohort_step cohort_step_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_step
    ADD CONSTRAINT cohort_step_pkey PRIMARY KEY (day_n);

-- Name: concentration_month concentration_month_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.concentration_month
    ADD CONSTRAINT concentration_month_pkey PRIMARY KEY (month, app_id, currency, top_share);

-- Name: conflict_line conflict_line_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.conflict_line
    ADD CONSTRAINT conflict_line_pkey PRIMARY KEY (source_file_id, line_number, stream);

-- Name: currency_period currency_period_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.currency_period
    ADD CONSTRAINT currency_period_key UNIQUE NULLS NOT DISTINCT (app_id, currency, period, period_start);

-- Name: current_game_user current_game_user_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.current_game_user
    ADD CONSTRAINT current_game_user_key UNIQUE NULLS NOT DISTINCT (app_id, user_id, channel_id, character_id);

-- Name: current_item current_item_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.current_item
    ADD CONSTRAINT current_item_rollup_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, currency, market_item_id, store_code, item_seq);

-- Name: dropped_month dropped_month_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.dropped_month
    ADD CONSTRAINT dropped_month_pkey PRIMARY KEY (stream, month);

-- Name: event_day event_day_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.event_day
    ADD CONSTRAINT event_day_rollup_key UNIQUE NULLS NOT DISTINCT (day, app_id, category, event_group, code);

-- Name: file_day file_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.file_day
    ADD CONSTRAINT file_day_pkey PRIMARY KEY (source_file_id, stream, app_id, day);

-- Name: file file_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (source_file_id, stream, app_id);

-- Name: horizon horizon_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.horizon
    ADD CONSTRAINT horizon_pkey PRIMARY KEY (app_id, stream);

-- Name: idp_revocation_day idp_revocation_day_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.idp_revocation_day
    ADD CONSTRAINT idp_revocation_day_rollup_key UNIQUE NULLS NOT DISTINCT (day, app_id, idp_type, code);

-- Name: item_change item_change_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.item_change
    ADD CONSTRAINT item_change_rollup_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, currency, valid_from, market_item_id, store_code, item_seq);

-- Name: kickout_day kickout_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.kickout_day
    ADD CONSTRAINT kickout_day_pkey PRIMARY KEY (day, app_id, kind);

-- Name: level level_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level
    ADD CONSTRAINT level_key UNIQUE NULLS NOT DISTINCT (app_id, user_level);

-- Name: level_revenue level_revenue_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level_revenue
    ADD CONSTRAINT level_revenue_key UNIQUE NULLS NOT DISTINCT (app_id, currency, user_level, level_attribution);

-- Name: level_time level_time_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level_time
    ADD CONSTRAINT level_time_key UNIQUE NULLS NOT DISTINCT (app_id, user_level, kind);

-- Name: mrr_day mrr_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.mrr_day
    ADD CONSTRAINT mrr_day_key UNIQUE NULLS NOT DISTINCT (app_id, currency, day);

-- Name: mrr_factor mrr_factor_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.mrr_factor
    ADD CONSTRAINT mrr_factor_pkey PRIMARY KEY (length_in_days);

-- Name: mrr_month mrr_month_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.mrr_month
    ADD CONSTRAINT mrr_month_key UNIQUE NULLS NOT DISTINCT (app_id, currency, month);

-- Name: mrr_running mrr_running_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.mrr_running
    ADD CONSTRAINT mrr_running_pkey PRIMARY KEY (app_id, currency);

-- Name: player_character player_character_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_character
    ADD CONSTRAINT player_character_key UNIQUE NULLS NOT DISTINCT (app_id, user_id, character_id);

-- Name: player_currency player_currency_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_currency
    ADD CONSTRAINT player_currency_key UNIQUE NULLS NOT DISTINCT (app_id, user_id, currency);

-- Name: player_day player_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_day
    ADD CONSTRAINT player_day_pkey PRIMARY KEY (app_id, user_id, day);

-- Name: player_period player_period_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_period
    ADD CONSTRAINT player_period_key UNIQUE NULLS NOT DISTINCT (app_id, period, period_start);

-- Name: player player_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player
    ADD CONSTRAINT player_pkey PRIMARY KEY (app_id, user_id);

-- Name: price_check price_check_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.price_check
    ADD CONSTRAINT price_check_pkey PRIMARY KEY (payment_seq);

-- Name: purchase purchase_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.purchase
    ADD CONSTRAINT purchase_pkey PRIMARY KEY (app_id, user_id, payment_seq);

-- Name: push_day push_day_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.push_day
    ADD CONSTRAINT push_day_rollup_key UNIQUE NULLS NOT DISTINCT (day, app_id, push_id);

-- Name: push push_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.push
    ADD CONSTRAINT push_pkey PRIMARY KEY (app_id, push_id);

-- Name: push_user push_user_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.push_user
    ADD CONSTRAINT push_user_pkey PRIMARY KEY (app_id, push_id, user_id, day);

-- Name: refresh_state refresh_state_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.refresh_state
    ADD CONSTRAINT refresh_state_pkey PRIMARY KEY (stream);

-- Name: revenue_day revenue_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.revenue_day
    ADD CONSTRAINT revenue_day_key UNIQUE NULLS NOT DISTINCT (app_id, day, currency, gamebase_product_id, store_code, is_promotion);

-- Name: running_month running_month_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.running_month
    ADD CONSTRAINT running_month_pkey PRIMARY KEY (app_id);

-- Name: sandbox_day sandbox_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.sandbox_day
    ADD CONSTRAINT sandbox_day_key UNIQUE NULLS NOT DISTINCT (app_id, day, currency, gamebase_product_id, store_code);

-- Name: set_aside_player set_aside_player_app_id_user_id_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.set_aside_player
    ADD CONSTRAINT set_aside_player_app_id_user_id_key UNIQUE (app_id, user_id);

-- Name: set_aside_player set_aside_player_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.set_aside_player
    ADD CONSTRAINT set_aside_player_pkey PRIMARY KEY (player_number);

-- Name: stream_day stream_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.stream_day
    ADD CONSTRAINT stream_day_pkey PRIMARY KEY (stream, app_id, day);

-- Name: subscription_cohort subscription_cohort_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.subscription_cohort
    ADD CONSTRAINT subscription_cohort_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_product_id, cohort_month, cohort_started_as, renewal_number);

-- Name: subscription_day subscription_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.subscription_day
    ADD CONSTRAINT subscription_day_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, store_code, day);

-- Name: subscription_period subscription_period_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.subscription_period
    ADD CONSTRAINT subscription_period_pkey PRIMARY KEY (app_id, user_id, payment_seq);

-- Name: trial_end trial_end_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.trial_end
    ADD CONSTRAINT trial_end_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, month, ends_at);

-- Name: trial_month trial_month_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.trial_month
    ADD CONSTRAINT trial_month_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, month);

-- Name: touched_day touched_day_pkey; Type: CONSTRAINT; Schema: staging; Owner: -

ALTER TABLE ONLY staging.touched_day
    ADD CONSTRAINT touched_day_pkey PRIMARY KEY (app_id, day);

-- Name: touched_event_day touched_event_day_pkey; Type: CONSTRAINT; Schema: staging; Owner: -

ALTER TABLE ONLY staging.touched_event_day
    ADD CONSTRAINT touched_event_day_pkey PRIMARY KEY (app_id, day);

-- Name: touched_file touched_file_pkey; Type: CONSTRAINT; Schema: staging; Owner: -

ALTER TABLE ONLY staging.touched_file
    ADD CONSTRAINT touched_file_pkey PRIMARY KEY (source_file_id);

-- Name: touched_item_app touched_item_app_pkey; Type: CONSTRAINT; Schema: staging; Owner: -

ALTER TABLE ONLY staging.touched_item_app
    ADD CONSTRAINT touched_item_app_pkey PRIMARY KEY (app_id);

-- Name: touched_push touched_push_pkey; Type: CONSTRAINT; Schema: staging; Owner: -

ALTER TABLE ONLY staging.touched_push
    ADD CONSTRAINT touched_push_pkey PRIMARY KEY (app_id, push_id);

-- Name: event_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX event_source_file ON ONLY game.event USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: game_user_snapshot_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX game_user_snapshot_key ON ONLY game.game_user_snapshot USING btree (observed_at, user_id, app_id, channel_id, character_id) NULLS NOT DISTINCT;

-- Name: game_user_snapshot_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX game_user_snapshot_source_file ON ONLY game.game_user_snapshot USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: item_snapshot_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX item_snapshot_key ON ONLY game.item_snapshot USING btree (observed_at, app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency) NULLS NOT DISTINCT;

-- Name: item_snapshot_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX item_snapshot_source_file ON ONLY game.item_snapshot USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: level_up_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX level_up_key ON ONLY game.level_up USING btree (leveled_up_at, user_id, user_level, app_id, character_id) NULLS NOT DISTINCT;

-- Name: level_up_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX level_up_source_file ON ONLY game.level_up USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: receipt_purchased_at; Type: INDEX; Schema: game; Owner: -

CREATE INDEX receipt_purchased_at ON game.receipt USING brin (purchased_at) WITH (pages_per_range='32');

-- Name: receipt_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX receipt_source_file ON game.receipt USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: accepted_value_acceptance; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX accepted_value_acceptance ON ingest.accepted_value USING btree (acceptance_id);

-- Name: accepted_value_column; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX accepted_value_column ON ingest.accepted_value USING hash ((((((stream || ' '::text) || field) || ' '::text) || ((natural_key)::text COLLATE "C"))));
ALTER INDEX ingest.accepted_value_column ALTER COLUMN 1 SET STATISTICS 0;

-- Name: accepted_value_key; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX accepted_value_key ON ingest.accepted_value USING hash (natural_key);

-- Name: accepted_value_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX accepted_value_source_file ON ingest.accepted_value USING btree (source_file_id, line_number);

-- Name: conflict_acceptance; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX conflict_acceptance ON ingest.conflict USING btree (acceptance_id) WHERE (acceptance_id IS NOT NULL);

-- Name: conflict_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX conflict_source_file ON ingest.conflict USING btree (source_file_id, line_number);

-- Name: failed_file_path; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX failed_file_path ON ingest.failed_file USING btree (path);

-- Name: fill_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX fill_source_file ON ingest.fill USING btree (source_file_id, line_number);

-- Name: kept_observation_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX kept_observation_file ON ingest.kept_observation USING btree (source_file_id);

-- Name: reference_file_newest; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX reference_file_newest ON ingest.reference_file USING btree (kind, app_id, reference_file_id);

-- Name: reject_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX reject_source_file ON ingest.reject USING btree (source_file_id, line_number);

-- Name: row_digest_key_once; Type: INDEX; Schema: ingest; Owner: -

CREATE UNIQUE INDEX row_digest_key_once ON ingest.row_digest_key USING btree ((true));

-- Name: source_file_identity; Type: INDEX; Schema: ingest; Owner: -

CREATE UNIQUE INDEX source_file_identity ON ingest.source_file USING btree (sha256, empty_path, stream, app_id, observed_at) NULLS NOT DISTINCT WHERE (undone_at IS NULL);

-- Name: source_file_length; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_length ON ingest.source_file USING btree (byte_count, stream) WHERE (undone_at IS NULL);

-- Name: source_file_load; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_load ON ingest.source_file USING btree (load_id);

-- Name: source_file_opened_by; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_opened_by ON ingest.source_file USING btree (opened_by);

-- Name: churn_month_newest; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX churn_month_newest ON rollup.churn_month USING btree (app_id, COALESCE(gamebase_product_id, ''::text), month);

-- Name: churn_running_product; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX churn_running_product ON rollup.churn_running USING btree (app_id, COALESCE(gamebase_product_id, ''::text));

-- Name: file_day_day; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX file_day_day ON rollup.file_day USING btree (day, app_id);

-- Name: item_change_market; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX item_change_market ON rollup.item_change USING btree (app_id, market_item_id, currency, valid_from);

-- Name: player_last_level_up; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX player_last_level_up ON rollup.player USING btree (app_id, last_level_up_at);

-- Name: purchase_day; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX purchase_day ON rollup.purchase USING btree (app_id, day);

-- Name: push_day_push; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX push_day_push ON rollup.push_day USING btree (app_id, push_id);

-- Name: push_user_day; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX push_user_day ON rollup.push_user USING btree (day, app_id);

-- Name: subscription_day_newest; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX subscription_day_newest ON rollup.subscription_day USING btree (app_id, COALESCE(gamebase_product_id, ''::text), COALESCE(store_code, ''::text), day);

-- Name: subscription_period_end; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX subscription_period_end ON rollup.subscription_period USING btree (app_id, ends_at);

-- Name: trial_end_newest; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX trial_end_newest ON rollup.trial_end USING btree (app_id, COALESCE(gamebase_product_id, ''::text), month, ends_at);

-- Name: quality_by_day _RETURN; Type: RULE; Schema: report; Owner: -

CREATE OR REPLACE VIEW report.quality_by_day AS
 SELECT q.stream,
    q.app_id,
    q.loaded_on,
    (sum(q.line_count))::bigint AS line_count,
    (sum(q.reject_count))::bigint AS reject_count,
    (sum(q.conflict_count))::bigint AS conflict_count,
    (sum(q.unknown_sandbox_count))::bigint AS unknown_sandbox_count,
    (sum(q.unpriced_count))::bigint AS unpriced_count,
    (sum(q.free_count))::bigint AS free_count,
    (sum(q.imprecise_count))::bigint AS imprecise_count,
    (sum(q.repaired_count))::bigint AS repaired_count,
    (sum(q.unknown_product_type_count))::bigint AS unknown_product_type_count,
    (sum(q.untyped_expiry_count))::bigint AS untyped_expiry_count,
    (sum(q.load_start_count))::bigint AS load_start_count
   FROM ( SELECT s.stream,
            s.app_id,
            ((f.loaded_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date AS loaded_on,
            s.line_count,
            0 AS reject_count,
            0 AS conflict_count,
            s.unknown_sandbox_count,
            s.unpriced_count,
            s.free_count,
            s.imprecise_count,
            s.repaired_count,
            s.unknown_product_type_count,
            s.untyped_expiry_count,
            s.load_start_count
           FROM (rollup.standing_file s
             JOIN ingest.source_file f ON ((f.source_file_id = s.source_file_id)))
        UNION ALL
         SELECT k.stream,
            k.app_id,
            ((f.loaded_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date AS timezone,
            0,
            0,
            k.conflict_count,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0
           FROM (rollup.conflict_counts() k(source_file_id, stream, app_id, conflict_count)
             JOIN ingest.source_file f ON ((f.source_file_id = k.source_file_id)))
        UNION ALL
         SELECT f.stream,
            NULL::text,
            ((f.loaded_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date AS timezone,
            0,
            r.reject_count,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0
           FROM (ingest.source_file f
             CROSS JOIN LATERAL ( SELECT count(*) AS reject_count
                   FROM ingest.reject
                  WHERE (reject.source_file_id = f.source_file_id)) r)
          WHERE (r.reject_count > 0)
        UNION ALL
         SELECT f.stream,
            NULL::text,
            ((f.failed_at AT TIME ZONE ( SELECT rollup.reporting_zone() AS reporting_zone)))::date AS timezone,
            0,
            count(*) AS count,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0
           FROM (ingest.failed_file f
             JOIN ingest.failed_reject r ON ((r.failed_file_id = f.failed_file_id)))
          GROUP BY f.failed_file_id) q
  GROUP BY q.stream, q.app_id, q.loaded_on;

-- Name: event note_delete; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_delete AFTER DELETE ON game.event REFERENCING OLD TABLE AS before_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('event');

-- Name: game_user_snapshot note_delete; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_delete AFTER DELETE ON game.game_user_snapshot REFERENCING OLD TABLE AS before_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('game_user');

-- Name: item_snapshot note_delete; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_delete AFTER DELETE ON game.item_snapshot REFERENCING OLD TABLE AS before_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('item');

-- Name: level_up note_delete; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_delete AFTER DELETE ON game.level_up REFERENCING OLD TABLE AS before_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('level_up');

-- Name: receipt note_delete; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_delete AFTER DELETE ON game.receipt REFERENCING OLD TABLE AS before_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('receipt');

-- Name: event note_update; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_update AFTER UPDATE ON game.event REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('event');

-- Name: game_user_snapshot note_update; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_update AFTER UPDATE ON game.game_user_snapshot REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('game_user');

-- Name: item_snapshot note_update; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_update AFTER UPDATE ON game.item_snapshot REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('item');

-- Name: level_up note_update; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_update AFTER UPDATE ON game.level_up REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('level_up');

-- Name: receipt note_update; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER note_update AFTER UPDATE ON game.receipt REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION rollup.note_changes('receipt');

-- Name: event refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.event FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('event');

-- Name: game_user_snapshot refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.game_user_snapshot FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('game_user');

-- Name: item_snapshot refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.item_snapshot FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('item');

-- Name: level_up refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.level_up FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('level_up');

-- Name: receipt refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.receipt FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('receipt');

-- Name: reject refuse_lines_of_other_files; Type: TRIGGER; Schema: ingest; Owner: -

CREATE TRIGGER refuse_lines_of_other_files AFTER INSERT ON ingest.reject REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_lines_of_other_files();

-- Name: unknown_field refuse_lines_of_other_files; Type: TRIGGER; Schema: ingest; Owner: -

CREATE TRIGGER refuse_lines_of_other_files AFTER INSERT ON ingest.unknown_field REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_lines_of_other_files();

-- Name: source_file refuse_open_entry; Type: TRIGGER; Schema: ingest; Owner: -

CREATE CONSTRAINT TRIGGER refuse_open_entry AFTER INSERT OR UPDATE ON ingest.source_file DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ingest.refuse_open_entry();

-- Name: exchange_rate exchange_rate_currency_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.exchange_rate
    ADD CONSTRAINT exchange_rate_currency_fkey FOREIGN KEY (currency) REFERENCES game.currency(currency);

-- Name: push_action_title push_action_title_app_id_action_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_action_title
    ADD CONSTRAINT push_action_title_app_id_action_fkey FOREIGN KEY (app_id, action) REFERENCES game.push_action(app_id, action);

-- Name: push_category_action push_category_action_app_id_action_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_category_action
    ADD CONSTRAINT push_category_action_app_id_action_fkey FOREIGN KEY (app_id, action) REFERENCES game.push_action(app_id, action);

-- Name: accepted_value accepted_value_acceptance_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.accepted_value
    ADD CONSTRAINT accepted_value_acceptance_id_fkey FOREIGN KEY (acceptance_id) REFERENCES ingest.acceptance(acceptance_id);

-- Name: accepted_value accepted_value_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.accepted_value
    ADD CONSTRAINT accepted_value_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: conflict conflict_acceptance_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.conflict
    ADD CONSTRAINT conflict_acceptance_id_fkey FOREIGN KEY (acceptance_id) REFERENCES ingest.acceptance(acceptance_id);

-- Name: conflict conflict_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.conflict
    ADD CONSTRAINT conflict_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: embedded_count embedded_count_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.embedded_count
    ADD CONSTRAINT embedded_count_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: embedded_count embedded_count_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.embedded_count
    ADD CONSTRAINT embedded_count_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: erased_line erased_line_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_line
    ADD CONSTRAINT erased_line_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: erased_record erased_record_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_record
    ADD CONSTRAINT erased_record_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: erased_record erased_record_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_record
    ADD CONSTRAINT erased_record_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: failed_file failed_file_load_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_file
    ADD CONSTRAINT failed_file_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: failed_reject failed_reject_failed_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_reject
    ADD CONSTRAINT failed_reject_failed_file_id_fkey FOREIGN KEY (failed_file_id) REFERENCES ingest.failed_file(failed_file_id);

-- Name: file_app file_app_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.file_app
    ADD CONSTRAINT file_app_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: fill fill_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.fill
    ADD CONSTRAINT fill_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: kept_observation kept_observation_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.kept_observation
    ADD CONSTRAINT kept_observation_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: reject reject_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reject
    ADD CONSTRAINT reject_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: source_file source_file_load_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.source_file
    ADD CONSTRAINT source_file_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: stream stream_embedded_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.stream
    ADD CONSTRAINT stream_embedded_stream_fkey FOREIGN KEY (embedded_stream) REFERENCES ingest.stream(stream);

-- Name: unknown_field unknown_field_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.unknown_field
    ADD CONSTRAINT unknown_field_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: dropped_month dropped_month_stream_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.dropped_month
    ADD CONSTRAINT dropped_month_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: refresh_state refresh_state_load_id_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.refresh_state
    ADD CONSTRAINT refresh_state_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: refresh_state refresh_state_stream_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.refresh_state
    ADD CONSTRAINT refresh_state_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: touched_file touched_file_source_file_id_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.touched_file
    ADD CONSTRAINT touched_file_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- PostgreSQL database dump complete

