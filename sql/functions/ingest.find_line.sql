-- Scans the whole table, because an index for this would slow down every load.
create or replace function ingest.find_line(p_stream text, p_source_file_id bigint, p_line_number bigint)
returns setof jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query execute format(
    'select %s from game.%I t where t.source_file_id = $1 and t.line_number = $2',
    ingest.natural_key_array(p_stream, 't'),
    (select s.target_table from ingest.stream s where s.stream = p_stream))
    using p_source_file_id, p_line_number;
end
$$;
comment on function ingest.find_line is
  'The natural key of the row that a line brought. Returns no row when the line brought none or the row is gone.';
