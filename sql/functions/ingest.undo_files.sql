-- The caller holds the locks of the streams and passes all files that depend on each other in one call, because a
-- deleted row takes the fills of later files with it.
create or replace function ingest.undo_files(p_files bigint[])
returns table (source_file_id bigint, row_count bigint, fill_count bigint, reject_count bigint,
  conflict_count bigint, accepted_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  registered ingest.stream;
  target regclass;
  borrowed regclass;
  same_key text;
  filled_field text;
  assignments text;
  absences jsonb;
  gone jsonb;
  row_counts jsonb := '[]';   -- for each stream the deleted rows by file
  accepted_counts jsonb := (
    select coalesce(jsonb_object_agg(a.source_file_id, a.value_count), '{}')
      from (select v.source_file_id, count(*) as value_count
        from ingest.accepted_changes(array(select c.conflict_id from ingest.conflict c
          where c.source_file_id = any (p_files) and c.refused_row is not null)) v
        group by v.source_file_id) a);
begin
  -- Rows of a file are in the table of its stream, and in that of records within its lines.
  for registered in
    select s.* from ingest.stream s
      where exists (select from ingest.source_file f join ingest.stream o on o.stream = f.stream
        where f.source_file_id = any (p_files) and s.stream in (o.stream, o.embedded_stream))
      order by s.stream
  loop
    target := format('game.%I', registered.target_table)::regclass;
    same_key := ingest.key_condition(registered.stream);
    -- The fills and loaded values of a deleted row are deleted too, whichever file they came from, and its conflicts
    -- become open: a later row with the same key is a new row.
    execute format(
      'with gone as (
         delete from %1$s t where t.source_file_id = any ($1)
           returning t.*
       ), noted as (%4$s), keys as (
         select %2$s as natural_key from gone t
       ), unfilled as (
         delete from ingest.fill f using keys
           where f.stream = %3$L and f.natural_key = keys.natural_key and f.source_file_id <> all ($1)
       ), uncovered as (
         delete from ingest.overlaid_row o using keys
           where o.stream = %3$L and o.natural_key = keys.natural_key
       ), opened as (
         update ingest.conflict c set acceptance_id = null from keys
           where c.acceptance_id is not null and c.stream = %3$L and c.natural_key = keys.natural_key
             and c.source_file_id <> all ($1)
       )
       select jsonb_object_agg(n.source_file_id, n.row_count)
         from (select source_file_id, count(*) as row_count from gone group by source_file_id) n',
        target, ingest.natural_key_array(registered.stream, 't'), registered.stream,
        rollup.note_statement(registered.stream, 'gone'))
      into gone using p_files;
    row_counts := row_counts || jsonb_build_array(gone);

    -- The remaining rows lose the values of these files' lines.
    perform ingest.take_back_lines(registered.stream, array(
      select c.conflict_id from ingest.conflict c
        where c.stream = registered.stream and c.source_file_id = any (p_files) and c.acceptance_id is not null
          and c.refused_row is not null));

    -- Columns that these files filled in rows of other files become absent again, with their followers. In a NOT NULL
    -- column, an empty text or false means "absent". The digest of a changed row is no longer valid. A value that was
    -- accepted after the fill stays, over an absent one.
    for filled_field in
      select distinct f.field from ingest.fill f where f.source_file_id = any (p_files) and f.stream = registered.stream
    loop
      select string_agg(format('%I = %L', a.attname, absent.printed), ', ') || ', row_digest = null',
          jsonb_object_agg(a.attname, absent.printed)
        into assignments, absences
        from pg_catalog.pg_attribute a, lateral (select case
            when not a.attnotnull then null
            when a.atttypid = 'boolean'::regtype then 'false'
            else '' end) absent (printed)
        where a.attrelid = target and (a.attname = filled_field
          or a.attname in (select jsonb_array_elements_text(registered.followers -> filled_field)));
      borrowed := staging.borrow(registered.stream, ingest.recorded_keys(registered.stream, format(
        '(select natural_key from ingest.fill where source_file_id = any (%L) and stream = %L and field = %L)',
        p_files, registered.stream, filled_field)));
      execute format(
        'with filled as materialized (
           select k.natural_key, t as stored from ingest.fill k join %1$s t on %4$s
             where k.source_file_id = any ($1) and k.stream = %3$L and k.field = $2
               and not exists (select 1 from ingest.overlaid_row o
                 where o.stream = k.stream and o.natural_key = k.natural_key and o.loaded_values ? k.field)
         ), emptied as (
           update %1$s t set %2$s from filled k where %4$s returning t.*
         ) %5$s',
        borrowed, assignments, registered.stream, same_key,
        rollup.note_statement(registered.stream, '(select (stored).* from filled union all select * from emptied)'))
        using p_files, filled_field;
      perform staging.give_back(registered.stream);
      update ingest.overlaid_row o set loaded_values = o.loaded_values || absences
        from ingest.fill k
        where k.source_file_id = any (p_files) and k.stream = registered.stream and k.field = filled_field
          and o.stream = k.stream and o.natural_key = k.natural_key and o.loaded_values ? filled_field;
    end loop;
  end loop;

  -- The reports forget the observations and the names of items that retention kept for these files. The notes make a
  -- refresh compute the users again, and read the items of the application again.
  with observation as (
    delete from ingest.kept_observation k where k.source_file_id = any (p_files) returning k.app_id, k.user_id
  ), item as (
    delete from ingest.kept_item_name k where k.source_file_id = any (p_files)
      returning k.app_id, k.observed_at, k.is_dated, k.source_file_id
  )
  insert into rollup.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
    select distinct 'observation', o.app_id, o.user_id, '-infinity'::timestamptz, false, 0::bigint, 0 from observation o
    union all
    select distinct 'item', i.app_id, null, i.observed_at, i.is_dated, i.source_file_id, 0 from item i;

  delete from ingest.met_file m where m.source_file_id = any (p_files) or m.met_file_id = any (p_files);
  delete from ingest.pruned_reject p where p.source_file_id = any (p_files);
  delete from ingest.pruned_conflict p where p.source_file_id = any (p_files);

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
        (select coalesce(sum((c ->> u.source_file_id::text)::bigint), 0)::bigint from jsonb_array_elements(row_counts) c),
        (select count(*) from fill x where x.source_file_id = u.source_file_id),
        (select count(*) from reject x where x.source_file_id = u.source_file_id),
        (select count(*) from conflict x where x.source_file_id = u.source_file_id),
        coalesce((accepted_counts ->> u.source_file_id::text)::bigint, 0)
      from undone u order by u.source_file_id;
end
$$;
comment on function ingest.undo_files is
  'Deletes the rows, fills, rejects, conflicts and their pruned counts of files, marks the files as undone, and returns by file what is deleted, and the number of values that accepted lines of the file had replaced.';
