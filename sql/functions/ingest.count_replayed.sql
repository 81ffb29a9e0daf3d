-- A replay gives new outcomes only to lines that ingest.resolve_rejects has released.
create or replace function ingest.count_replayed(
  p_source_file_id bigint, p_inserted bigint, p_duplicates bigint)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_files(array[p_source_file_id]);
  update ingest.source_file f set
      inserted_count = inserted_count + p_inserted, duplicate_count = duplicate_count + p_duplicates,
      released_count = released_count - p_inserted - p_duplicates
    where source_file_id = p_source_file_id and ingest.is_closed(f)
      and p_inserted >= 0 and p_duplicates >= 0;
  if not found then
    raise exception 'file % was not reopened, or a count is negative', p_source_file_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;
comment on function ingest.count_replayed is
  'Counts the new outcomes of a reopened file''s released lines that went through no merge.';
