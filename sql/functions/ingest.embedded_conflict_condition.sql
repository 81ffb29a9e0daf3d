-- One conflict of a line has refused_row, with the key of the record that the line carried.
create or replace function ingest.embedded_conflict_condition(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select format(
        'exists (
           select 1 from ingest.conflict u
             where u.source_file_id = k.source_file_id and u.line_number = k.line_number
               and (u.refused_row ->> %L in (%s) or u.conflict_id = any ($3)))',
        e.key_columns[1], ingest.embedded_keys_of_user(p_stream))
      from ingest.stream s join ingest.stream e on e.stream = s.embedded_stream
      where s.stream = p_stream),
    'false')
$$;
revoke execute on function ingest.embedded_conflict_condition from public;
comment on function ingest.embedded_conflict_condition is
  'SQL condition that the line of conflict k carries a record of user $1, in application $2 or in all (NULL), which is stored or has one of the conflicts $3; false for a stream whose lines carry none.';
