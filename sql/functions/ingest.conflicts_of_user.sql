-- A refused line that names the user belongs to the user, even when it contradicts another user's row. The
-- application of the line is the one that it names, else that of the row; when both are missing, any application
-- matches. For lines that an older version refused, only the contradicting values are stored.
--
-- A refused event belongs to the user of its receipt, too. The receipt is a row of the user, or has itself a conflict.
create or replace function ingest.conflicts_of_user(p_user_id text, p_app_id text) returns setof bigint
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
  target regclass;
  carries text;         -- the line of conflict k carries a record of the user, which is stored or has a conflict in $3
  found_conflicts bigint[] := '{}';
begin
  -- The receipts come before the events that carry them.
  for registered in select * from ingest.stream order by embedded_stream nulls first, stream loop
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
      registered.stream, ingest.user_key_condition(registered.stream), target,
      ingest.key_condition(registered.stream), coalesce(carries, 'false'))
      into found_conflicts using p_user_id, p_app_id, found_conflicts;
  end loop;
  return query select unnest(found_conflicts);
end
$$;
comment on function ingest.conflicts_of_user is
  'The conflicts of a user''s rows and lines, in one application or in all (NULL).';
