-- The caller deletes the fills of these files afterwards.
create or replace function ingest.undo_rows(p_stream text, p_files bigint[])
returns table (source_file_id bigint, row_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  registered ingest.stream;
  target regclass;
  borrowed regclass;
  same_key text := ingest.key_condition(p_stream);
  filled_field text;
  assignments text;
  absences jsonb;
begin
  select * into strict registered from ingest.stream where stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;

  -- The fills and loaded values of a deleted row are deleted too, whichever file they came from, and its conflicts
  -- become open: a later row with the same key is a new row.
  return query execute format(
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
     select source_file_id, count(*) from gone group by source_file_id',
      target, ingest.natural_key_array(p_stream, 't'), p_stream, rollup.note_statement(p_stream, 'gone'))
    using p_files;

  -- The remaining rows lose the values of these files' lines.
  perform ingest.take_back_lines(p_stream, array(
    select c.conflict_id from ingest.conflict c
      where c.stream = p_stream and c.source_file_id = any (p_files) and c.acceptance_id is not null
        and c.refused_row is not null));

  -- Columns that these files filled in rows of other files become absent again, with their followers. In a NOT NULL
  -- column, an empty text or false means "absent". The digest of a changed row is no longer valid. A value that was
  -- accepted after the fill stays, over an absent one.
  for filled_field in
    select distinct f.field from ingest.fill f where f.source_file_id = any (p_files) and f.stream = p_stream
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
    borrowed := staging.borrow(p_stream, ingest.recorded_keys(p_stream, format(
      '(select natural_key from ingest.fill where source_file_id = any (%L) and stream = %L and field = %L)',
      p_files, p_stream, filled_field)));
    execute format(
      'with filled as materialized (
         select k.natural_key, t as stored from ingest.fill k join %1$s t on %4$s
           where k.source_file_id = any ($1) and k.stream = %3$L and k.field = $2
             and not exists (select 1 from ingest.overlaid_row o
               where o.stream = k.stream and o.natural_key = k.natural_key and o.loaded_values ? k.field)
       ), emptied as (
         update %1$s t set %2$s from filled k where %4$s returning t.*
       ) %5$s',
      borrowed, assignments, p_stream, same_key,
      rollup.note_statement(p_stream, '(select (stored).* from filled union all select * from emptied)'))
      using p_files, filled_field;
    perform staging.give_back(p_stream);
    update ingest.overlaid_row o set loaded_values = o.loaded_values || absences
      from ingest.fill k
      where k.source_file_id = any (p_files) and k.stream = p_stream and k.field = filled_field
        and o.stream = k.stream and o.natural_key = k.natural_key and o.loaded_values ? filled_field;
  end loop;
end
$$;
comment on function ingest.undo_rows is
  'Deletes the rows of files in one stream''s table, takes their accepted lines and fills back, and returns the number of deleted rows by file. Part of ingest.undo_files.';
