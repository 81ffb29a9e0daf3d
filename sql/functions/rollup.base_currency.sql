create or replace function rollup.base_currency() returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select value from ingest.setting where name = 'base-currency'
$$;
comment on function rollup.base_currency is
  'The currency of converted revenue: the setting base-currency; NULL while it is not set.';
