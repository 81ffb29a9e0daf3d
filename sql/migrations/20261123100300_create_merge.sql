create type staging.merge_counts as (
  inserted bigint, filled bigint, duplicates bigint, conflicts bigint);
comment on type staging.merge_counts is 'Outcome counts of one merge. They add up to the number of staged rows.';

create table ingest.fill (
  fill_id bigint generated always as identity primary key,
  stream text collate "C" not null,
  natural_key jsonb not null,
  field text not null,
  source_file_id bigint not null references ingest.source_file deferrable initially deferred,
  line_number bigint not null
);
create index fill_source_file on ingest.fill (source_file_id, line_number);
comment on table ingest.fill is
  'One row per NULL column of a stored row that a later line filled. An undo of the later line''s file takes the value back.';
comment on column ingest.fill.fill_id is 'Number of the fill.';
comment on column ingest.fill.stream is 'The stream of the row.';
comment on column ingest.fill.natural_key is 'Key of the filled row, as a JSON array of the key columns'' values.';
comment on column ingest.fill.field is 'The column that was filled.';
comment on column ingest.fill.source_file_id is 'The file of the line that supplied the value.';
comment on column ingest.fill.line_number is 'Number of the line that supplied the value, from 1.';
