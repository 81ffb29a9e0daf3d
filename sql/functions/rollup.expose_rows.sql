-- Times in a natural key print in the zone of the session.
create or replace function rollup.expose_rows(p_stream text, p_fields text[], p_condition text, p_files bigint[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  execute format(
    'insert into rollup.exposed_field (stream, source_file_id, line_number, field, natural_key, value)
       select %1$L, r.source_file_id, r.line_number, f.field, %2$s, v.value
         from game.%3$I r
         cross join unnest($1) f (field)
         cross join lateral (
           select case when r.extra::text like %5$L then rollup.readable_member(r.extra, f.field)
             else r.extra ->> f.field end as value) v
         where (%4$s) and v.value is not null
       -- A row inserted by hand can have the file and line of another one.
       on conflict do nothing',
    p_stream, ingest.natural_key_array(p_stream, 'r'),
    (select s.target_table from ingest.stream s where s.stream = p_stream), p_condition, '%\\u%')
    using p_fields, p_files;
end
$$;
revoke execute on function rollup.expose_rows from public;
comment on function rollup.expose_rows is
  'Copies the values of fields from the rows r of a stream that meet an SQL condition, in which $2 is the array of files, to rollup.exposed_field. Part of rollup.refresh_exposed_fields.';
