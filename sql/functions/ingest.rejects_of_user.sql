-- A line whose user could be read when it was refused is that user's by the columns beside it, however
-- little of the line itself is stored.
create or replace function ingest.is_owned_by(
  p_owner text, p_owner_app_id text, p_user_id text, p_app_id text)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_owner = p_user_id and coalesce(p_owner_app_id = p_app_id, true)
$$;
revoke execute on function ingest.is_owned_by(text, text, text, text) from public;
comment on function ingest.is_owned_by(text, text, text, text) is
  'Whether a line of a user and application is meant by an erasure; an application that is not known may be any.';

-- Whether a stored line of which no user is known is a user's. A line that can be read and has one user is that user's, whatever
-- else it holds. Of any other line nobody knows whose it is: it is this user's if the id is in it.
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
  are_readable boolean;
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
      select key, value #>> '{}' as text, json_typeof(value) in ('string', 'number') as is_readable
        from member where key in ('userId', 'appId') and coalesce(value #>> '{}', '') <> ''
    )
    select array_agg(distinct text) filter (where key = 'userId'),
        array_agg(distinct text) filter (where key = 'appId'), coalesce(bool_and(is_readable), true)
      into users, apps, are_readable from given;
    if not are_readable or cardinality(users) is distinct from 1
      or users[1] = '0' or users[1] !~ '[^ \t\n\r]'
    then
      return true;
    end if;
    return users[1] = p_user_id and (p_app_id is null or cardinality(apps) > 1
      or coalesce(apps[1], p_default_app_id, '') = p_app_id);
  exception
    -- No UTF-8, no JSON, or JSON that PostgreSQL cannot take: cut, masked or broken.
    when others then return true;
  end;
end
$$;
comment on function ingest.is_line_of_user(bytea, text, text, text, text, text) is
  'True for a line of a user, and for a line that names the user and whose owner cannot be told.';

create or replace function ingest.rejects_of_user(p_user_id text, p_app_id text) returns setof bigint
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.reject_id
    from ingest.reject r join ingest.source_file f using (source_file_id),
      (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
      else ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, f.unwrap_field, f.app_id) end
$$;
comment on function ingest.rejects_of_user(text, text) is 'The refused lines of a user, in one application or in all.';

-- How a file that failed was to be read is not known, so what is in a record within a line is looked
-- for as in a line that cannot be read.
create or replace function ingest.failed_rejects_of_user(p_user_id text, p_app_id text)
returns table (failed_file_id bigint, line_number bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.failed_file_id, r.line_number
    from ingest.failed_reject r, (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
      else ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, null, p_app_id) end
$$;
comment on function ingest.failed_rejects_of_user(text, text) is
  'The refused lines of a user in files that failed, in one application or in all.';
