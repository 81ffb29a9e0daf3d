-- The loader stores no escape that is no character, but a role that may insert can.
create or replace function rollup.readable_member(p_members json, p_field text) returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return p_members ->> p_field;
exception when untranslatable_character or invalid_text_representation then
  return null;
end
$$;
revoke execute on function rollup.readable_member from public;
comment on function rollup.readable_member is
  'The member of an object as text; NULL when the object has an escape that stands for no character. Part of rollup.expose_rows.';
