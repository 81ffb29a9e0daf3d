-- The pattern matches every JSON spelling of a user's id in the output of encode(raw, 'escape'), which prints bytes
-- above 127 in octal and doubles backslashes. An escape can have more than one backslash, because a record can be a
-- JSON text within a line. The pattern does not match an id inside a longer word; bytes above 127 and escapes count as
-- word boundaries.
create or replace function ingest.user_pattern(p_user_id text) returns text
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
revoke execute on function ingest.user_pattern from public;
comment on function ingest.user_pattern is
  'A regular expression that finds a user''s id in encode(line, ''escape''), in every spelling that JSON allows.';
