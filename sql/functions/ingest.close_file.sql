-- SECURITY DEFINER: see ingest.open_file. What merges did is counted already; the caller adds what it
-- did without them. The table's own check refuses counts that do not add up to the lines.
create or replace function ingest.close_file(
  p_source_file_id bigint, p_sha256 bytea, p_byte_count bigint, p_line_count bigint,
  p_inserted bigint, p_duplicates bigint, p_rejected bigint, p_suppressed bigint, p_blank bigint)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_file(stream, source_file_id)
    from ingest.source_file where source_file_id = p_source_file_id;
  update ingest.source_file set sha256 = coalesce(p_sha256, sha256),
      byte_count = coalesce(p_byte_count, byte_count), line_count = p_line_count,
      inserted_count = inserted_count + p_inserted, duplicate_count = duplicate_count + p_duplicates,
      rejected_count = rejected_count + p_rejected, suppressed_count = suppressed_count + p_suppressed,
      blank_count = blank_count + p_blank
    where source_file_id = p_source_file_id
      and p_inserted >= 0 and p_duplicates >= 0 and p_rejected >= 0 and p_suppressed >= 0 and p_blank >= 0;
  if not found then
    raise exception 'file % is not there, or a count is negative', p_source_file_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;
revoke execute on function ingest.close_file(
  bigint, bytea, bigint, bigint, bigint, bigint, bigint, bigint, bigint) from public;
comment on function ingest.close_file(
  bigint, bytea, bigint, bigint, bigint, bigint, bigint, bigint, bigint) is
  'Completes the ledger entry of a file that this transaction has opened: its digest, its lines, and the outcomes that no merge has counted.';
