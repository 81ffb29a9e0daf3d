create function ingest.find_row(p_stream text, p_natural_key jsonb)
returns table (natural_key jsonb, source_file_id bigint, line_number bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query execute format(
    'select %s, t.source_file_id, t.line_number
       from game.%I t, (select $1 as natural_key offset 0) k where %s',
    ingest.natural_key_array(p_stream),
    (select s.target_table from ingest.stream s where s.stream = p_stream),
    ingest.natural_key_condition(p_stream))
    using p_natural_key;
end
$$;
comment on function ingest.find_row(text, jsonb) is
  'The row of a natural key, as conflicts and fills name it, with the file and line that brought it; no row: there is none.';

-- Reads the whole table: an index for this would cost every load something.
create function ingest.find_line(p_stream text, p_source_file_id bigint, p_line_number bigint)
returns setof jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query execute format(
    'select %s from game.%I t where t.source_file_id = $1 and t.line_number = $2',
    ingest.natural_key_array(p_stream),
    (select s.target_table from ingest.stream s where s.stream = p_stream))
    using p_source_file_id, p_line_number;
end
$$;
comment on function ingest.find_line(text, bigint, bigint) is
  'The natural key of the row that a line brought; no row: it brought none that is there.';
