-- The caller holds the stream's lock, so no other session changes the target meanwhile.
--
-- SECURITY DEFINER: the loader role can neither update a fact nor empty a table. This function is the only way for a
-- loader to change a stored row. It requires a ledger entry that the same transaction has opened: all staged rows
-- have the entry's number, and their outcomes are counted there.
--
-- The outcome is the same as merging the rows one after another in line order:
--   key not stored                           -> inserted
--   every value absent or equal to stored    -> duplicate
--   some value contradicts a stored value    -> conflict, the stored row is unchanged; but a duplicate, if the values
--     equal those of the line refused last, or of the row without its newest acceptance
--   else                                     -> filled: the row supplies absent values
-- Within a load a stored value never changes; a merge only supplies absent values. Duplicates and conflicts change nothing,
-- so only a fill can change the outcome of a later row with the same key. Rows are therefore merged in rounds: for every key,
-- a round takes the rows up to and including the first one that fills. A round fills at least one absent value of each key
-- that has rows left, so there are never more rounds than columns, and nearly always one.
create or replace function staging.merge(p_stream text, p_source_file_id bigint)
returns staging.merge_counts
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
set bytea_output = 'hex'
-- A batch is small and the target is large, so each row looks up its key in the index. By default the planner may
-- hash the whole target for every batch.
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  registered ingest.stream;
  target regclass;      -- the table of the stream, or the copy of its rows in a cluster
  staged regclass;
  columns text;         -- all columns of the target
  keys text;            -- the key columns of s
  same_key text;        -- t and s have the same key
  filled_key text;      -- t and (j.incoming) have the same key
  contained text;       -- every value of s is absent or equal to that of t
  contradicts text;     -- some value is present in s and in t, and differs
  differences text;     -- one row per compared column: name, stored, incoming, as text
  assignments text;     -- SET list of a fill
  refused_row text;     -- JSON object of all values of incoming except secrets
  line_values text;     -- array of the compared values of s, as text
  refused_values text;  -- the same of refused line r
  former_values text;   -- the same of stored with the values b.former in place of its own
  counted_apps text;    -- statement that counts accepted rows, in place of %s, for their applications
  counts staging.merge_counts := (0, 0, 0, 0);
  repeated_count bigint := 0;
  staged_count bigint;
  known_count bigint;
  contained_count bigint;
  are_of_the_file boolean;
  are_changed boolean;  -- some stored row has a value of a later line than the one that brought it
  met_files bigint[];   -- the files that gave the stored rows their values
  are_repeated boolean;
  settled record;
  failed_constraint text;
