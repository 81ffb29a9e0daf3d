-- The caller holds the stream's lock, and gives all files at once that depend on each other: what
-- one of them filled in another's row goes with the row.
create or replace function ingest.undo_files(p_stream text, p_files bigint[])
returns table (source_file_id bigint, row_count bigint, fill_count bigint, reject_count bigint,
  conflict_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  registered ingest.stream;
  target regclass;
  same_key text := ingest.natural_key_condition(p_stream);
  row_counts jsonb;
  filled_field text;
  assignments text;
begin
  select * into strict registered from ingest.stream where stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;

  -- With a row go its fills by whatever file: a later row of the key is another row.
  execute format(
    'with gone as (
       delete from %s t where t.source_file_id = any ($1)
         returning t.source_file_id, %s as natural_key
     ), unfilled as (
       delete from ingest.fill f using gone
         where f.stream = %L and f.natural_key = gone.natural_key and f.source_file_id <> all ($1)
     )
     select jsonb_object_agg(source_file_id, row_count)
       from (select source_file_id, count(*) as row_count from gone group by source_file_id) g',
      target, ingest.natural_key_array(p_stream), p_stream)
    into row_counts using p_files;

  -- What these files filled in rows of others is absent again, and what came along with it. Where a
  -- column cannot be NULL, its empty text or its false is what says "absent". A row that is changed is
  -- no longer what it was digested from.
  for filled_field in
    select distinct f.field from ingest.fill f where f.source_file_id = any (p_files)
  loop
    select string_agg(
        format('%I = %s', a.attname, case
          when not a.attnotnull then 'null'
          when a.atttypid = 'boolean'::regtype then 'false'
          else quote_literal('') end), ', ') || ', row_digest = null'
      into assignments
      from pg_catalog.pg_attribute a
      where a.attrelid = target and (a.attname = filled_field
        or a.attname in (select jsonb_array_elements_text(registered.followers -> filled_field)));
    execute format(
      'update %s t set %s from ingest.fill k
         where k.source_file_id = any ($1) and k.field = $2 and %s', target, assignments, same_key)
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
$$;
revoke execute on function ingest.undo_files(text, bigint[]) from public;
comment on function ingest.undo_files(text, bigint[]) is
  'Takes back the rows, fills, rejects and conflicts of files of one stream, marks them undone, and says how many there were.';
