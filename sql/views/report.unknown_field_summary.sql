create or replace view report.unknown_field_summary as
select
  f.stream,
  u.field,
  sum(u.line_count)::bigint as line_count,
  count(*) as file_count,
  min(f.loaded_at) as first_loaded_at,
  max(f.loaded_at) as last_loaded_at,
  (array_agg(f.path order by f.source_file_id))[1] as example_path,
  (array_agg(u.first_line_number order by f.source_file_id))[1] as example_line_number
from ingest.unknown_field u
join ingest.source_file f on f.source_file_id = u.source_file_id
where f.undone_at is null
group by f.stream, u.field;

comment on view report.unknown_field_summary is
  'One row per stream and field name that the stream does not declare: a new field of the vendor, or a misspelled name.';
comment on column report.unknown_field_summary.field is 'Field name, as spelled in the lines; NULL stands for names beyond the first 1,000 of a file and names longer than 256 bytes.';
comment on column report.unknown_field_summary.line_count is 'Lines with the field.';
comment on column report.unknown_field_summary.file_count is 'Files with the field.';
comment on column report.unknown_field_summary.first_loaded_at is 'Load time of the first file with the field.';
comment on column report.unknown_field_summary.last_loaded_at is 'Load time of the last file with the field.';
comment on column report.unknown_field_summary.example_path is 'Path of the first file with the field.';
comment on column report.unknown_field_summary.example_line_number is 'Number of the first line with the field in that file, from 1.';
