-- SECURITY DEFINER: the loader role can neither change nor empty a stored reject. Of a NULL list the ledger refuses the count.
--
-- The order of replays and loads decides which files may have merged with which rows. The order comes from the sequence that
-- numbers files, because a clock can step back.
create or replace function ingest.resolve_rejects(
  p_source_file_id bigint, p_loaded bigint[], p_suppressed bigint[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  place bigint := nextval('ingest.source_file_source_file_id_seq');
  resolved bigint;
begin
  perform ingest.require_open_files(array[p_source_file_id]);
  update ingest.reject set resolved_at = clock_timestamp(), resolved_order = place,
      -- Nothing of an erased user is kept.
      raw = case when reject_id = any (p_suppressed) then '' else raw end,
      user_id = case when reject_id = any (p_suppressed) then null else user_id end
    where source_file_id = p_source_file_id and resolved_at is null
      and (reject_id = any (p_loaded)
        -- Without tombstones there is nothing to suppress, so a loader cannot empty a reject.
        or reject_id = any (p_suppressed) and exists (select 1 from ingest.erased_user));
  get diagnostics resolved = row_count;
  if resolved <> cardinality(p_loaded) + cardinality(p_suppressed) then
    raise exception 'some of the rejects are not open or do not belong to file %', p_source_file_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  update ingest.source_file
    set rejected_count = rejected_count - resolved, released_count = released_count + cardinality(p_loaded),
      suppressed_count = suppressed_count + cardinality(p_suppressed)
    where source_file_id = p_source_file_id;
end
$$;
comment on function ingest.resolve_rejects is
  'Marks refused lines of a reopened file as loaded, which releases them for a new outcome, or as suppressed.';
