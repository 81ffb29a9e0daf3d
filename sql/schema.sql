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

COMMENT ON SCHEMA report IS 'Views over game and ingest for analysts.';

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
                   where a.stream = %5$L and a.natural_key = g.natural_key and a.field = g.leader)
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
  leaf regclass;
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
  foreach leaf in array grown loop
    -- A table that another session has locked is skipped: that session is probably running ANALYZE itself, and the
    -- next load analyzes the table otherwise.
    execute format('analyze (skip_locked) %s', leaf);
  end loop;
  return cardinality(grown);
end
$$;

-- Name: FUNCTION analyze_if_grown(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.analyze_if_grown(p_stream text) IS 'Analyzes the tables of a stream that have grown by a tenth since VACUUM or ANALYZE last recorded their size, and returns their number.';

-- Name: clear_failures(text, text, bytea); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.clear_failures(p_path text, p_stream text, p_sha256 bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  delete from ingest.failed_reject where failed_file_id in (
    select failed_file_id from ingest.failed_file
      where stream = p_stream and (path = p_path or sha256 = p_sha256));
  delete from ingest.failed_file where stream = p_stream and (path = p_path or sha256 = p_sha256);
$$;

-- Name: FUNCTION clear_failures(p_path text, p_stream text, p_sha256 bytea); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.clear_failures(p_path text, p_stream text, p_sha256 bytea) IS 'Deletes the failures of a file that was loaded or failed again: those with its path, and those with its digest under any path.';

-- Name: close_files(bigint[], bytea[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[]); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.close_files(p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[], p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[]) RETURNS void
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
      rejected_count = c.rejected, suppressed_count = c.suppressed, blank_count = c.blank
    from unnest(p_source_file_ids, p_sha256, p_byte_counts, p_line_counts, p_inserted, p_duplicates,
      p_rejected, p_suppressed, p_blank)
      c (number, sha256, bytes, lines, inserted, duplicates, rejected, suppressed, blank)
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

-- Name: FUNCTION close_files(p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[], p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.close_files(p_source_file_ids bigint[], p_sha256 bytea[], p_byte_counts bigint[], p_line_counts bigint[], p_inserted bigint[], p_duplicates bigint[], p_rejected bigint[], p_suppressed bigint[], p_blank bigint[]) IS 'Completes the ledger entries of files that this transaction has opened: digests, line counts, and the outcomes that no merge has counted.';

-- Name: conflicts_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.conflicts_of_user(p_user_id text, p_app_id text) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format(
      'select k.conflict_id from ingest.conflict k
         where k.stream = %1$L and (%2$s or exists (
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
                     (select nullif(t.app_id, '''') from game.%3$I t where %4$s), $2)))))',
      registered.stream, ingest.user_key_condition(registered.stream), registered.target_table,
      ingest.natural_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$_$;

-- Name: FUNCTION conflicts_of_user(p_user_id text, p_app_id text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.conflicts_of_user(p_user_id text, p_app_id text) IS 'The conflicts of a user''s rows and lines, in one application or in all (NULL).';

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
  for registered in select * from ingest.stream order by stream loop
    return query execute format(
      'select %2$L, count(*) from game.%1$I where user_id = $1 and ($2::text is null or app_id = $2)',
      registered.target_table, 'game.' || registered.target_table)
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

-- Name: drop_month(text, date); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.drop_month(p_stream text, p_month date) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  dropped regclass;
  place integer;
begin
  perform ingest.share_catalog();
  select partition into dropped from ingest.month_partitions(p_stream) where month = p_month;
  if dropped is null then
    return false;
  end if;
  select array_position(key_columns, partition_column) - 1 into place
    from ingest.stream where stream = p_stream;
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
$$;

-- Name: FUNCTION drop_month(p_stream text, p_month date); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.drop_month(p_stream text, p_month date) IS 'Drops the partition of a stream''s table for a month, given by its first day, with the fills and accepted values of its rows. Returns false when there is no partition. For the owner.';

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
  -- Keeps the counts of a file balanced with its rows; g has one row for each erased line. Erased rows without a
  -- ledger entry are not counted.
  count_lines constant text := '
    insert into ingest.erased_line (source_file_id, outcome, line_count)
      select source_file_id, %L, count(*) from (%s) g join ingest.source_file using (source_file_id)
        group by source_file_id
      on conflict (source_file_id, outcome)
        do update set line_count = erased_line.line_count + excluded.line_count';
begin
  if coalesce(p_user_id, '') = '' then
    raise exception 'user id must not be empty' using errcode = 'object_not_in_prerequisite_state';
  end if;
  for registered in select * from ingest.stream order by stream loop
    perform ingest.hold_stream(registered.stream);
  end loop;
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
  for registered in select * from ingest.stream order by stream loop
    place := 'game.' || registered.target_table;
    execute format(
      'with gone as (
         delete from game.%I where user_id = $1 and ($2::text is null or app_id = $2)
           returning source_file_id
       ), counted as (%s)
       select count(*) from gone',
      registered.target_table, format(count_lines, 'inserted', 'select source_file_id from gone'))
      into trace_count using p_user_id, p_app_id;
    return next;
  end loop;

  -- A refused line that a replay has loaded counts under its new outcome instead.
  place := 'ingest.reject';
  execute format(
    'with gone as (
       delete from ingest.reject where reject_id in (select ingest.rejects_of_user($1, $2))
         returning source_file_id, resolved_at
     ), counted as (%s)
     select count(*) from gone',
    format(count_lines, 'rejected', 'select source_file_id from gone where resolved_at is null'))
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
       delete from ingest.conflict where conflict_id = any ($1) returning source_file_id, line_number
     ), counted as (%s)
     select count(*) from gone',
    format(count_lines, 'conflict', 'select distinct source_file_id, line_number from gone'))
    into trace_count using conflicts;
  return next;

  place := 'ingest.fill';
  execute format(
    'with gone as (
       delete from ingest.fill where fill_id = any ($1) returning source_file_id, line_number
     ), counted as (%s)
     select count(*) from gone',
    format(count_lines, 'filled', 'select distinct source_file_id, line_number from gone'))
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
end
$_$;

-- Name: FUNCTION erase_user(p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea, p_user_filter bigint); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.erase_user(p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea, p_user_filter bigint) IS 'Deletes a user''s rows, refused lines, conflicts, fills and accepted values, writes a tombstone, and returns the number of deleted rows by table.';

-- Name: failed_rejects_of_user(text, text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.failed_rejects_of_user(p_user_id text, p_app_id text) RETURNS TABLE(failed_file_id bigint, line_number bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select r.failed_file_id, r.line_number
    from ingest.failed_reject r, (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
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
  stored regclass;
  is_empty boolean;
begin
  for stored in
    select format('game.%I', s.target_table)::regclass from ingest.stream s
    union
    select t.relid from ingest.stream s, pg_partition_tree(format('game.%I', s.target_table)::regclass) t
    union
    values ('ingest.reject'::regclass), ('ingest.failed_reject'), ('ingest.conflict'), ('ingest.fill'),
      ('ingest.accepted_value')
  loop
    execute format('select not exists (select 1 from %s)', stored) into is_empty;
    -- ANALYZE of a partitioned table includes its partitions.
    if not is_empty and not (select relispartition from pg_catalog.pg_class where oid = stored) then
      execute format('analyze %s', stored);
    end if;
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      delete from pg_catalog.pg_statistic st using pg_catalog.pg_attribute a
        where st.starelid = stored and a.attrelid = stored and a.attnum = st.staattnum
          and (is_empty or a.attstattarget = 0);
    else
      select 'statistics of ' || stored::text, count(*) into place, trace_count
        from pg_catalog.pg_stats st
        join pg_catalog.pg_attribute a on a.attrelid = stored and a.attname = st.attname
        where format('%I.%I', st.schemaname, st.tablename)::regclass = stored
          and (is_empty or a.attstattarget = 0);
      if trace_count > 0 then
        return next;
      end if;
    end if;
  end loop;
end
$$;

-- Name: FUNCTION forget_statistics(); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.forget_statistics() IS 'Renews the statistics of all tables that can contain user ids. Returns the tables whose statistics it has no right to delete, with the number of columns.';

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

-- Name: refuse_facts_without_file(); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.refuse_facts_without_file() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (select 1 from ingest.source_file
      where opened_by = pg_current_xact_id() and stream = tg_argv[0])
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
      where source_file_id = p_source_file_id and stream = p_stream and undone_at is null
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
    select distinct f.field from ingest.fill f where f.source_file_id = any (p_files)
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
$_$;

-- Name: FUNCTION undo_files(p_stream text, p_files bigint[]); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.undo_files(p_stream text, p_files bigint[]) IS 'Deletes the rows, fills, rejects, conflicts and accepted values of files of one stream, marks the files as undone, and returns the number of deleted rows by file.';

-- Name: user_key_condition(text); Type: FUNCTION; Schema: ingest; Owner: -

CREATE FUNCTION ingest.user_key_condition(p_stream text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select case when key_columns @> '{user_id,app_id}' then
      format('(k.natural_key ->> %s = $1 and ($2::text is null or k.natural_key ->> %s = $2))',
        array_position(key_columns, 'user_id') - 1, array_position(key_columns, 'app_id') - 1)
    else
      format('k.natural_key in (select %s from game.%I t
          where t.user_id = $1 and ($2::text is null or t.app_id = $2))',
        ingest.natural_key_array(stream, 't'), target_table)
    end
    from ingest.stream where stream = p_stream
$_$;

-- Name: FUNCTION user_key_condition(p_stream text); Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON FUNCTION ingest.user_key_condition(p_stream text) IS 'SQL condition that the natural_key array of k identifies a row of user $1, in application $2 or in all (NULL).';

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

-- Name: time_zone(); Type: FUNCTION; Schema: report; Owner: -

CREATE FUNCTION report.time_zone() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select coalesce(nullif(current_setting('gamebase_ingest.time_zone', true), ''), 'UTC')
$$;

-- Name: FUNCTION time_zone(); Type: COMMENT; Schema: report; Owner: -

COMMENT ON FUNCTION report.time_zone() IS 'The time zone of the days in the views: the setting gamebase_ingest.time_zone, else UTC. The vendor''s console appears to use Asia/Seoul.';

-- Name: count_merged(bigint, staging.merge_counts); Type: FUNCTION; Schema: staging; Owner: -

CREATE FUNCTION staging.count_merged(p_source_file_id bigint, p_counts staging.merge_counts) RETURNS void
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
    where source_file_id = p_source_file_id
$$;

-- Name: FUNCTION count_merged(p_source_file_id bigint, p_counts staging.merge_counts); Type: COMMENT; Schema: staging; Owner: -

COMMENT ON FUNCTION staging.count_merged(p_source_file_id bigint, p_counts staging.merge_counts) IS 'Adds the outcomes of a merge to the counts of a file. Part of staging.merge.';

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
        case when c.name = any (registered.empty_is_absent_columns)
          then 'nullif(%s.%I, '''')' else '%s.%I' end as shape
      from unnest(registered.compared_columns) with ordinality c (name, position)
  )
  -- The rule for a conflict stands in three places: here in contained and contradicts, and below in the columns that
  -- ingest.conflict records. Change all three together.
  select
      string_agg(format('coalesce(%1$s = %2$s, %2$s is null)',
        format(shape, 't', name), format(shape, 's', name)), ' and ' order by position),
      format('coalesce(%s, false)', string_agg(format('coalesce(%s <> %s, false)',
        format(shape, 't', name), format(shape, 's', name)), ' or ' order by position)),
      string_agg(format('(%L, %s, %s)', name,
        format(shown, format(shape, '(j.stored)', name)), format(shown, format(shape, '(j.incoming)', name))),
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

  if contained_count = staged_count then
    counts.duplicates := staged_count;
    perform staging.count_merged(p_source_file_id, counts);
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
      perform staging.count_merged(p_source_file_id, counts);
      execute format('truncate %s', staged);
      return counts;
    end if;
  end if;

  -- The rows just inserted are finished, and so are the rows whose values the target already contains.
  execute format(
    'delete from %s s using %s t
       where %s and t.source_file_id = s.source_file_id and t.line_number = s.line_number',
    staged, target, same_key);
  execute format('delete from %s s using %s t where %s and %s', staged, target, same_key, contained);
  get diagnostics counts.duplicates = row_count;

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
         )
         select count(*) filter (where contradicts) as conflicts,
             count(*) filter (where line_number = filling_line) as fills,
             count(*) filter (where contained) as duplicates
           from j',
        contained, contradicts, keys, staged, target, same_key, p_stream, natural_key, differences,
        assignments, filled_key, refused_row)
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
  perform staging.count_merged(p_source_file_id, counts);
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
    CONSTRAINT game_user_snapshot_observed_at_check CHECK (isfinite(observed_at)),
    CONSTRAINT game_user_snapshot_observed_at_source_check CHECK ((observed_at_source = ANY (ARRAY['line'::text, 'option'::text, 'load_start'::text]))),
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
    CONSTRAINT receipt_product_type_check CHECK ((product_type = ANY (ARRAY['UNKNOWN'::text, 'CONSUMABLE'::text, 'AUTO_RENEWABLE'::text, 'CONSUMABLE_AUTO_RENEWABLE'::text]))),
    CONSTRAINT receipt_purchase_token_sha256_check CHECK ((octet_length(purchase_token_sha256) = 32)),
    CONSTRAINT receipt_purchased_at_check CHECK (isfinite(purchased_at))
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
    CONSTRAINT setting_name_check CHECK ((name = 'app-id'::text)),
    CONSTRAINT setting_value_check CHECK ((value <> ''::text))
);

-- Name: TABLE setting; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON TABLE ingest.setting IS 'One row per setting of this database that differs from its default. Written by: gamebase-ingest settings.';

-- Name: COLUMN setting.name; Type: COMMENT; Schema: ingest; Owner: -

COMMENT ON COLUMN ingest.setting.name IS 'Name of the setting. app-id is the application of lines without one.';

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
    partition_column text
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

-- Name: current_game_user; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.current_game_user AS
 SELECT DISTINCT ON (game_user_snapshot.app_id, game_user_snapshot.user_id, game_user_snapshot.channel_id, game_user_snapshot.character_id) game_user_snapshot.app_id,
    game_user_snapshot.user_id,
    game_user_snapshot.channel_id,
    game_user_snapshot.character_id,
    game_user_snapshot.user_level,
    game_user_snapshot.class_id,
    game_user_snapshot.observed_at,
    game_user_snapshot.observed_at_source,
    game_user_snapshot.source_file_id,
    game_user_snapshot.line_number
   FROM game.game_user_snapshot
  ORDER BY game_user_snapshot.app_id, game_user_snapshot.user_id, game_user_snapshot.channel_id, game_user_snapshot.character_id, game_user_snapshot.observed_at DESC;

-- Name: VIEW current_game_user; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.current_game_user IS 'One row per character of a user in a channel, as last observed. Loading an older snapshot later changes nothing.';

-- Name: COLUMN current_game_user.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN current_game_user.user_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.user_id IS 'The user.';

-- Name: COLUMN current_game_user.channel_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.channel_id IS 'The channel or server; NULL when the game has none.';

-- Name: COLUMN current_game_user.character_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.current_game_user.character_id IS 'The character; NULL when the game has none.';

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

-- Name: level_funnel; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.level_funnel AS
 WITH highest AS (
         SELECT level_up.app_id,
            level_up.user_id,
            max(level_up.user_level) AS highest_level
           FROM game.level_up
          GROUP BY level_up.app_id, level_up.user_id
        ), level AS (
         SELECT level_up.app_id,
            level_up.user_level,
            count(DISTINCT level_up.user_id) AS recorded_user_count,
            min(level_up.leveled_up_at) AS first_reached_at
           FROM game.level_up
          GROUP BY level_up.app_id, level_up.user_level
        ), stopped AS (
         SELECT highest.app_id,
            highest.highest_level,
            count(*) AS user_count
           FROM highest
          GROUP BY highest.app_id, highest.highest_level
        )
 SELECT l.app_id,
    l.user_level,
    l.recorded_user_count,
    (sum(s.user_count))::bigint AS reached_user_count,
    (COALESCE(sum(s.user_count) FILTER (WHERE (s.highest_level = l.user_level)), (0)::numeric))::bigint AS stopped_user_count,
    l.first_reached_at
   FROM (level l
     JOIN stopped s ON (((s.app_id = l.app_id) AND (s.highest_level >= l.user_level))))
  GROUP BY l.app_id, l.user_level, l.recorded_user_count, l.first_reached_at;

-- Name: VIEW level_funnel; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.level_funnel IS 'One row per application and level with at least one level-up trace. Each user counts once, from level-up traces only.';

-- Name: COLUMN level_funnel.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN level_funnel.user_level; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.user_level IS 'The level.';

-- Name: COLUMN level_funnel.recorded_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.recorded_user_count IS 'Users with a trace of exactly this level.';

-- Name: COLUMN level_funnel.reached_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.reached_user_count IS 'Users whose highest level is this one or above, including users without a trace of this level.';

-- Name: COLUMN level_funnel.stopped_user_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.stopped_user_count IS 'Users whose highest level is this one.';

-- Name: COLUMN level_funnel.first_reached_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.level_funnel.first_reached_at IS 'Time at which the first user reached the level.';

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
    f.erased_count
   FROM (ingest.load l
     LEFT JOIN ( SELECT source_file.load_id,
                CASE
                    WHEN (source_file.undone_at IS NULL) THEN 'loaded'::text
                    ELSE 'undone'::text
                END AS status,
            source_file.stream,
            source_file.path,
            source_file.source_file_id,
            source_file.byte_count,
            source_file.line_count,
            source_file.inserted_count,
            source_file.filled_count,
            source_file.duplicate_count,
            source_file.conflict_count,
            source_file.rejected_count,
            source_file.suppressed_count,
            source_file.blank_count,
            NULL::text AS reason,
            source_file.undone_at,
            (COALESCE(( SELECT sum(e.line_count) AS sum
                   FROM ingest.erased_line e
                  WHERE (e.source_file_id = source_file.source_file_id)), (0)::numeric))::bigint AS erased_count
           FROM ingest.source_file
        UNION ALL
         SELECT failed_file.load_id,
            'failed'::text,
            failed_file.stream,
            failed_file.path,
            NULL::bigint,
            failed_file.byte_count,
            failed_file.line_count,
            NULL::bigint,
            NULL::bigint,
            NULL::bigint,
            NULL::bigint,
            failed_file.rejected_count,
            NULL::bigint,
            NULL::bigint,
            failed_file.reason,
            NULL::timestamp with time zone,
            NULL::bigint
           FROM ingest.failed_file) f ON ((f.load_id = l.load_id)));

-- Name: VIEW load_history; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.load_history IS 'One row per run and file that the run loaded or failed to load; one row for a run without files.';

-- Name: COLUMN load_history.load_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.load_id IS 'Number of the run.';

-- Name: COLUMN load_history.started_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.started_at IS 'Start of the run.';

-- Name: COLUMN load_history.finished_at; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.finished_at IS 'End of the run; NULL while it runs and for a killed run.';

-- Name: COLUMN load_history.exit_code; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.exit_code IS 'Exit code of the run; NULL while finished_at is NULL.';

-- Name: COLUMN load_history.status; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.load_history.status IS 'State of the file: loaded, undone or failed; NULL for a run without files.';

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

-- Name: payers_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.payers_by_day AS
 WITH payer_day AS (
         SELECT DISTINCT ((receipt.purchased_at AT TIME ZONE report.time_zone()))::date AS purchased_on,
            receipt.app_id,
            receipt.user_id
           FROM game.receipt
          WHERE (receipt.is_sandbox IS NOT TRUE)
        ), first_day AS (
         SELECT payer_day.app_id,
            payer_day.user_id,
            min(payer_day.purchased_on) AS first_on
           FROM payer_day
          GROUP BY payer_day.app_id, payer_day.user_id
        )
 SELECT d.purchased_on,
    d.app_id,
    count(*) AS payer_count,
    count(*) FILTER (WHERE (d.purchased_on = f.first_on)) AS new_payer_count,
    count(*) FILTER (WHERE (d.purchased_on > f.first_on)) AS repeat_payer_count
   FROM (payer_day d
     JOIN first_day f ON (((f.app_id = d.app_id) AND (f.user_id = d.user_id))))
  GROUP BY d.purchased_on, d.app_id;

-- Name: VIEW payers_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.payers_by_day IS 'One row per day and application. Counts users with at least one purchase; sandbox purchases are excluded.';

-- Name: COLUMN payers_by_day.purchased_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.purchased_on IS 'Day in report.time_zone().';

-- Name: COLUMN payers_by_day.app_id; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.app_id IS 'The application; empty when unknown.';

-- Name: COLUMN payers_by_day.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.payer_count IS 'Users with a purchase on that day (PU in the vendor''s console).';

-- Name: COLUMN payers_by_day.new_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.new_payer_count IS 'Payers without an earlier purchase in the loaded receipts (NPU in the vendor''s console).';

-- Name: COLUMN payers_by_day.repeat_payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.payers_by_day.repeat_payer_count IS 'Payers with a purchase on an earlier day. new_payer_count and repeat_payer_count add up to payer_count.';

-- Name: reject_summary; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.reject_summary AS
 SELECT DISTINCT ON (r.stream, r.code, r.field) r.stream,
    r.code,
    r.field,
    count(*) OVER same AS reject_count,
    count(*) FILTER (WHERE (r.resolved_at IS NULL)) OVER same AS open_count,
    max(f.loaded_at) OVER same AS last_loaded_at,
    f.path AS example_path,
    r.line_number AS example_line_number,
    r.reason AS example_reason
   FROM (ingest.reject r
     JOIN ingest.source_file f ON ((f.source_file_id = r.source_file_id)))
  WINDOW same AS (PARTITION BY r.stream, r.code, r.field)
  ORDER BY r.stream, r.code, r.field, r.source_file_id, r.line_number;

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

-- Name: revenue_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.revenue_by_day AS
 SELECT ((r.purchased_at AT TIME ZONE report.time_zone()))::date AS purchased_on,
    r.app_id,
    r.currency,
    r.store_code,
    r.gamebase_product_id,
    (r.is_promotion IS TRUE) AS is_promotion,
    count(*) AS purchase_count,
    count(DISTINCT r.user_id) AS payer_count,
    count(*) FILTER (WHERE (r.amount_minor IS NULL)) AS unpriced_count,
    count(*) FILTER (WHERE r.price_imprecise) AS imprecise_count,
    COALESCE(sum(r.amount_minor), (0)::numeric) AS amount_minor,
    round((COALESCE(sum(r.amount_minor), (0)::numeric) / ((10)::numeric ^ (c.minor_unit)::numeric)), (c.minor_unit)::integer) AS amount
   FROM (game.receipt r
     JOIN game.currency c ON ((c.currency = r.currency)))
  WHERE (r.is_sandbox IS NOT TRUE)
  GROUP BY (((r.purchased_at AT TIME ZONE report.time_zone()))::date), r.app_id, r.currency, r.store_code, r.gamebase_product_id, (r.is_promotion IS TRUE), c.minor_unit;

-- Name: VIEW revenue_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.revenue_by_day IS 'One row per day, application, currency, store, product and promotion flag. Gross revenue: sandbox purchases are excluded, and the receipts contain no refunds. Never add amounts of different currencies.';

-- Name: COLUMN revenue_by_day.purchased_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.purchased_on IS 'Day of the purchase in report.time_zone().';

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

COMMENT ON COLUMN report.revenue_by_day.purchase_count IS 'Number of purchases.';

-- Name: COLUMN revenue_by_day.payer_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.payer_count IS 'Number of distinct users. Do not add it over rows; see report.payers_by_day.';

-- Name: COLUMN revenue_by_day.unpriced_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.unpriced_count IS 'Purchases without a price; the amounts do not include them.';

-- Name: COLUMN revenue_by_day.imprecise_count; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.imprecise_count IS 'Purchases whose price may have lost digits in the vendor''s 32-bit float.';

-- Name: COLUMN revenue_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.amount_minor IS 'Sum of the prices, in the minor unit of the currency.';

-- Name: COLUMN revenue_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.revenue_by_day.amount IS 'amount_minor in the major unit of the currency, exact.';

-- Name: sandbox_revenue_by_day; Type: VIEW; Schema: report; Owner: -

CREATE VIEW report.sandbox_revenue_by_day AS
 SELECT ((r.purchased_at AT TIME ZONE report.time_zone()))::date AS purchased_on,
    r.app_id,
    r.currency,
    r.store_code,
    r.gamebase_product_id,
    count(*) AS purchase_count,
    count(DISTINCT r.user_id) AS payer_count,
    COALESCE(sum(r.amount_minor), (0)::numeric) AS amount_minor,
    round((COALESCE(sum(r.amount_minor), (0)::numeric) / ((10)::numeric ^ (c.minor_unit)::numeric)), (c.minor_unit)::integer) AS amount
   FROM (game.receipt r
     JOIN game.currency c ON ((c.currency = r.currency)))
  WHERE r.is_sandbox
  GROUP BY (((r.purchased_at AT TIME ZONE report.time_zone()))::date), r.app_id, r.currency, r.store_code, r.gamebase_product_id, c.minor_unit;

-- Name: VIEW sandbox_revenue_by_day; Type: COMMENT; Schema: report; Owner: -

COMMENT ON VIEW report.sandbox_revenue_by_day IS 'One row per day, application, currency, store and product. Sandbox (test) purchases only; no money was paid.';

-- Name: COLUMN sandbox_revenue_by_day.purchased_on; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.purchased_on IS 'Day of the purchase in report.time_zone().';

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

COMMENT ON COLUMN report.sandbox_revenue_by_day.payer_count IS 'Number of distinct users. Do not add it over rows.';

-- Name: COLUMN sandbox_revenue_by_day.amount_minor; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.amount_minor IS 'Sum of the nominal prices, in the minor unit of the currency.';

-- Name: COLUMN sandbox_revenue_by_day.amount; Type: COMMENT; Schema: report; Owner: -

COMMENT ON COLUMN report.sandbox_revenue_by_day.amount IS 'amount_minor in the major unit of the currency, exact.';

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

-- Name: currency currency_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.currency
    ADD CONSTRAINT currency_pkey PRIMARY KEY (currency);

-- Name: receipt receipt_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (payment_seq);

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

-- Name: erased_line erased_line_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_line
    ADD CONSTRAINT erased_line_pkey PRIMARY KEY (source_file_id, outcome);

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

-- Name: fill fill_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.fill
    ADD CONSTRAINT fill_pkey PRIMARY KEY (fill_id);

-- Name: load load_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.load
    ADD CONSTRAINT load_pkey PRIMARY KEY (load_id);

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

-- Name: game_user_snapshot_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX game_user_snapshot_key ON ONLY game.game_user_snapshot USING btree (observed_at, user_id, app_id, channel_id, character_id) NULLS NOT DISTINCT;

-- Name: level_up_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX level_up_key ON ONLY game.level_up USING btree (leveled_up_at, user_id, user_level, app_id, character_id) NULLS NOT DISTINCT;

-- Name: receipt_purchased_at; Type: INDEX; Schema: game; Owner: -

CREATE INDEX receipt_purchased_at ON game.receipt USING brin (purchased_at) WITH (pages_per_range='32');

-- Name: accepted_value_acceptance; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX accepted_value_acceptance ON ingest.accepted_value USING btree (acceptance_id);

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

-- Name: reject_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX reject_source_file ON ingest.reject USING btree (source_file_id, line_number);

-- Name: row_digest_key_once; Type: INDEX; Schema: ingest; Owner: -

CREATE UNIQUE INDEX row_digest_key_once ON ingest.row_digest_key USING btree ((true));

-- Name: source_file_identity; Type: INDEX; Schema: ingest; Owner: -

CREATE UNIQUE INDEX source_file_identity ON ingest.source_file USING btree (sha256, stream, app_id, observed_at) NULLS NOT DISTINCT WHERE (undone_at IS NULL);

-- Name: source_file_length; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_length ON ingest.source_file USING btree (byte_count, stream) WHERE (undone_at IS NULL);

-- Name: source_file_load; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_load ON ingest.source_file USING btree (load_id);

-- Name: source_file_opened_by; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_opened_by ON ingest.source_file USING btree (opened_by);

-- Name: game_user_snapshot refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.game_user_snapshot FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('game_user');

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

-- Name: erased_line erased_line_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_line
    ADD CONSTRAINT erased_line_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: failed_file failed_file_load_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_file
    ADD CONSTRAINT failed_file_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: failed_reject failed_reject_failed_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_reject
    ADD CONSTRAINT failed_reject_failed_file_id_fkey FOREIGN KEY (failed_file_id) REFERENCES ingest.failed_file(failed_file_id);

-- Name: fill fill_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.fill
    ADD CONSTRAINT fill_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: reject reject_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reject
    ADD CONSTRAINT reject_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: source_file source_file_load_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.source_file
    ADD CONSTRAINT source_file_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: unknown_field unknown_field_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.unknown_field
    ADD CONSTRAINT unknown_field_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- PostgreSQL database dump complete

