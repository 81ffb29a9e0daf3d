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

-- CREATE TRIGGER waits for all loads and blocks new ones, so only a missing trigger is created. To change the
-- trigger, drop it in a migration.
do $$
begin
  if not exists (select 1 from pg_catalog.pg_trigger
    where tgrelid = 'ingest.source_file'::regclass and tgname = 'refuse_open_entry')
  then
    create constraint trigger refuse_open_entry after insert or update on ingest.source_file
      deferrable initially deferred for each row execute function ingest.refuse_open_entry();
  end if;
end
$$;
