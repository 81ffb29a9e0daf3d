create or replace function staging.count_merged(p_source_file_id bigint, p_counts staging.merge_counts)
returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  update ingest.source_file set
      inserted_count = inserted_count + (p_counts).inserted,
      filled_count = filled_count + (p_counts).filled,
      duplicate_count = duplicate_count + (p_counts).duplicates,
      conflict_count = conflict_count + (p_counts).conflicts,
      line_count = line_count + (p_counts).inserted + (p_counts).filled + (p_counts).duplicates
        + (p_counts).conflicts
    where source_file_id = p_source_file_id
$$;
revoke execute on function staging.count_merged(bigint, staging.merge_counts) from public;
comment on function staging.count_merged(bigint, staging.merge_counts) is
  'Adds the outcomes of a merge to the counts of a file; part of staging.merge.';
