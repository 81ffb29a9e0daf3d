-- Requires the five roles, and that the caller is a member of the owner.
do $$
declare
  owner constant text := current_setting('gamebase_ingest.owner');
  role text;
begin
  for role in
    select name from unnest('{owner, loader, analyst, eraser, monitor}'::text[]) kind, current_setting('gamebase_ingest.' || kind) name
      where not exists (select from pg_roles where rolname = name)
  loop
    raise exception 'there is no role %; create it, name the prefix of the roles with --roles, or add --create-roles', role
      using errcode = 'GI078';
  end loop;
  if not pg_has_role(owner, 'usage') then
    raise exception 'the role % is no member of %. Add --create-roles, which makes it one, or connect as a superuser. Nothing was changed',
      current_user, owner using errcode = 'GI078';
  end if;
end
$$;
