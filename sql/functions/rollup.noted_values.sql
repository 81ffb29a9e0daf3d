-- The notes of changed, new and dropped rows all have this form.
create or replace function rollup.noted_values(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format('%L, r.app_id, %s, r.%I, %s, r.source_file_id, r.line_number, %s',
      s.stream,
      case when s.has_player then 'r.user_id' else 'null' end,
      s.time_column,
      case when s.time_source_column is null then 'true'
        else format('r.%I <> ''load_start''', s.time_source_column) end,
      case when 'payment_seq' = any (s.key_columns) then 'r.payment_seq' else 'null' end)
    from ingest.stream s
    where s.stream = p_stream
$$;
revoke execute on function rollup.noted_values from public;
comment on function rollup.noted_values is
  'The values, as SQL text, by which a row r of a stream is noted in rollup.touched_row and staging.touched_row.';
