create table ingest.erasure_key (
  is_current boolean primary key default true check (is_current),
  check_value bytea not null check (octet_length(check_value) = 32),
  created_at timestamptz not null default now()
);
comment on table ingest.erasure_key is
  'One row per database in which a user was erased: tells whether somebody has the right key, without holding it. Written by: ingest.erase_user.';
comment on column ingest.erasure_key.is_current is 'Always true; keeps the table at one row.';
comment on column ingest.erasure_key.check_value is 'HMAC-SHA-256 of a constant under the key, which itself is kept outside the database.';
comment on column ingest.erasure_key.created_at is 'When the first user was erased.';

create table ingest.erased_user (
  user_hmac bytea not null check (octet_length(user_hmac) = 32),
  app_id text collate "C",
  erased_at timestamptz not null default now(),
  constraint erased_user_once unique nulls not distinct (user_hmac, app_id)
);
comment on table ingest.erased_user is
  'One row per user, or user of one application, that was erased: their lines are suppressed from then on. Written by: ingest.erase_user.';
comment on column ingest.erased_user.user_hmac is 'HMAC-SHA-256 of the user''s id under the key: nobody can tell the user from it without that.';
comment on column ingest.erased_user.app_id is 'The application that the user was erased in; NULL: in all.';
comment on column ingest.erased_user.erased_at is 'When the user was first erased.';

create table ingest.erased_line (
  source_file_id bigint not null references ingest.source_file,
  outcome text collate "C" not null check (outcome in ('inserted', 'filled', 'conflict', 'rejected')),
  line_count bigint not null check (line_count >= 1),
  primary key (source_file_id, outcome)
);
comment on table ingest.erased_line is
  'One row per loaded file and outcome of which lines were erased. A file''s count of an outcome is what its tables hold and what is counted here.';
comment on column ingest.erased_line.source_file_id is 'The file.';
comment on column ingest.erased_line.outcome is 'inserted, filled, conflict or rejected, as the file''s counts have it.';
comment on column ingest.erased_line.line_count is 'Lines of that outcome whose rows or records were erased.';

-- The same lock that a load takes, by the first 64 bits of the name's digest.
create function ingest.hold_stream(p_stream text) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  select pg_advisory_xact_lock(
    ('x' || left(encode(sha256(convert_to('gamebase-ingest stream ' || p_stream, 'UTF8')), 'hex'), 16))::bit(64)::bigint)
$$;
comment on function ingest.hold_stream(text) is
  'Waits until no load, replay or undo has the stream, and keeps them off until the transaction ends.';

-- A user's id in all spellings that JSON has for it, in the text that encode(raw, 'escape') makes of
-- a line: bytes above 127 are octal there, and backslashes are doubled. One backslash or more stands
-- before an escape, for a record may be a text within a line. Where the id is part of a longer word
-- it is not meant; a byte above 127 and an escape are no part of a word here.
create function ingest.user_pattern(p_user_id text) returns text
language sql immutable
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
as $$
  with letter as (
    select c, ascii(c) as code, position, regexp_replace(
        encode(convert_to(c, 'UTF8'), 'escape'), '([^A-Za-z0-9])', '\\\1', 'g') as plain
      from regexp_split_to_table(p_user_id, '') with ordinality letters (c, position)
  ), unit as (
    select position, 1 as half, case when code > 65535 then 55296 + (code - 65536) / 1024 else code end as code
      from letter
    union all
    select position, 2, 56320 + (code - 65536) % 1024 from letter where code > 65535
  ), escaped as (
    select position, string_agg('(\\\\)+u' || (
        select string_agg(case when digit > '9' then format('[%s%s]', digit, upper(digit)) else digit end,
            '' order by place)
          from regexp_split_to_table(lpad(to_hex(code), 4, '0'), '') with ordinality digits (digit, place)),
        '' order by half) as hex
      from unit group by position
  )
  select '(^|[^A-Za-z0-9]|\\[0-7]{3}|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4})'
      || string_agg(format('(%s|%s%s)', plain, hex, case
        when c in ('"', '/') then '|(\\\\)+' || plain
        when c = '\' then '|(\\\\)+'
        when code = 8 then '|(\\\\)+b' when code = 9 then '|(\\\\)+t' when code = 10 then '|(\\\\)+n'
        when code = 12 then '|(\\\\)+f' when code = 13 then '|(\\\\)+r' else '' end),
        '' order by position)
      || '($|[^A-Za-z0-9])'
    from letter join escaped using (position)
$$;
comment on function ingest.user_pattern(text) is
  'A regular expression for encode(line, ''escape'') that finds a user''s id in every spelling that JSON has for it.';

