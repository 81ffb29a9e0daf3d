-- A line as long as the limit of its table may have been cut, and a line that is too long was read only in part. An
-- object, in which a field is at fault, ends with its brace, unless it was cut before the name of a token.
create or replace view ingest.refused_line with (security_invoker = true) as
select
  r.status, r.load_id, r.source_file_id, r.failed_file_id, r.reject_id, r.stream, r.path, r.canonical_path,
  r.path || ':' || r.line_number as line, r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw,
  r.raw_byte_count, r.resolved_at,
  octet_length(r.raw) between 1 and r.longest_raw - 1 and r.code <> 'line_too_long'
    and (r.field is null or rtrim(r.raw, '\x20090d'::bytea) like '%}'::bytea) as is_whole,
  concat_ws(' ', '--stream ' || r.stream,
    '--app-id ''' || replace(r.app_id, '''', '''\''''') || '''',
    '--unwrap ''' || replace(r.unwrap_field, '''', '''\''''') || '''',
    case when s.time_source_column is not null
      then '--observed-at ' || to_char(r.observed_at at time zone 'UTC', '''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"''') end,
    '--time-unit ' || nullif(r.time_unit, 'ms')) as load_options
from (
  select
    'loaded' as status, f.load_id, f.source_file_id, null::bigint as failed_file_id, r.reject_id, r.stream, f.path,
    f.canonical_path, r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw, r.raw_byte_count, r.resolved_at,
    65536 as longest_raw, f.app_id, f.time_unit, f.unwrap_field, coalesce(f.observed_at, f.as_of) as observed_at
  from ingest.reject r
  join ingest.source_file f on f.source_file_id = r.source_file_id
  where f.undone_at is null
  union all
  select
    'failed', f.load_id, null, f.failed_file_id, null, f.stream, f.path,
    f.canonical_path, r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw, r.raw_byte_count, null,
    4096, null, null, null, null
  from ingest.failed_reject r
  join ingest.failed_file f on f.failed_file_id = r.failed_file_id
  join ingest.failure_state d on d.failed_file_id = f.failed_file_id
  where d.dismissed_at is null
) r
left join ingest.stream s on s.stream = r.stream;

comment on view ingest.refused_line is
  'One row per refused line of a loaded file, and per kept line of a file whose failure is open, with the file.';
comment on column ingest.refused_line.status is 'Outcome of the file: loaded or failed.';
comment on column ingest.refused_line.load_id is 'The run that loaded the file, or in which it failed.';
comment on column ingest.refused_line.source_file_id is 'The loaded file; NULL for a failed one.';
comment on column ingest.refused_line.failed_file_id is 'The failure; NULL for a loaded file.';
comment on column ingest.refused_line.reject_id is 'Number of the refused line; NULL in a failed file.';
comment on column ingest.refused_line.stream is 'Its stream.';
comment on column ingest.refused_line.path is 'Path of the file, as given.';
comment on column ingest.refused_line.canonical_path is 'Path by which the file is recognized; NULL if an older version recorded it.';
comment on column ingest.refused_line.line is 'The line, as path:line.';
comment on column ingest.refused_line.line_number is 'Number of the line in the file, from 1.';
comment on column ingest.refused_line.byte_offset is 'Offset of its first byte in the decoded file, from 0.';
comment on column ingest.refused_line.code is 'Reject code; see ingest.reject.code.';
comment on column ingest.refused_line.field is 'The field at fault, as the line spells it; NULL when the whole line is.';
comment on column ingest.refused_line.reason is 'The reason in words.';
comment on column ingest.refused_line.raw is 'Its bytes; see ingest.reject.raw.';
comment on column ingest.refused_line.raw_byte_count is 'Length of the line in bytes.';
comment on column ingest.refused_line.resolved_at is 'Time of the replay that loaded or suppressed the line; NULL while it is open.';
comment on column ingest.refused_line.is_whole is 'False for a line that may have been cut, or is kept without its bytes; it cannot be replayed.';
comment on column ingest.refused_line.load_options is 'The options of load that give the line the meaning it had; of a failed file only its stream is known.';
