create or replace view report.reject_summary as
select
  g.stream,
  g.code,
  g.field,
  g.reject_count,
  g.open_count,
  g.last_loaded_at,
  f.path as example_path,
  e.line_number as example_line_number,
  e.reason as example_reason
from (
  select
    c.stream,
    c.code,
    c.field,
    sum(c.reject_count)::bigint as reject_count,
    sum(c.open_count)::bigint as open_count,
    max(c.last_loaded_at) as last_loaded_at,
    min(c.first_file_id) as first_file_id
  from (
    select
      r.stream,
      r.code,
      r.field,
      count(*) as reject_count,
      count(*) filter (where r.resolved_at is null) as open_count,
      max(f.loaded_at) as last_loaded_at,
      min(r.source_file_id) as first_file_id
    from ingest.reject r
    join ingest.source_file f on f.source_file_id = r.source_file_id
    group by r.stream, r.code, r.field
    union all
    select p.stream, p.code, p.field, p.reject_count, p.open_count, f.loaded_at, null
    from ingest.pruned_reject p
    join ingest.source_file f on f.source_file_id = p.source_file_id
  ) c
  group by c.stream, c.code, c.field
) g
left join ingest.source_file f on f.source_file_id = g.first_file_id
left join lateral (
  select r.line_number, r.reason
  from ingest.reject r
  where r.source_file_id = g.first_file_id
    and r.stream = g.stream
    and r.code = g.code
    and r.field is not distinct from g.field
  order by r.line_number
  limit 1
) e on true;

comment on view report.reject_summary is
  'One row per stream, reject code and field, with the first such line that is stored as an example. Lines that retention has removed from the ledger still count.';
comment on column report.reject_summary.code is 'Reject code; see ingest.reject.code.';
comment on column report.reject_summary.reject_count is 'Refused lines, including resolved ones.';
comment on column report.reject_summary.open_count is 'Refused lines that no replay has resolved.';
comment on column report.reject_summary.last_loaded_at is 'Load time of the last loaded file with such a line.';
comment on column report.reject_summary.example_path is 'Path of the file with the first stored line; NULL when retention has removed all of them.';
comment on column report.reject_summary.example_line_number is 'Number of that line in the file, from 1; NULL like example_path.';
comment on column report.reject_summary.example_reason is 'Reason in words for the refusal of that line; NULL like example_path.';
