-- Without this index an erasure would read all months for the rows of its user. A month gets it
-- when loads hardly write there any more, so it costs loads nothing. A small month is read at once anyway; the size of
-- a distributed one is not asked.
--
-- The lock stops writers of that month, so each month is a call and a transaction of its own, which waits for nobody: a
-- month in use is left to a later call, and few of them are tried. Autovacuum uses many after a large load.
create or replace function rollup.index_users_of_past_month() returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  past regclass;
begin
  -- Two sessions at once would index the same month twice, or one would fail with the name of the other's index.
  if not pg_try_advisory_xact_lock(ingest.lock_key('user indexes')) then
    return null;
  end if;
  for past in
    select m.partition
      from ingest.stream s
      cross join lateral (
        select p.partition, row_number() over (order by p.month desc) as age from ingest.month_partitions(s.stream) p
      ) m
      where s.stream in ('level_up', 'game_user') and m.age > 2
        and (pg_relation_size(m.partition) >= 1048576 or ingest.is_distributed(s.stream))
        and not exists (
          select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
            where i.indrelid = m.partition and i.indisvalid and i.indnatts = 1 and a.attname = 'user_id')
      order by m.age
      limit 5
  loop
    begin
      execute format('create index on %s (user_id)', past);
      return past;
    exception
      when lock_not_available or undefined_table then
        null;
    end;
  end loop;
  return null;
end
$$;
revoke execute on function rollup.index_users_of_past_month from public;
comment on function rollup.index_users_of_past_month is
  'Indexes the users in one month of level-ups or snapshots before the two newest. The result is its partition; NULL when none is left, when other sessions use those that were tried, or while another session indexes.';
