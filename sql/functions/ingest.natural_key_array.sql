create or replace function ingest.natural_key_array(p_stream text, p_row text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format('jsonb_build_array(%s)',
      string_agg(format('%s.%I', p_row, key.name), ', ' order by key.position))
    from ingest.stream s, unnest(s.key_columns) with ordinality key (name, position)
    where s.stream = p_stream
$$;
comment on function ingest.natural_key_array is
  'SQL expression for the natural_key array of a row of a stream''s table. p_row is the row''s alias in the query. Times print in the session''s time zone.';
