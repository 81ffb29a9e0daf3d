create or replace function ingest.brings_rows_of(p_file_stream text, p_stream text) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select p_file_stream = p_stream
    or exists (select 1 from ingest.stream s where s.stream = p_file_stream and s.embedded_stream = p_stream)
$$;
comment on function ingest.brings_rows_of is
  'True when a file of the first stream can bring rows of the second: its own, or those of records within its lines.';
