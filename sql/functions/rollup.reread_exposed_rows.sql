-- Only rows that the reports contain: rows of other files are noted, too.
create or replace function rollup.reread_exposed_rows() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  touched record;
begin
  for touched in
    select k.stream, k.fields, array_agg(distinct t.source_file_id) as files, s.source_file_id as newest
      from (select stream, array_agg(field) as fields from rollup.read_field group by stream) k
      join rollup.refresh_state s on s.stream = k.stream
      join staging.touched_row t on t.stream = k.stream and t.source_file_id <= s.source_file_id
      group by k.stream, k.fields, s.source_file_id
  loop
    delete from rollup.exposed_field e
      using staging.touched_row t
      where e.stream = touched.stream and t.stream = touched.stream and t.source_file_id = e.source_file_id
        and t.line_number = e.line_number;
    perform rollup.expose_rows(touched.stream, touched.fields,
      format('r.source_file_id = any ($2) and (r.source_file_id, r.line_number) in (
          select t.source_file_id, t.line_number from staging.touched_row t where t.stream = %L)', touched.stream),
      touched.files);
  end loop;
end
$$;
revoke execute on function rollup.reread_exposed_rows from public;
comment on function rollup.reread_exposed_rows is
  'Copies the exposed fields of changed rows again, and removes those of deleted rows. Part of rollup.refresh_exposed_fields and rollup.forget_user.';
