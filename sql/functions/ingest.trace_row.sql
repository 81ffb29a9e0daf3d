-- A key that the server cannot read is a mistake of the caller, like one of other parts and one without a row.
create or replace function ingest.trace_row(p_stream text, p_natural_key text)
returns table (became text, line text, file bigint, load bigint, loaded timestamptz, "column" text, details text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  parts constant text[] := (select s.key_columns from ingest.stream s where s.stream = p_stream);
  given jsonb;
  found_row record;
begin
  begin
    given := p_natural_key::jsonb;
    if jsonb_typeof(given) <> 'array' or jsonb_array_length(given) <> cardinality(parts) then
      raise exception 'a key of % has these parts, in this order: %', p_stream, array_to_string(parts, ', ')
        using errcode = 'GI064';
    end if;
    execute format(
      'select %s as natural_key, t.source_file_id, t.line_number
         from game.%I t, (select $1 as natural_key offset 0) k where %s',
      ingest.natural_key_array(p_stream, 't'), (select s.target_table from ingest.stream s where s.stream = p_stream),
      ingest.key_condition(p_stream))
      into found_row using given;
  exception when data_exception or program_limit_exceeded then
    raise exception 'that is no key of %: %', p_stream, sqlerrm using errcode = 'GI064';
  end;
  if found_row.natural_key is null then
    raise exception 'there is no row of % with that key', p_stream using errcode = 'GI064';
  end if;
  return query
    select c.became, format('%s:%s', f.path, c.line_number), c.source_file_id, f.load_id, f.loaded_at, c.field, c.details
      from (
        select 'inserted' as became, found_row.source_file_id as source_file_id, found_row.line_number as line_number,
            null as field, null as details, 1 as place, 0::bigint as number
        union all
        select 'filled', k.source_file_id, k.line_number, k.field, null, 2, k.fill_id
          from ingest.fill k where k.stream = p_stream and k.natural_key = found_row.natural_key
        union all
        select 'conflict', k.source_file_id, k.line_number, k.field,
            format('kept %s, refused %s', k.kept, k.refused), 3, k.conflict_id
          from ingest.conflict k where k.stream = p_stream and k.natural_key = found_row.natural_key
        union all
        select 'accepted', k.source_file_id, k.line_number, k.field,
            format('%s instead of %s, by acceptance %s', coalesce(k.after, 'NULL'), coalesce(k.before, 'NULL'),
              k.acceptance_id), 4, k.number
          from ingest.accepted_changes(array(select x.conflict_id from ingest.conflict x
            where x.stream = p_stream and x.natural_key = found_row.natural_key and x.refused_row is not null))
            with ordinality k (conflict_id, acceptance_id, stream, natural_key, field, before, after, source_file_id,
              line_number, number)
      ) c
      join ingest.source_file f using (source_file_id)
      order by c.place, c.number;
end
$$;
comment on function ingest.trace_row is
  'The lines that gave a row its values, in the order of their kinds: the one that inserted it, those that filled or contradicted it, and those whose values were accepted. p_natural_key is a JSON array. Part of trace.';
