-- Not the first observations, which retention keeps, nor the numbers of the players, which they use.
--
-- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
create or replace function report.empty_rollups() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  emptied regclass;
begin
  for emptied in
    select c.oid
      from pg_catalog.pg_class c
      where c.relnamespace = 'report'::regnamespace and c.relkind = 'r'
        and c.relname like '%\_rollup' and c.relname <> 'player_rollup'
      order by c.relname
  loop
    execute format('delete from %s', emptied);
  end loop;
  update report.player_rollup
    set paid_count = 0, first_paid_at = null, first_paid_on = null, first_payment_seq = null,
      last_paid_at = null
    where first_paid_at is not null;
end
$$;
revoke execute on function report.empty_rollups from public;
comment on function report.empty_rollups is
  'Empties all rollups before a full refresh. Part of report.refresh.';
