-- For a stored line without a known user: the line is broken, or decoding stopped at a limit before the user. A
-- readable line with exactly one user belongs to that user, whatever else it contains. Any other line has no known
-- owner and belongs to every user whose id it contains.
create or replace function ingest.is_line_of_user(
  p_raw bytea, p_user_id text, p_app_id text, p_pattern text, p_unwrap_field text, p_default_app_id text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
as $$
declare
  users text[];
  apps text[];
  is_user_readable boolean;
  are_both_readable boolean;
begin
  if encode(p_raw, 'escape') !~ p_pattern then
    return false;
  end if;
  begin
    with carrier as (
      select key, value from json_each(convert_from(p_raw, 'UTF8')::json)
    ), member as (
      select key, value from carrier where key is distinct from p_unwrap_field
      union all
      select r.key, r.value
        from carrier c, json_each(case json_typeof(c.value)
          when 'string' then (c.value #>> '{}')::json else c.value end) r
        where c.key = p_unwrap_field
    ), given as (
      -- The rules for users and applications are in docs/data-contract.md; an identifier has 512 bytes at most.
      select key, value #>> '{}' as text,
          case json_typeof(value) when 'string' then octet_length(value #>> '{}') <= 512
            when 'number' then value #>> '{}' ~ '^[0-9]+$' else false end as is_readable
        from member where key in ('userId', 'appId') and coalesce(value #>> '{}', '') <> ''
    )
    select array_agg(distinct text) filter (where key = 'userId'),
        array_agg(distinct text) filter (where key = 'appId'),
        bool_and(is_readable) filter (where key = 'userId'), bool_and(is_readable)
      into users, apps, is_user_readable, are_both_readable from given;
    if not is_user_readable or cardinality(users) is distinct from 1
      or users[1] = '0' or users[1] !~ '[^ \t\n\r]'
    then
      return true;
    end if;
    return users[1] = p_user_id and (p_app_id is null or not are_both_readable or cardinality(apps) > 1
      or coalesce(apps[1], p_default_app_id, '') = p_app_id);
  exception
    -- The line is cut, masked or broken: not UTF-8, not JSON, or JSON that PostgreSQL cannot read.
    when others then return true;
  end;
end
$$;
revoke execute on function ingest.is_line_of_user from public;
comment on function ingest.is_line_of_user is
  'True for a line of a user, and for a line without a known owner that contains the user''s id.';
