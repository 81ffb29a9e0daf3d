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
  -- The next refresh reads the rows of the file again.
  insert into rollup.touched_file (source_file_id) values (p_source_file_id);
end
$$;
comment on function ingest.reopen_file is
  'Opens a loaded file again, so that this transaction can replay its refused lines.';
