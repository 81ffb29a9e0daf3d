create or replace function ingest.find_row(p_stream text, p_natural_key jsonb)
returns table (natural_key jsonb, source_file_id bigint, line_number bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query execute format(
    'select %s, t.source_file_id, t.line_number
       from game.%I t, (select $1 as natural_key offset 0) k where %s',
    ingest.natural_key_array(p_stream, 't'),
    (select s.target_table from ingest.stream s where s.stream = p_stream),
    ingest.natural_key_condition(p_stream))
    using p_natural_key;
end
$$;
revoke execute on function ingest.find_row from public;
comment on function ingest.find_row is
  'The stored row with a natural key, given as in conflicts and fills, with the file and line that brought it. Returns no row when the key is not stored.';
