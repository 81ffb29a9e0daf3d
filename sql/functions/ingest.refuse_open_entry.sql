create or replace function ingest.refuse_open_entry() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select 1 from ingest.source_file f
      where f.source_file_id = new.source_file_id and (f.released_count <> 0 or not ingest.is_closed(f)))
  then
    raise exception 'file % was opened but not closed', new.source_file_id
      using errcode = 'object_not_in_prerequisite_state', hint = 'Call ingest.close_files.';
  end if;
  return null;
end
$$;
comment on function ingest.refuse_open_entry is
  'Trigger function that refuses the commit of a ledger entry that was opened but not closed.';