begin
  select * into strict registered from ingest.stream where stream = p_stream;
  staged := staging.table_of(p_stream);
  perform ingest.require_open_files(array[p_source_file_id], p_stream);

  columns := staging.columns_of(format('game.%I', registered.target_table)::regclass);
  select string_agg(format('s.%I', k.name), ', ' order by k.position) into keys
    from unnest(registered.key_columns) with ordinality k (name, position);
  if ingest.is_distributed(p_stream) then
    -- The copies have no index.
    perform set_config('enable_hashjoin', 'on', true);
    repeated_count := staging.settle_repeats(p_stream, p_source_file_id);
  end if;
  target := staging.borrow(p_stream, format('select distinct %s from %s s', keys, staged));
  same_key := ingest.key_condition(p_stream, 's.%1$I');

  with compared as (
    select c.name, c.position, v.*,
        -- The digest columns show a conflict of two secrets. Of a secret itself only its presence is recorded.
        case when c.name = any (registered.secret_columns)
          then '((%s) is not null or null)::text' else '(%s)::text' end as shown,
        c.name = any (registered.secret_columns) as is_secret,
        case when a.atttypid = 'json'::regtype then 'staging.comparable((%s)::json)'
          when c.name = any (registered.empty_is_absent_columns) then 'nullif(%s, '''')' else '%s' end as printed,
        case when a.atttypid = 'json'::regtype then 'staging.comparable(%s)' else '%s' end as form
      from unnest(registered.compared_columns) with ordinality c (name, position)
      join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = c.name
      cross join lateral (
        select case when c.name = any (registered.empty_is_absent_columns) then 'nullif(%s.%I, '''')' else '%s.%I' end
      ) e (shape)
      cross join lateral (
        select format(e.shape, 't', c.name), format(e.shape, 's', c.name), format(e.shape, '(j.stored)', c.name),
            format(e.shape, '(j.incoming)', c.name)
      ) v (t, s, stored, incoming)
  )
  -- The rule for a conflict stands in three places: here in contained and contradicts, and below in the columns that
  -- ingest.conflict records. Change all three together.
  select
      string_agg(format('coalesce(%s = %s, %s is null)', format(form, t), format(form, s), s), ' and ' order by position),
      format('coalesce(%s, false)', string_agg(
        format('coalesce(%s <> %s, false)', format(form, t), format(form, s)), ' or ' order by position)),
      string_agg(format('(%L, %s, %s)', name, format(shown, stored),
        -- Of an equal value in another form, the stored form is shown, so that it counts as no difference.
        case form when '%s' then format(shown, incoming)
          else format('case when %s = %s then %s else %s end', format(form, stored), format(form, incoming),
            format(shown, stored), format(shown, incoming)) end), ', ' order by position),
      string_agg(format('%1$I = coalesce(%2$s, (j.incoming).%1$I)', name, t), ', ' order by position),
      string_agg(format(printed, format('s.%I::text', name)), ', ' order by position) filter (where not is_secret),
      string_agg(format(printed, format('(r.refused_row ->> %L)', name)), ', ' order by position)
        filter (where not is_secret),
      string_agg(format(printed, format('case when b.former ? %1$L then b.former ->> %1$L else (j.stored).%1$I::text end',
        name)), ', ' order by position) filter (where not is_secret)
    into contained, contradicts, differences, assignments, line_values, refused_values, former_values
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
         coalesce(bool_and(s.source_file_id = $1), true),
         coalesce(bool_or(t.source_file_id is not null and t.row_digest is null), false),
         coalesce(array_agg(distinct t.source_file_id) filter (where t.source_file_id is not null), ''{}'')
       from %s s left join %s t on %s', contained, staged, target, same_key)
    into staged_count, known_count, contained_count, are_of_the_file, are_changed, met_files
    using p_source_file_id;
  if not are_of_the_file then
    raise exception 'staged rows belong to a file other than %', p_source_file_id
      using errcode = 'insufficient_privilege';
  end if;

  if are_changed then
    -- Every change of a row empties its digest.
    execute format(
      'select $1 || array(
         select distinct m.source_file_id
           from (select distinct %s as natural_key from %s s join %s t on %s where t.row_digest is null offset 0) k
           cross join lateral (
             select f.source_file_id from ingest.fill f where f.stream = $2 and f.natural_key = k.natural_key
             union all
             select c.source_file_id from ingest.conflict c
               where c.stream = $2 and c.natural_key = k.natural_key and c.refused_row is not null
                 and c.acceptance_id is not null) m)',
      ingest.natural_key_array(p_stream, 't'), staged, target, same_key)
      into met_files using met_files, p_stream;
  end if;
  perform ingest.record_met_files(p_stream, p_source_file_id, met_files);

  counted_apps := ingest.counted_apps(p_stream, p_source_file_id);

  if contained_count = staged_count then
    counts.duplicates := staged_count;
  elsif known_count < staged_count then
    execute format(
      'insert into %1$s (%2$s)
         select %2$s from (
           select distinct on (%3$s) * from %4$s s
             where not exists (select 1 from %1$s t where %5$s)
             order by %3$s, s.line_number) s', target, columns, keys, staged, same_key);
    get diagnostics counts.inserted = row_count;
  end if;
  if counts.inserted + counts.duplicates = staged_count then
    if counts.inserted > 0 then
      perform staging.give_back(p_stream);
    end if;
    execute format(counted_apps, staged);
    perform staging.count_merged(p_stream, p_source_file_id, counts);
    execute format('truncate %s', staged);
    counts.duplicates := counts.duplicates + repeated_count;
    return counts;
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
           select s as incoming, t as stored, s.ctid as staged_at, s.line_number, %14$s as natural_key,
               %1$s as contained, %2$s as contradicts, array[%15$s]::text as given,
               min(s.line_number) filter (where not (%1$s) and not (%2$s)) over (partition by %3$s)
                 as filling_line
             from %4$s s join %5$s t on %6$s
         ), turn as materialized (
           select *, contradicts and row_number() over (partition by natural_key, contradicts order by line_number) = 1
               as is_first
             from judged where filling_line is null or line_number <= filling_line
         ), met as materialized (
           -- What the first contradicting line of a key finds holds for all of them.
           select j.*, r.source_file_id as refused_file_id, r.given as refused, b.given as former
             from turn j
             left join lateral (
               select (array_agg(r.source_file_id order by r.conflict_id desc))[1] as source_file_id,
                   array_agg(array[%16$s]::text order by r.conflict_id desc) as given
                 from ingest.conflict r
                 where j.is_first and r.stream = %7$L and r.natural_key = j.natural_key and r.refused_row is not null)
               r on true
             left join lateral (
               select array[%17$s]::text as given
                 from (select ingest.overlay(%7$L, j.natural_key, (select max(c.acceptance_id) from ingest.conflict c
                     where c.stream = %7$L and c.natural_key = j.natural_key and c.refused_row is not null)) as former
                   from ingest.overlaid_row o
                   where j.is_first and o.stream = %7$L and o.natural_key = j.natural_key
                   -- Without this fence the planner computes the overlay for each value of the array.
                   offset 0) b) b on true
         ), known as materialized (
           select m.*, contradicts and coalesce(given = first_value(former) over one_key, false) as is_former,
               first_value(refused) over one_key as all_refused,
               first_value(refused_file_id) over one_key as met_file_id
             from met m window one_key as (partition by natural_key order by is_first desc)
         ), j as materialized (
           select k.*, contradicts and (is_former
               or coalesce(given = coalesce(lag(given) over earlier, all_refused[1]), false)) as is_again
             from known k
             window earlier as (partition by natural_key, contradicts and not is_former order by line_number)
         ), conflict as (
           insert into ingest.conflict
               (stream, natural_key, field, kept, refused, source_file_id, line_number, refused_row)
             select %7$L, j.natural_key, d.field, d.stored, d.incoming,
                 (j.incoming).source_file_id, j.line_number,
                 case when row_number() over (partition by j.line_number order by d.field collate "C") = 1
                   then %11$s end
               from j, lateral (values %8$s) d (field, stored, incoming)
               where j.contradicts and not j.is_again and d.stored <> d.incoming
               order by j.line_number
         ), fill as (
           insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
             select %7$L, j.natural_key, d.field, (j.incoming).source_file_id, j.line_number
               from j, lateral (values %8$s) d (field, stored, incoming)
               where j.line_number = j.filling_line and d.stored is null and d.incoming is not null
               order by j.line_number
         ), filled as (
           update %5$s t set %9$s from j
             where j.line_number = j.filling_line and %10$s
             returning t.*
         ), noted as (%13$s), settled as (
           delete from %4$s s using j where s.ctid = j.staged_at
         ), counted as (%12$s)
         select count(*) filter (where contradicts and not is_again) as conflicts,
             count(*) filter (where line_number = filling_line) as fills,
             count(*) filter (where contained or is_again) as duplicates,
             -- Without the line refused last, a line that equals an older one would be a duplicate.
             coalesce(array_agg(distinct met_file_id)
               filter (where contradicts and not is_former and given = any (all_refused)), ''{}'') as refused_files
           from j',
        contained, contradicts, keys, staged, target, same_key, p_stream, differences,
        assignments, filled_key, refused_row,
        format(counted_apps, '(select (incoming).* from j where not contradicts or is_again) a'),
        rollup.note_statement(p_stream,
          '(select (stored).* from j where line_number = filling_line union all select * from filled)'),
        ingest.natural_key_array(p_stream, 's'), line_values, refused_values, former_values)
        into settled;
      perform ingest.record_met_files(p_stream, p_source_file_id, settled.refused_files);
      if settled.conflicts + settled.fills + settled.duplicates = 0 then
        raise exception 'merge of stream % makes no progress', p_stream
          using errcode = 'internal_error';
      end if;
      counts.conflicts := counts.conflicts + settled.conflicts;
      counts.filled := counts.filled + settled.fills;
      counts.duplicates := counts.duplicates + settled.duplicates;
    end loop;
    perform staging.give_back(p_stream);
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics failed_constraint = constraint_name;
    raise exception 'a stored row of stream % cannot hold the values that a line fills in%', p_stream,
        coalesce(' (constraint ' || nullif(failed_constraint, '') || ')', '')
      using errcode = sqlstate;
  end;
  perform staging.count_merged(p_stream, p_source_file_id, counts);
  execute format('truncate %s', staged);
  counts.duplicates := counts.duplicates + repeated_count;
  return counts;
end
$$;
comment on function staging.merge is
  'Merges the staged rows of a file into their target, records conflicts and fills, counts the outcomes in the ledger, and returns them.';
