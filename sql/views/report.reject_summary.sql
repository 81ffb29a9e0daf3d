create or replace view report.reject_summary as
select distinct on (r.stream, r.code, r.field)
  r.stream,
  r.code,
  r.field,
  count(*) over same as reject_count,
  count(*) filter (where r.resolved_at is null) over same as open_count,
  max(f.loaded_at) over same as last_loaded_at,
  f.path as example_path,
  r.line_number as example_line_number,
  r.reason as example_reason
from ingest.reject r
join ingest.source_file f on f.source_file_id = r.source_file_id
window same as (partition by r.stream, r.code, r.field)
order by r.stream, r.code, r.field, r.source_file_id, r.line_number;

comment on view report.reject_summary is
  'One row per stream, reject code and field, with the first example of it.';
comment on column report.reject_summary.stream is 'Kind of record.';
comment on column report.reject_summary.code is 'Why the lines were refused.';
comment on column report.reject_summary.field is 'The field at fault as the lines spell it; NULL when the whole line is.';
comment on column report.reject_summary.reject_count is 'Lines refused so.';
comment on column report.reject_summary.open_count is 'Those of them that no replay has resolved.';
comment on column report.reject_summary.last_loaded_at is 'When the newest file with such a line was loaded.';
comment on column report.reject_summary.example_path is 'The file of the first such line.';
comment on column report.reject_summary.example_line_number is 'That line, from 1.';
comment on column report.reject_summary.example_reason is 'What was wrong with it.';
