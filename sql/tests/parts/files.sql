-- Included by tests: loads test lines through the same functions as the loader.
set client_min_messages = warning;
insert into ingest.load (loader_version) values ('test');

-- Opens a file of a stream in the ledger.
create function pg_temp.open_file(p_stream text, p_path text) returns bigint language sql as $$
  select ingest.open_files((select max(load_id) from ingest.load), p_stream, array[p_path],
    null, null, timestamptz '2031-12-31 00:00Z', 'ms', null, 'store', 1, 1, 1, 1)
$$;

-- Stages lines of a file. A line is a JSON object of columns; missing columns have default values.
create function pg_temp.stage(p_stream text, p_file bigint, variadic p_lines jsonb[]) returns void
language plpgsql as $$
declare
  defaults jsonb := case p_stream
    when 'receipt' then '{"payment_seq": "p", "app_id": "", "user_id": "u", "currency": "KRW",
      "purchased_at": "2031-02-03 04:05:06+00", "price_repaired": false, "price_imprecise": false}'
    when 'level_up' then '{"leveled_up_at": "2031-02-03 04:05:06+00", "app_id": "", "user_id": "u", "user_level": 1}'
    when 'event' then '{"occurred_at": "2031-02-03 04:05:06+00", "app_id": "", "event_id": "e", "category": "x",
      "event_group": "other"}'
    else '{"observed_at": "2031-02-03 04:05:06+00", "app_id": "", "user_id": "u", "channel_id": "", "user_level": 1}'
    end::jsonb || jsonb_build_object('text_repaired', false, 'source_file_id', p_file);
begin
  perform staging.open(p_stream);
  execute format(
    'insert into pg_temp.%1$I select (jsonb_populate_record(null::pg_temp.%1$I,
         jsonb_build_object(''line_number'', l.number, ''row_digest'', md5(l.line::text)) || $1 || l.line)).*
       from unnest($2) with ordinality l (line, number)', 'staging_' || p_stream)
    using defaults, p_lines;
end
$$;

-- Closes a file of merged lines and a number of refused ones.
create function pg_temp.close_file(p_file bigint, p_rejected bigint default 0) returns void language sql as $$
  select ingest.close_files(array[p_file], array[sha256(convert_to('file ' || p_file, 'UTF8'))], '{1}',
    array[f.line_count + p_rejected], '{0}', '{0}', array[p_rejected], '{0}', '{0}')
    from ingest.source_file f where f.source_file_id = p_file
$$;

-- Opens, stages, merges and closes.
create function pg_temp.load(p_stream text, p_path text, variadic p_lines jsonb[]) returns bigint
language plpgsql as $$
declare
  file bigint := pg_temp.open_file(p_stream, p_path);
begin
  perform pg_temp.stage(p_stream, file, variadic p_lines);
  perform staging.merge(p_stream, file);
  perform pg_temp.close_file(file);
  return file;
end
$$;

-- The number of a loaded file, by its path.
create function pg_temp.file(p_path text) returns bigint language sql stable as $$
  select source_file_id from ingest.source_file where path = p_path order by source_file_id desc limit 1
$$;

-- The month of the test lines, and the next one.
select ingest.ensure_partition(stream, month) from unnest(array['level_up', 'game_user', 'event']) stream,
  unnest(array['2031-02-01', '2031-03-01']::date[]) month \g /dev/null

-- The rows of a query as text, in their order.
create function pg_temp.rows(p_query text) returns text language plpgsql as $$
declare
  one record;
  found text[] := '{}';
begin
  for one in execute p_query loop
    found := found || one::text;
  end loop;
  return array_to_string(found, ' ');
end
$$;
