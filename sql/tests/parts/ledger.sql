-- Included by the parts files.sql and reports.sql: opens and closes files in the ledger.
set client_min_messages = warning;
insert into ingest.load (loader_version) values ('test');

-- Opens a file of a stream, in a run that begins after all times of tests.
create function pg_temp.open_file(p_stream text, p_path text) returns bigint language sql as $$
  select ingest.open_files((select max(load_id) from ingest.load), p_stream, array[p_path],
    null, null, timestamptz '2031-12-31 00:00Z', 'ms', null, 'store', 1, 1, 1, 1)
$$;
-- Closes a file of merged lines and a number of refused ones.
create function pg_temp.close_file(p_file bigint, p_rejected bigint default 0) returns void language sql as $$
  select ingest.close_files(array[p_file], array[sha256(convert_to('file ' || p_file, 'UTF8'))], '{1}',
    array[f.line_count + p_rejected], '{0}', '{0}', array[p_rejected], '{0}', '{0}')
    from ingest.source_file f where f.source_file_id = p_file
$$;
-- The number of a loaded file, by its path.
create function pg_temp.file(p_path text) returns bigint language sql stable as $$
  select source_file_id from ingest.source_file where path = p_path order by source_file_id desc limit 1
$$;
