-- SECURITY DEFINER: the loader role cannot write the ledger's counts itself, so that they say what
-- the database did. The entry comes first and its counts grow with the file.
--
-- The digest is often known only at the file's end. Until then a number of the file stands for it,
-- behind the stream's lock, so that no two entries share it.
create or replace function ingest.open_file(
  p_load_id bigint, p_stream text, p_path text, p_app_id text, p_observed_at timestamptz,
  p_as_of timestamptz, p_time_unit text, p_unwrap_field text, p_purchase_token_mode text,
  p_max_line_bytes bigint, p_max_nesting integer, p_max_identifier_bytes integer,
  p_max_text_bytes bigint)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  number bigint := nextval('ingest.source_file_source_file_id_seq');
begin
  insert into ingest.source_file (
      source_file_id, load_id, stream, path, sha256, byte_count, line_count, inserted_count,
      filled_count, duplicate_count, conflict_count, rejected_count, suppressed_count, blank_count,
      app_id, observed_at, as_of, time_unit, unwrap_field, purchase_token_mode, max_line_bytes,
      max_nesting, max_identifier_bytes, max_text_bytes, opened_by)
    select number, p_load_id, s.stream, p_path, sha256(int8send(number)), 0, 0, 0, 0, 0, 0, 0, 0, 0,
        p_app_id, p_observed_at, p_as_of, p_time_unit, p_unwrap_field, p_purchase_token_mode,
        p_max_line_bytes, p_max_nesting, p_max_identifier_bytes, p_max_text_bytes, pg_current_xact_id()
      from ingest.stream s where s.stream = p_stream;
  if not found then
    raise exception 'there is no stream %', p_stream using errcode = 'undefined_object';
  end if;
  return number;
end
$$;
revoke execute on function ingest.open_file(
  bigint, text, text, text, timestamptz, timestamptz, text, text, text, bigint, integer, integer, bigint)
  from public;
comment on function ingest.open_file(
  bigint, text, text, text, timestamptz, timestamptz, text, text, text, bigint, integer, integer, bigint) is
  'Writes the ledger entry of a file that this transaction is about to load, and returns its number.';

create or replace function ingest.reopen_file(p_source_file_id bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update ingest.source_file f set opened_by = pg_current_xact_id()
    where source_file_id = p_source_file_id and undone_at is null and ingest.is_closed(f);
  if not found then
    raise exception 'file % is not loaded', p_source_file_id using errcode = 'undefined_object';
  end if;
end
$$;
revoke execute on function ingest.reopen_file(bigint) from public;
comment on function ingest.reopen_file(bigint) is
  'Lets this transaction replay refused lines of a loaded file.';
