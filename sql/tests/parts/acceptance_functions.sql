-- Included by tests after files.sql: ingest.accept_conflicts with its result as one text.
create function pg_temp.accept(
  p_streams text[] default '{receipt}', p_file text default null, p_load bigint default null,
  p_stream text default null, p_key jsonb default null, p_field text default null)
returns text language sql as $$
  select concat_ws(' ', case when a.acceptance_id is null then 'nothing' else 'accepted' end,
      line_count, row_count, value_count, rowless_count, foreign_count, incomplete_count, superseded_count)
    from ingest.accept_conflicts(p_streams, p_file, p_load, p_stream, p_key, p_field) a
$$;
