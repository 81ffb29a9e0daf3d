-- A table with the same name that another role created could have triggers, and these would run with the rights of
-- the function that writes to the table.
create or replace function staging.table_of(p_stream text, p_kind text default 'staging') returns regclass
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  staged regclass := to_regclass(format('pg_temp.%I', p_kind || '_' || p_stream));
begin
  if staged is null then
    raise exception 'stream % has no staging table in this transaction; call staging.open first', p_stream
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  if (select relowner from pg_catalog.pg_class where oid = staged) 
      <> (select oid from pg_catalog.pg_roles where rolname = current_user)
    or exists (select 1 from pg_catalog.pg_trigger where tgrelid = staged)
  then
    raise exception '% was not created by a function of the owner', staged using errcode = 'insufficient_privilege';
  end if;
  return staged;
end
$$;
comment on function staging.table_of is
  'The staging table of a stream in this session, or another temporary table of the owner by its kind. Raises an error unless a function of the owner created it.';
