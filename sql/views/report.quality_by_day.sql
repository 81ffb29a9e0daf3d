create or replace view report.quality_by_day as
select
  q.stream,
  q.app_id,
  q.loaded_on,
  sum(q.line_count)::bigint as line_count,
  sum(q.reject_count)::bigint as reject_count,
  sum(q.conflict_count)::bigint as conflict_count,
  sum(q.unknown_sandbox_count)::bigint as unknown_sandbox_count,
  sum(q.unpriced_count)::bigint as unpriced_count,
  sum(q.free_count)::bigint as free_count,
  sum(q.imprecise_count)::bigint as imprecise_count,
  sum(q.repaired_count)::bigint as repaired_count,
  sum(q.unknown_product_type_count)::bigint as unknown_product_type_count,
  sum(q.untyped_expiry_count)::bigint as untyped_expiry_count,
  sum(q.load_start_count)::bigint as load_start_count
from (
  select
    s.stream,
    s.app_id,
    (f.loaded_at at time zone (select rollup.reporting_zone()))::date as loaded_on,
    s.line_count,
    0 as reject_count,
    0 as conflict_count,
    s.unknown_sandbox_count,
    s.unpriced_count,
    s.free_count,
    s.imprecise_count,
    s.repaired_count,
    s.unknown_product_type_count,
    s.untyped_expiry_count,
    s.load_start_count
  from rollup.file_day s
  join ingest.source_file f on f.source_file_id = s.source_file_id
  union all
  select
    k.stream, k.app_id, (f.loaded_at at time zone (select rollup.reporting_zone()))::date, 0, 0, count(*), 0, 0, 0, 0, 0, 0, 0,
    0
  from rollup.conflict_line k
  join ingest.source_file f on f.source_file_id = k.source_file_id
  group by k.stream, k.app_id, f.source_file_id
  union all
  select
    r.stream, null, r.day, 0, r.reject_count, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from report.reject_by_day r
  union all
  select
    p.stream, p.app_id, (p.counted_at at time zone (select rollup.reporting_zone()))::date, 0, 0, p.conflict_count, 0, 0, 0, 0,
    0, 0, 0, 0
  from ingest.pruned_conflict p
) q
group by q.stream, q.app_id, q.loaded_on;

comment on view report.quality_by_day is
  'One row per stream, application and day on which files were loaded or failed. Refused lines have no application: they are in rows of their own, with app_id NULL. Rows and conflicts are those of the last refresh. Of a failed file only the first 1,000 refused lines are known, and they are gone once the file loads. Lines that retention has removed from the ledger still count.';
comment on column report.quality_by_day.stream is 'The stream; NULL for refused lines of a failed file whose stream is unknown.';
comment on column report.quality_by_day.app_id is 'The application; empty when unknown. NULL for refused lines, and for conflicts whose stored row is gone.';
comment on column report.quality_by_day.loaded_on is 'Day in the reporting zone on which the file was loaded or failed.';
comment on column report.quality_by_day.line_count is 'Standing rows: rows that files of the day brought and that are stored.';
comment on column report.quality_by_day.reject_count is 'Refused lines of loaded and of failed files, including lines that a replay has resolved.';
comment on column report.quality_by_day.conflict_count is 'Lines that contradict a stored row of the application, including accepted ones. Pruned lines count for the application that they had.';
comment on column report.quality_by_day.unknown_sandbox_count is 'Receipts that count as production because they have no sandbox flag.';
comment on column report.quality_by_day.unpriced_count is 'Production receipts without a price.';
comment on column report.quality_by_day.free_count is 'Production receipts with the price 0.';
comment on column report.quality_by_day.imprecise_count is 'Production receipts and items whose price may have lost digits in the vendor''s 32-bit float.';
comment on column report.quality_by_day.repaired_count is 'Rows with a repaired price, or with a text in which a character was replaced.';
comment on column report.quality_by_day.unknown_product_type_count is 'Rows with the product type UNKNOWN, sandbox included.';
comment on column report.quality_by_day.untyped_expiry_count is 'Receipts with an expiry and without a renewable product type, sandbox included. They are in no subscription.';
comment on column report.quality_by_day.load_start_count is 'Snapshots without a time of their own. They are no events.';
