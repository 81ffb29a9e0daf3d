-- Included by tests after files.sql: ingest.accept_conflicts with its result as one text.
create function pg_temp.accept(
  p_streams text[] default '{receipt}', p_file text default null, p_load bigint default null,
  p_stream text default null, p_key jsonb default null, p_field text default null)
returns text language sql as $$
  select concat_ws(' ', case when a.acceptance_id is null then 'nothing' else 'accepted' end,
      line_count, row_count, value_count, rowless_count, foreign_count, incomplete_count, superseded_count)
    from ingest.accept_conflicts(array(
      select c.conflict_id from ingest.conflict c join ingest.source_file f using (source_file_id)
        where c.stream = any (p_streams) and c.acceptance_id is null
          and (p_file is null or source_file_id in (select ingest.files_called(p_file, null)))
          and (p_load is null or f.load_id = p_load) and (p_stream is null or c.stream = p_stream)
          and (p_key is null or c.natural_key = p_key) and (p_field is null or c.field = p_field)),
      p_file, p_load, p_stream, p_field, p_key is not null) a
$$;
