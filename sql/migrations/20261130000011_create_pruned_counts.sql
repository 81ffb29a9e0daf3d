-- `prune` removes old lines of the ledger and counts them here, so that the totals of the reports stay. The quarter of an
-- hour serves every zone, because zones differ from UTC by whole quarters. The number of the file lets an undo take the
-- counts of a file back.
create table ingest.pruned_reject (
  source_file_id bigint references ingest.source_file,
  counted_at timestamptz not null,
  stream text collate "C",
  code text collate "C" not null,
  field text,
  reject_count bigint not null check (reject_count >= 1),
  open_count bigint not null,
  constraint pruned_reject_once unique nulls not distinct (source_file_id, counted_at, stream, code, field),
  constraint pruned_reject_at_quarter check (extract(epoch from counted_at) % 900 = 0),
  constraint pruned_reject_open check (open_count between 0 and reject_count)
);
alter table ingest.pruned_reject replica identity full;
comment on table ingest.pruned_reject is
  'One row per file, quarter of an hour, stream, reject code and field with pruned lines. Written by: ingest.prune.';
comment on column ingest.pruned_reject.source_file_id is 'The file of the lines; NULL for lines of failed files.';
comment on column ingest.pruned_reject.counted_at is 'Start of the quarter of an hour in which the file was loaded or failed.';
comment on column ingest.pruned_reject.stream is 'The stream of the lines; NULL when the stream of a failed file is unknown.';
comment on column ingest.pruned_reject.code is 'Reject code; see ingest.reject.code.';
comment on column ingest.pruned_reject.field is 'The field at fault, as spelled in the lines; NULL when the whole line is at fault.';
comment on column ingest.pruned_reject.reject_count is 'Refused lines that were pruned.';
comment on column ingest.pruned_reject.open_count is 'Lines among them that no replay had resolved.';

create table ingest.pruned_conflict (
  source_file_id bigint not null references ingest.source_file,
  counted_at timestamptz not null,
  stream text collate "C" not null,
  app_id text collate "C",
  conflict_count bigint not null check (conflict_count >= 1),
  constraint pruned_conflict_once unique nulls not distinct (source_file_id, counted_at, stream, app_id),
  constraint pruned_conflict_at_quarter check (extract(epoch from counted_at) % 900 = 0)
);
alter table ingest.pruned_conflict replica identity full;
comment on table ingest.pruned_conflict is
  'One row per file, quarter of an hour, stream and application with pruned lines that contradicted a stored row. Written by: ingest.prune.';
comment on column ingest.pruned_conflict.source_file_id is 'The file of the lines.';
comment on column ingest.pruned_conflict.counted_at is 'Start of the quarter of an hour in which the file was loaded.';
comment on column ingest.pruned_conflict.stream is 'The stream of the stored rows.';
comment on column ingest.pruned_conflict.app_id is
  'Application of the stored rows when the lines were pruned; NULL when the rows were gone.';
comment on column ingest.pruned_conflict.conflict_count is 'Lines that were pruned.';
