-- A transaction for each month, so that loads of the stream can go on in between. ingest.erase_user empties the rows that
-- they bring meanwhile. No view shows extra, so the reports need no note of the changed rows.
create or replace function ingest.empty_month(p_stream text, p_after date)
returns table (month date, place text, trace_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  partition regclass;
begin
  perform pg_advisory_xact_lock_shared(ingest.lock_key('migrate'));
  perform ingest.hold_stream(p_stream);
  if exists (select from ingest.erased_user) then
    return;
  end if;
  select p.month, 'extra of game.' || s.target_table, p.partition into month, place, partition
    from ingest.stream s cross join ingest.month_partitions(s.stream) p
    where s.stream = p_stream and not s.has_user and (p_after is null or p.month > p_after)
    order by p.month
    limit 1;
  if partition is null then
    return;
  end if;
  execute format('update %s set extra = null where extra is not null', partition);
  get diagnostics trace_count = row_count;
  return next;
end
$$;
comment on function ingest.empty_month is
  'Empties, before the first erasure, extra in the next month of a stream whose rows belong to no user, after the month p_after or from the first one (NULL), and returns the month; no row when there is none.';
