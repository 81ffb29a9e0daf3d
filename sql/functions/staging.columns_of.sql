create or replace function staging.columns_of(p_table regclass, p_alias text default null) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(coalesce(p_alias || '.', '') || quote_ident(a.attname), ', ' order by a.attnum)
    from pg_catalog.pg_attribute a
    where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
$$;
comment on function staging.columns_of is
  'The columns of a table in their order, as a list for SQL.';
