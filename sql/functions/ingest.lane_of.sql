-- Two streams share a lane when a file of one can bring rows of the other. Files of a lane are loaded one after another,
-- and an undo looks for dependent files in all its streams.
create or replace function ingest.lane_of(p_stream text) returns text[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select array_agg(s.stream order by s.stream)
    from ingest.stream s, ingest.stream own
    where own.stream = p_stream
      and (s.stream = own.stream or s.stream = own.embedded_stream or s.embedded_stream = own.stream)
$$;
revoke execute on function ingest.lane_of from public;
comment on function ingest.lane_of is
  'The streams whose files can bring rows of the same tables as files of a stream, in the order of their names.';