-- Whether a stored line is a user's. A line that can be read and has one user is that user's, whatever
-- else it holds. Of any other line nobody knows whose it is: it is this user's if the id is in it.
create function ingest.is_line_of_user(
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

create function ingest.rejects_of_user(p_user_id text, p_app_id text) returns setof bigint
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.reject_id
    from ingest.reject r join ingest.source_file f using (source_file_id),
      (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, f.unwrap_field, f.app_id)
$$;
comment on function ingest.rejects_of_user(text, text) is 'The refused lines of a user, in one application or in all.';

-- How a file that failed was to be read is not known, so what is in a record within a line is looked
-- for as in a line that cannot be read.
create function ingest.failed_rejects_of_user(p_user_id text, p_app_id text)
returns table (failed_file_id bigint, line_number bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.failed_file_id, r.line_number
    from ingest.failed_reject r, (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, null, p_app_id)
$$;
comment on function ingest.failed_rejects_of_user(text, text) is
  'The refused lines of a user in files that failed, in one application or in all.';

create function ingest.user_key_condition(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select case when key_columns @> '{user_id,app_id}' then
      format('(k.natural_key ->> %s = $1 and ($2::text is null or k.natural_key ->> %s = $2))',
        array_position(key_columns, 'user_id') - 1, array_position(key_columns, 'app_id') - 1)
    else
      format('k.natural_key in (select %s from game.%I t
          where t.user_id = $1 and ($2::text is null or t.app_id = $2))',
        ingest.natural_key_array(stream), target_table)
    end
    from ingest.stream where stream = p_stream
$$;
comment on function ingest.user_key_condition(text) is
  'SQL that is true where the natural_key of k names a row of the user $1, in the application $2 or in all.';

-- A line of the user that contradicted somebody else's row is the user's as well; its application is
-- what it contradicted that with, or the row's.
create function ingest.conflicts_of_user(p_user_id text, p_app_id text) returns setof bigint
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format(
      'select k.conflict_id from ingest.conflict k
         where k.stream = %L and (%s or exists (
           select from ingest.conflict u
             where u.source_file_id = k.source_file_id and u.line_number = k.line_number
               and u.field = ''user_id'' and (u.refused = $1 or u.kept = $1 and $2::text is null)
               and ($2::text is null or $2 = coalesce(
                 (select a.refused from ingest.conflict a where a.source_file_id = k.source_file_id
                   and a.line_number = k.line_number and a.field = ''app_id''),
                 (select nullif(t.app_id, '''') from game.%I t where %s), $2))))',
      registered.stream, ingest.user_key_condition(registered.stream), registered.target_table,
      ingest.natural_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;
comment on function ingest.conflicts_of_user(text, text) is
  'The conflicts that a user''s row or line is part of, in one application or in all.';

create function ingest.fills_of_user(p_user_id text, p_app_id text) returns setof bigint
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format('select k.fill_id from ingest.fill k where k.stream = %L and %s',
      registered.stream, ingest.user_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;
comment on function ingest.fills_of_user(text, text) is
  'The fills of a user''s rows, in one application or in all.';

create function ingest.count_user_traces(p_user_id text, p_app_id text)
returns table (place text, trace_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream order by stream loop
    return query execute format(
      'select %2$L, count(*) from game.%1$I where user_id = $1 and ($2::text is null or app_id = $2)
       union all
       select %4$L, count(*) from staging.%3$I where user_id = $1 and ($2::text is null or app_id = $2)',
      registered.target_table, 'game.' || registered.target_table,
      registered.stream, 'staging.' || registered.stream)
      using p_user_id, p_app_id;
  end loop;
  return query
    select 'ingest.reject', count(*) from ingest.rejects_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.failed_reject', count(*) from ingest.failed_rejects_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.conflict', count(*) from ingest.conflicts_of_user(p_user_id, p_app_id)
    union all
    select 'ingest.fill', count(*) from ingest.fills_of_user(p_user_id, p_app_id);
end
$$;
revoke execute on function ingest.count_user_traces(text, text) from public;
comment on function ingest.count_user_traces(text, text) is
  'How many rows of each table an erasure of a user would delete, in one application or in all.';

-- The statistics hold common values of columns. ANALYZE replaces them, but passes over an empty table
-- and over columns that are not to be looked at any more: there the old ones stay, and only a superuser
-- can delete them before PostgreSQL 18.
create function ingest.forget_statistics() returns table (place text, trace_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  stored regclass;
  is_empty boolean;
begin
  for stored in
    select format('game.%I', s.target_table)::regclass from ingest.stream s
    union
    select t.relid from ingest.stream s, pg_partition_tree(format('game.%I', s.target_table)::regclass) t
    union
    select format('staging.%I', s.stream)::regclass from ingest.stream s
    union
    values ('ingest.reject'::regclass), ('ingest.failed_reject'), ('ingest.conflict'), ('ingest.fill')
  loop
    execute format('select not exists (select from %s)', stored) into is_empty;
    -- A partitioned table looks at its partitions itself.
    if not is_empty and not (select relispartition from pg_catalog.pg_class where oid = stored) then
      execute format('analyze %s', stored);
    end if;
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      delete from pg_catalog.pg_statistic st using pg_catalog.pg_attribute a
        where st.starelid = stored and a.attrelid = stored and a.attnum = st.staattnum
          and (is_empty or a.attstattarget = 0);
    else
      select 'statistics of ' || stored::text, count(*) into place, trace_count
        from pg_catalog.pg_stats st
        join pg_catalog.pg_attribute a on a.attrelid = stored and a.attname = st.attname
        where format('%I.%I', st.schemaname, st.tablename)::regclass = stored
          and (is_empty or a.attstattarget = 0);
      if trace_count > 0 then
        return next;
      end if;
    end if;
  end loop;
end
$$;
revoke execute on function ingest.forget_statistics() from public;
comment on function ingest.forget_statistics() is
  'Renews the statistics of all tables that can hold a user, and says where that is beyond its rights.';

-- One transaction: whoever calls this commits all of it or nothing. No load can be under way in any
-- stream, and the next one sees the tombstone.
create function ingest.erase_user(p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea)
returns table (place text, trace_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
  conflicts bigint[];
  fills bigint[];
  -- Closes the sums of a file's counts; g has a row for each line that was erased.
  count_lines constant text := '
    insert into ingest.erased_line (source_file_id, outcome, line_count)
      select source_file_id, %L, count(*) from (%s) g group by source_file_id
      on conflict (source_file_id, outcome)
        do update set line_count = erased_line.line_count + excluded.line_count';
begin
  if coalesce(p_user_id, '') = '' then
    raise exception 'no user is named' using errcode = 'object_not_in_prerequisite_state';
  end if;
  for registered in select * from ingest.stream order by stream loop
    perform ingest.hold_stream(registered.stream);
  end loop;
  insert into ingest.erasure_key (check_value) values (p_key_check) on conflict (is_current) do nothing;
  if (select check_value from ingest.erasure_key) <> p_key_check then
    raise exception 'the key is not the one that users were erased with before'
      using errcode = 'object_not_in_prerequisite_state';
  end if;

  -- Before the rows go, which say whose the conflicts and fills of a key are.
  conflicts := array(select ingest.conflicts_of_user(p_user_id, p_app_id));
  fills := array(select ingest.fills_of_user(p_user_id, p_app_id));
  for registered in select * from ingest.stream order by stream loop
    place := 'game.' || registered.target_table;
    execute format(
      'with gone as (
         delete from game.%I where user_id = $1 and ($2::text is null or app_id = $2)
           returning source_file_id
       ), counted as (%s)
       select count(*) from gone',
      registered.target_table, format(count_lines, 'inserted', 'select source_file_id from gone'))
      into trace_count using p_user_id, p_app_id;
    return next;
    place := 'staging.' || registered.stream;
    execute format('delete from staging.%I where user_id = $1 and ($2::text is null or app_id = $2)',
      registered.stream) using p_user_id, p_app_id;
    get diagnostics trace_count = row_count;
    return next;
  end loop;

  -- A refused line that a replay has loaded is counted as what it became.
  place := 'ingest.reject';
  execute format(
    'with gone as (
       delete from ingest.reject where reject_id in (select ingest.rejects_of_user($1, $2))
         returning source_file_id, resolved_at
     ), counted as (%s)
     select count(*) from gone',
    format(count_lines, 'rejected', 'select source_file_id from gone where resolved_at is null'))
    into trace_count using p_user_id, p_app_id;
  return next;

  place := 'ingest.failed_reject';
  delete from ingest.failed_reject r
    using ingest.failed_rejects_of_user(p_user_id, p_app_id) u
    where r.failed_file_id = u.failed_file_id and r.line_number = u.line_number;
  get diagnostics trace_count = row_count;
  return next;

  place := 'ingest.conflict';
  execute format(
    'with gone as (
       delete from ingest.conflict where conflict_id = any ($1) returning source_file_id, line_number
     ), counted as (%s)
     select count(*) from gone',
    format(count_lines, 'conflict', 'select distinct source_file_id, line_number from gone'))
    into trace_count using conflicts;
  return next;

  place := 'ingest.fill';
  execute format(
    'with gone as (
       delete from ingest.fill where fill_id = any ($1) returning source_file_id, line_number
     ), counted as (%s)
     select count(*) from gone',
    format(count_lines, 'filled', 'select distinct source_file_id, line_number from gone'))
    into trace_count using fills;
  return next;

  insert into ingest.erased_user (user_hmac, app_id) values (p_user_hmac, p_app_id)
    on conflict (user_hmac, app_id) do nothing;
  return query select * from ingest.forget_statistics();
end
$$;
revoke execute on function ingest.erase_user(text, text, bytea, bytea) from public;
comment on function ingest.erase_user(text, text, bytea, bytea) is
  'Deletes a user''s rows, refused lines, conflicts and fills, leaves a tombstone, and says how many there were.';
