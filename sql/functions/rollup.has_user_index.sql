create or replace function rollup.has_user_index(p_partition regclass) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = p_partition and i.indisvalid and i.indnatts = 1 and a.attname = 'user_id')
$$;
revoke execute on function rollup.has_user_index from public;
comment on function rollup.has_user_index is
  'True if rollup.index_users_of_past_month has indexed the users in this partition.';
