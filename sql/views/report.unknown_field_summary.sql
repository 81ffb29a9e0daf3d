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
  'One row per stream and field name that the loader does not know: what the vendor added, or a name that was misspelled.';
comment on column report.unknown_field_summary.stream is 'Kind of record.';
comment on column report.unknown_field_summary.field is 'The name as lines spell it; NULL stands for names that were too many or too long to count one by one.';
comment on column report.unknown_field_summary.line_count is 'Lines that have it.';
comment on column report.unknown_field_summary.file_count is 'Files that have it.';
comment on column report.unknown_field_summary.first_loaded_at is 'When the first of these files was loaded: since when the field is there.';
comment on column report.unknown_field_summary.last_loaded_at is 'When the last of them was loaded.';
comment on column report.unknown_field_summary.example_path is 'The first of these files.';
comment on column report.unknown_field_summary.example_line_number is 'Its first line with the field.';
