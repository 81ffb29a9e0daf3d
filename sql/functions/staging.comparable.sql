-- Two objects with the same members in another order are the same value. The length also tells objects apart in which
-- only the escapes of a name differ.
create or replace function staging.comparable(p_value json) returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select case json_typeof(p_value) when 'object' then length(p_value::text) || ' ' || (
      select string_agg(m.key || ' ' || m.value::text, E'\n' order by m.key collate "C", m.value::text collate "C")
        from json_each(p_value) m)
    else p_value::text end
$$;
comment on function staging.comparable is
  'A text that is equal for JSON values of the same bytes, and for objects of the same members in any order. Part of staging.merge.';
