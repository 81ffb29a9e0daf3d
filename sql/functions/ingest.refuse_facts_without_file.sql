-- A statement trigger, because a load copies thousands of rows with each statement. The block below adds the trigger
-- to the table of every stream, so a new stream needs no code here. A distributed table has no trigger; there only
-- functions of the owner add rows, and they check the same.
create or replace function ingest.refuse_facts_without_file() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- With the rights of the caller, so without a function that the caller may not call.
  if not exists (select 1 from ingest.source_file f join ingest.stream s using (stream)
      where f.opened_by = pg_current_xact_id() and tg_argv[0] in (s.stream, s.embedded_stream))
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has opened no file of stream %', tg_argv[0]
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;
comment on function ingest.refuse_facts_without_file is
  'Trigger function that refuses rows from any role except the table''s owner, unless the transaction has opened a file of the stream.';

-- CREATE TRIGGER waits for all loads and blocks new ones, so only a missing trigger is created. To change the
-- trigger, drop it in a migration.
do $$
declare
  registered ingest.stream;
begin
  for registered in
    select * from ingest.stream s
      where not ingest.is_distributed(s.stream)
        and not exists (select 1 from pg_catalog.pg_trigger
        where tgrelid = format('game.%I', s.target_table)::regclass and tgname = 'refuse_facts_without_file')
      order by s.stream
  loop
    execute format(
      'create trigger refuse_facts_without_file after insert on game.%I
         for each statement execute function ingest.refuse_facts_without_file(%L)',
      registered.target_table, registered.stream);
  end loop;
end
$$;
