-- No trigger notes changed facts: each function that updates or deletes facts carries this statement in the same
-- command, with the rows before and after. So facts can also lie in distributed tables, which take no triggers.
create or replace function rollup.note_statement(
  p_stream text, p_rows text, p_notes regclass default 'rollup.touched_row')
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select case when s.time_column is null then format('select from %s r where false', p_rows)
    else format(
      'insert into %s (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
         select %L, r.app_id, %s, r.%I, %s, r.source_file_id, r.line_number, %s from %s r',
      p_notes, s.stream,
      case when s.has_player then 'r.user_id' else 'null' end,
      s.time_column,
      case when s.time_source_column is null then 'true'
        else format('r.%I <> ''load_start''', s.time_source_column) end,
      case when 'payment_seq' = any (s.key_columns) then 'r.payment_seq' else 'null' end,
      p_rows) end
    from ingest.stream s
    where s.stream = p_stream
$$;
comment on function rollup.note_statement is
  'The statement that notes rows of a stream in p_notes, as a rule rollup.touched_row, for the next refresh. p_rows is a table or a subquery in parentheses.';
