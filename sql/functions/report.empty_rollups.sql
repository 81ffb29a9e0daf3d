-- Not the first observations, which retention keeps, nor the numbers of the players, which they use.
create or replace function report.empty_rollups() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  tables text;
begin
  select string_agg(c.oid::regclass::text, ', ') into tables
    from pg_catalog.pg_class c
    where c.relnamespace = 'report'::regnamespace and c.relkind = 'r'
      and (c.relname like '%\_rollup' and c.relname <> 'player_rollup' or c.relname = 'calendar_period');
  execute 'truncate ' || tables;
  update report.player_rollup
    set paid_count = 0, first_paid_at = null, first_paid_on = null, first_payment_seq = null,
      last_paid_at = null;
end
$$;
revoke execute on function report.empty_rollups from public;
comment on function report.empty_rollups is
  'Empties all rollups and the calendar before a full refresh. Part of report.refresh.';
