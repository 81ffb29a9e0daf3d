-- A refused line that names the user belongs to the user, even when it contradicts another user's row. The
-- application of the line is the one that it names, else that of the row; when both are missing, any application
-- matches. For lines that an older version refused, only the contradicting values are stored.
--
-- A refused event belongs to the user of its receipt, too. The receipt is a row of the user, or has itself a conflict.
--
-- Fills and loaded values belong to the user of their row. No acceptance changes the user of a row.
create or replace function ingest.records_of_user(p_user_id text, p_app_id text)
returns table (place text, number bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
  target regclass;
  of_row text;          -- the natural_key of k is that of a row of the user
  carries text;         -- the line of conflict k carries a record of the user, which is stored or has a conflict in $3
  found_conflicts bigint[] := '{}';
begin
  -- The receipts come before the events that carry them.
  for registered in select * from ingest.stream order by embedded_stream nulls first, stream loop
    of_row := case
      when not registered.has_user then 'false'
      when registered.key_columns @> '{user_id,app_id}' then
        format('(k.natural_key ->> %s = $1 and ($2::text is null or k.natural_key ->> %s = $2))',
          array_position(registered.key_columns, 'user_id') - 1, array_position(registered.key_columns, 'app_id') - 1)
      else format('k.natural_key in (select %s from game.%I t where %s)', ingest.natural_key_array(registered.stream, 't'),
        registered.target_table, ingest.condition_of_user(registered.stream)) end;
    target := staging.borrow(registered.stream, ingest.recorded_keys(registered.stream, format(
      '(select natural_key from ingest.conflict
         where stream = %1$L and (refused_row ->> ''user_id'' = %2$L or field = ''user_id'' and %2$L in (kept, refused)))',
      registered.stream, p_user_id)));
    -- One conflict of a line has refused_row, with the key of the record that the line carried.
    carries := (
      select format(
          'exists (
             select 1 from ingest.conflict u
               where u.source_file_id = k.source_file_id and u.line_number = k.line_number
                 and (u.refused_row ->> %L in (%s) or u.conflict_id = any ($3)))',
          e.key_columns[1], ingest.embedded_keys_of_user(registered.stream))
        from ingest.stream e where e.stream = registered.embedded_stream);
    execute format(
      'select $3 || array(select k.conflict_id from ingest.conflict k
         where k.stream = %1$L and (%2$s or %5$s or exists (
           select 1 from ingest.conflict u
             where u.stream = k.stream and u.source_file_id = k.source_file_id
               and u.line_number = k.line_number
               and (u.refused_row ->> ''user_id'' = $1
                   and ($2::text is null or $2 = coalesce(u.refused_row ->> ''app_id'',
                     (select nullif(t.app_id, '''') from %3$s t where %4$s), $2))
                 or u.field = ''user_id'' and u.kept = $1 and $2::text is null
                 or u.field = ''user_id'' and u.refused = $1
                   and not exists (select 1 from ingest.conflict r
                     where r.stream = u.stream and r.source_file_id = u.source_file_id
                       and r.line_number = u.line_number and r.refused_row is not null)
                   and ($2::text is null or $2 = coalesce(
                     (select a.refused from ingest.conflict a where a.source_file_id = k.source_file_id
                       and a.line_number = k.line_number and a.field = ''app_id''),
                     (select nullif(t.app_id, '''') from %3$s t where %4$s), $2))))))',
      registered.stream, of_row, target, ingest.key_condition(registered.stream), coalesce(carries, 'false'))
      into found_conflicts using p_user_id, p_app_id, found_conflicts;
    return query execute format(
      'select ''ingest.fill'', k.fill_id from ingest.fill k where k.stream = %1$L and %2$s
       union all
       select ''ingest.overlaid_row'', k.overlaid_row_id from ingest.overlaid_row k where k.stream = %1$L and %2$s',
      registered.stream, of_row) using p_user_id, p_app_id;
  end loop;
  return query select 'ingest.conflict', unnest(found_conflicts);
end
$$;
comment on function ingest.records_of_user is
  'The conflicts of a user''s rows and lines, and the fills and loaded values of the rows, in one application or in all (NULL): each by its table and number.';
