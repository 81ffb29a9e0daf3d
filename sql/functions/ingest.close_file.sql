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
  update ingest.source_file f set sha256 = p_sha256, byte_count = p_byte_count, line_count = p_line_count,
      inserted_count = inserted_count + p_inserted, duplicate_count = duplicate_count + p_duplicates,
      rejected_count = p_rejected, suppressed_count = p_suppressed, blank_count = p_blank
    where source_file_id = p_source_file_id and not ingest.is_closed(f)
      and p_inserted >= 0 and p_duplicates >= 0
      and p_rejected = (select count(*) from ingest.reject r where r.source_file_id = p_source_file_id);
  if not found then
    raise exception 'file % is not open, or is said to have more or fewer lines of an outcome than it has',
        p_source_file_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;
revoke execute on function ingest.close_file(
  bigint, bytea, bigint, bigint, bigint, bigint, bigint, bigint, bigint) from public;
comment on function ingest.close_file(
  bigint, bytea, bigint, bigint, bigint, bigint, bigint, bigint, bigint) is
  'Completes the ledger entry of a file that this transaction has opened: its digest, its lines, and the outcomes that no merge has counted.';

-- A replay only gives new outcomes to lines that ingest.resolve_rejects has released.
create or replace function ingest.count_replayed(
  p_source_file_id bigint, p_inserted bigint, p_duplicates bigint)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_file(stream, source_file_id)
    from ingest.source_file where source_file_id = p_source_file_id;
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
revoke execute on function ingest.count_replayed(bigint, bigint, bigint) from public;
comment on function ingest.count_replayed(bigint, bigint, bigint) is
  'Counts released lines of a reopened file as what they have become without a merge.';
