-- Names of undone files count as known, because they were reported already.
create or replace function ingest.new_fields(p_stream text, p_files bigint[])
returns table (source_file_id bigint, field text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  -- In PL/pgSQL with one plan for the session: planning would cost a file more than the query. The plan can be made
  -- while the tables are empty, so it must be one of look-ups.
  return query
    select u.source_file_id, u.field
      from ingest.unknown_field u
      left join lateral (
        -- One look-up by the name for each, the newest file first: the planner might else read the whole table.
        select true as is_known
          from ingest.unknown_field o join ingest.source_file f using (source_file_id)
          where o.field = u.field and o.source_file_id < u.source_file_id and f.stream = p_stream
          order by o.source_file_id desc
          limit 1
      ) k on true
      where u.source_file_id = any (p_files) and u.field is not null and k.is_known is null
      order by u.source_file_id, u.first_line_number, u.field;
end
$$;
comment on function ingest.new_fields is
  'The names of fields that files of a stream have and no file before them, in the order of their first lines. Names that a file counts together are left out.';
