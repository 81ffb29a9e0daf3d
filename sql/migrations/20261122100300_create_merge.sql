create type staging.merge_counts as (
  inserted bigint, filled bigint, duplicates bigint, conflicts bigint);
comment on type staging.merge_counts is 'What became of the rows of one merge; the four add up to them.';

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
  'One row per column that a later line supplied for a row in which it was NULL; what undo takes back.';
comment on column ingest.fill.fill_id is 'Number of the fill.';
comment on column ingest.fill.stream is 'Kind of record.';
comment on column ingest.fill.natural_key is 'JSON array of the key columns'' values: which row was filled.';
comment on column ingest.fill.field is 'The column that was NULL.';
comment on column ingest.fill.source_file_id is 'The file whose line supplied the value.';
comment on column ingest.fill.line_number is 'The line that supplied it, from 1.';
