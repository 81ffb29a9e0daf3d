create or replace function staging.count_merged(
  p_stream text, p_source_file_id bigint, p_counts staging.merge_counts)
returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  -- During a load, merged lines are added to line_count. In a replay they are part of it already, as released lines, and
  -- are taken from released_count.
  update ingest.source_file f set
      inserted_count = inserted_count + (p_counts).inserted,
      filled_count = filled_count + (p_counts).filled,
      duplicate_count = duplicate_count + (p_counts).duplicates,
      conflict_count = conflict_count + (p_counts).conflicts,
      line_count = line_count + case when ingest.is_closed(f) then 0 else lines end,
      released_count = released_count - case when ingest.is_closed(f) then lines else 0 end
    from (select (p_counts).inserted + (p_counts).filled + (p_counts).duplicates + (p_counts).conflicts as lines) merged
    where source_file_id = p_source_file_id and stream = p_stream;
  -- Records within the lines of a file are counted apart from the lines.
  insert into ingest.embedded_count as e
      (source_file_id, stream, inserted_count, filled_count, duplicate_count, conflict_count)
    select f.source_file_id, p_stream, (p_counts).inserted, (p_counts).filled, (p_counts).duplicates,
        (p_counts).conflicts
      from ingest.source_file f where f.source_file_id = p_source_file_id and f.stream <> p_stream
    on conflict (source_file_id, stream) do update
      set inserted_count = e.inserted_count + excluded.inserted_count,
        filled_count = e.filled_count + excluded.filled_count,
        duplicate_count = e.duplicate_count + excluded.duplicate_count,
        conflict_count = e.conflict_count + excluded.conflict_count
$$;
comment on function staging.count_merged is
  'Adds the outcomes of a merge to the counts of a file. Part of staging.merge.';
