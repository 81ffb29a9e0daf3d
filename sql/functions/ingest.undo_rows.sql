-- The caller deletes the fills of these files afterwards.
create or replace function ingest.undo_rows(p_stream text, p_files bigint[]) returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  registered ingest.stream;
  target regclass;
  borrowed regclass;
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
         returning t.*
     ), noted as (%4$s), keys as (
       select %2$s as natural_key from gone t
     ), unfilled as (
       delete from ingest.fill f using keys
         where f.stream = %3$L and f.natural_key = keys.natural_key and f.source_file_id <> all ($1)
     ), unaccepted as (
       delete from ingest.accepted_value v using keys
         where v.stream = %3$L and v.natural_key = keys.natural_key
     ), opened as (
       update ingest.conflict c set acceptance_id = null from keys
         where c.acceptance_id is not null and c.stream = %3$L and c.natural_key = keys.natural_key
           and c.source_file_id <> all ($1)
     )
     select jsonb_object_agg(source_file_id, row_count)
       from (select source_file_id, count(*) as row_count from gone group by source_file_id) g',
      target, ingest.natural_key_array(p_stream, 't'), p_stream, rollup.note_statement(p_stream, 'gone'))
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
    borrowed := staging.borrow(p_stream, ingest.recorded_keys(p_stream, format(
      '(select natural_key from ingest.fill where source_file_id = any (%L) and stream = %L and field = %L)',
      p_files, p_stream, filled_field)));
    execute format(
      'with filled as materialized (
         select k.natural_key, t as stored from ingest.fill k join %1$s t on %4$s
           where k.source_file_id = any ($1) and k.stream = %3$L and k.field = $2
             and not exists (select 1 from ingest.accepted_value v
               where v.stream = k.stream and v.natural_key = k.natural_key and v.field = k.field)
       ), emptied as (
         update %1$s t set %2$s from filled k where %4$s returning t.*
       ) %5$s',
      borrowed, assignments, p_stream, same_key,
      rollup.note_statement(p_stream, '(select (stored).* from filled union all select * from emptied)'))
      using p_files, filled_field;
    perform staging.give_back(p_stream);
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
$$;
revoke execute on function ingest.undo_rows from public;
comment on function ingest.undo_rows is
  'Deletes the rows of files in one stream''s table, takes their accepted values and fills back, and returns the number of deleted rows by file. Part of ingest.undo_files.';
