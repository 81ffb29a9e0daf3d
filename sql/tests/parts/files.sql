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

-- Rows in few words: each stands in a line of its own or behind "|", with the key and then "name=value" for each
-- column that has not its default value, by its name or a short one; "-" is a row of default values, '' an empty text.
create function pg_temp.in_full(p_stream text, p_rows text) returns jsonb[] language sql as $$
  select array_agg(r.fields order by r.place)
    from (
      select l.place, coalesce(jsonb_object_agg(
          case w.name when 'at' then s.time_column when 'amount' then 'amount_minor' when 'price' then 'price_raw'
            when 'token' then 'purchase_token' when 'digest' then 'purchase_token_sha256'
            when 'source' then 'observed_at_source' when 'store' then 'store_code' when '' then
              case p_stream when 'receipt' then 'payment_seq' when 'event' then 'event_id' else 'user_id' end
            else regexp_replace(w.name, '^(app|user|channel|character|class)$', '\1_id') end,
          case when w.name = 'digest' then '\x' || repeat(w.value, 32) when w.value <> '''''' then w.value else '' end)
          filter (where w.value <> '-'), '{}') as fields
        from ingest.stream s, regexp_split_to_table(btrim(p_rows, E' \n'), '[|\n]') with ordinality l (line, place),
          regexp_matches(l.line, '(?:(\w+)=)?(\S+)', 'g') m,
          lateral (values (coalesce(m[1], ''), m[2])) w (name, value)
        where s.stream = p_stream
        group by l.place) r
$$;
create function pg_temp.load_rows(p_stream text, p_path text, p_rows text) returns bigint language sql as $$
  select pg_temp.load(p_stream, p_path, variadic pg_temp.in_full(p_stream, p_rows))
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
