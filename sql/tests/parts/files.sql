-- Included by tests: loads test lines through the same functions as the loader.
\ir ledger.sql

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
