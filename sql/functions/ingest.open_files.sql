-- SECURITY DEFINER: the loader role cannot write the counts of the ledger, so the counts show the work that the
-- database did. The entry is written first, and its counts grow during the load.
--
-- The loader often knows the digest only at the end of the file. Until then the entry has a placeholder, the SHA-256
-- of the file's number, so that no two entries share a digest.
create or replace function ingest.open_files(
  p_load_id bigint, p_stream text, p_paths text[], p_app_id text, p_observed_at timestamptz,
  p_as_of timestamptz, p_time_unit text, p_unwrap_field text, p_purchase_token_mode text,
  p_max_line_bytes bigint, p_max_nesting integer, p_max_identifier_bytes integer,
  p_max_text_bytes bigint)
returns setof bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    -- nextval runs after the sort, so the numbers grow in the order of the paths.
    with numbered as materialized (
      select nextval('ingest.source_file_source_file_id_seq') as number, f.path
        from unnest(p_paths) with ordinality f (path, place) order by f.place
    ), opened as (
      insert into ingest.source_file (
          source_file_id, load_id, stream, path, sha256, byte_count, line_count, inserted_count,
          filled_count, duplicate_count, conflict_count, rejected_count, suppressed_count, blank_count,
          app_id, observed_at, as_of, time_unit, unwrap_field, purchase_token_mode, max_line_bytes,
          max_nesting, max_identifier_bytes, max_text_bytes, opened_by)
        select n.number, p_load_id, s.stream, n.path, sha256(int8send(n.number)), 0, 0, 0, 0, 0, 0, 0, 0, 0,
            p_app_id, p_observed_at, p_as_of, p_time_unit, p_unwrap_field, p_purchase_token_mode,
            p_max_line_bytes, p_max_nesting, p_max_identifier_bytes, p_max_text_bytes,
            pg_current_xact_id()
          from numbered n, ingest.stream s where s.stream = p_stream
        returning source_file_id
    )
    select source_file_id from opened order by source_file_id;
  if not found then
    raise exception 'stream % does not exist, or the list of files is empty', p_stream using errcode = 'undefined_object';
  end if;
end
$$;
comment on function ingest.open_files is
  'Writes the ledger entries of files that this transaction will load, and returns their numbers, ascending in the order of the paths.';
