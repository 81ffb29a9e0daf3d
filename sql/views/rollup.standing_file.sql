create or replace view rollup.standing_file as
select
  f.source_file_id,
  f.stream,
  f.app_id,
  f.line_count,
  f.load_start_count,
  f.unknown_sandbox_count,
  f.unpriced_count,
  f.free_count,
  f.imprecise_count,
  f.repaired_count,
  f.unknown_product_type_count,
  f.untyped_expiry_count,
  f.first_event_at,
  f.newest_event_at
from rollup.file f
where not exists (select 1 from rollup.pending_file p where p.source_file_id = f.source_file_id)
union all
select
  p.source_file_id,
  p.stream,
  p.app_id,
  p.line_count,
  p.load_start_count,
  p.unknown_sandbox_count,
  p.unpriced_count,
  p.free_count,
  p.imprecise_count,
  p.repaired_count,
  p.unknown_product_type_count,
  p.untyped_expiry_count,
  p.first_event_at,
  p.newest_event_at
from rollup.pending_counts() p;

comment on view rollup.standing_file is
  'One row per file, stream and application with standing rows: rows that the file brought and that are stored. Files loaded since the last refresh are included.';
comment on column rollup.standing_file.source_file_id is 'Number of the file.';
comment on column rollup.standing_file.stream is 'The stream of the rows.';
comment on column rollup.standing_file.app_id is 'The application; empty when unknown.';
comment on column rollup.standing_file.line_count is 'Standing rows.';
comment on column rollup.standing_file.load_start_count is 'Rows without a time of their own (load_start). They are no events.';
comment on column rollup.standing_file.unknown_sandbox_count is 'Receipts without a sandbox flag. They count as production.';
comment on column rollup.standing_file.unpriced_count is 'Production receipts without a price.';
comment on column rollup.standing_file.free_count is 'Production receipts with the price 0.';
comment on column rollup.standing_file.imprecise_count is 'Production receipts and items with a price that a 32-bit float may not have held exactly.';
comment on column rollup.standing_file.repaired_count is 'Rows with a repaired price or text.';
comment on column rollup.standing_file.unknown_product_type_count is 'Rows with the product type UNKNOWN.';
comment on column rollup.standing_file.untyped_expiry_count is 'Receipts with an expiry and without a renewable product type.';
comment on column rollup.standing_file.first_event_at is 'Time of the first event; NULL without an event.';
comment on column rollup.standing_file.newest_event_at is 'Time of the newest event; NULL without an event.';
