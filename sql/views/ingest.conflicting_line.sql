create or replace view ingest.conflicting_line with (security_invoker = true) as
select
  c.conflict_id, f.load_id, f.source_file_id, c.stream, f.path, f.canonical_path, f.path || ':' || c.line_number as line,
  c.natural_key, c.field, c.kept, c.refused, a.acceptance_id, a.accepted_by, a.accepted_at
from ingest.conflict c
join ingest.source_file f on f.source_file_id = c.source_file_id
left join ingest.acceptance a on a.acceptance_id = c.acceptance_id
where f.undone_at is null;

comment on view ingest.conflicting_line is
  'One row per column in which a line of a loaded file contradicts a stored row, with the file and the acceptance.';
comment on column ingest.conflicting_line.conflict_id is 'The conflict.';
comment on column ingest.conflicting_line.load_id is 'The run that loaded the file.';
comment on column ingest.conflicting_line.source_file_id is 'The file.';
comment on column ingest.conflicting_line.stream is 'The stream of the stored row.';
comment on column ingest.conflicting_line.path is 'Path of the file, as given.';
comment on column ingest.conflicting_line.canonical_path is 'Path by which the file is recognized; NULL if an older version loaded it.';
comment on column ingest.conflicting_line.line is 'The line, as path:line.';
comment on column ingest.conflicting_line.natural_key is 'Key of the stored row.';
comment on column ingest.conflicting_line.field is 'The column.';
comment on column ingest.conflicting_line.kept is 'The stored value; a token as its digest.';
comment on column ingest.conflicting_line.refused is 'The value of the line; a token as its digest.';
comment on column ingest.conflicting_line.acceptance_id is 'The acceptance in effect; NULL for an open conflict.';
comment on column ingest.conflicting_line.accepted_by is 'The role that accepted it.';
comment on column ingest.conflicting_line.accepted_at is 'Time of the acceptance.';
