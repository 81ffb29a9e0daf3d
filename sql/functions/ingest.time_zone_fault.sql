-- PostgreSQL takes many more names. Offsets such as +9 and Etc/GMT+9 mean the opposite of what most people expect, 9 hours
-- west of Greenwich; abbreviations such as KST or CST are ambiguous and know no daylight saving time.
create or replace function ingest.time_zone_fault(p_name text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with zone as materialized (
    select name, abbrev, utc_offset, name = 'UTC' or name ~ '/' and name !~ '^(Etc|posix|right)/' as is_named
      from pg_catalog.pg_timezone_names
  ), given as (
    -- The sign is that of everyday use: +9, UTC+9, GMT+09:00 and Etc/GMT+9 are Seoul.
    select (select case when o is not null then format('%s%s:%s', o[1], o[2], coalesce(o[3], '00'))::interval end
        from regexp_match(p_name, '^(?:etc/)?(?:utc|gmt)?([+-])([0-9]{1,2})(?::?([0-5][0-9]))?$', 'i') o) as utc_offset
  ), meant as (
    select z.name, case when z.utc_offset = g.utc_offset then 1
          when lower(z.name) = lower(p_name) then 2
          when lower(z.abbrev) = lower(p_name) then 3
          -- A known name of another form, such as ROK.
          when exists (select from zone k
            where lower(k.name) = lower(p_name) and k.utc_offset = z.utc_offset and k.abbrev = z.abbrev) then 4 end as rank
      from zone z, given g where z.is_named
  )
  select case when g.utc_offset is not null
        then 'is an offset, whose sign PostgreSQL reads the other way round (+9 is west of Greenwich)'
      when p_name ~ '/' and p_name !~ '^(Etc|posix|right)/' then 'is no time zone of the server'
      else 'is not a zone by area and city' end || '; use ' || coalesce((
        select string_agg(m.name, ', ' order by m.place) from (
          select name, row_number() over (order by name <> 'Asia/Seoul', name collate "C") as place
            from meant where rank = (select min(rank) from meant)
        ) m where m.place <= 3), 'UTC, or a name such as Asia/Seoul')
    from given g where not exists (select from zone z where z.is_named and z.name = p_name)
$$;
comment on function ingest.time_zone_fault is
  'Why a name is no time zone of the reports, and names to use instead; NULL for UTC and for an area and a city that the server knows. Part of settings set.';
