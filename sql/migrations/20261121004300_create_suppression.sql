-- Whoever replays may be the loader, who can neither delete a reject nor change what it holds.
create function ingest.suppress_rejects(p_rejects bigint[]) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
  update ingest.reject set raw = '', resolved_at = clock_timestamp()
    where reject_id = any (p_rejects) and resolved_at is null
$$;
revoke execute on function ingest.suppress_rejects(bigint[]) from public;
comment on function ingest.suppress_rejects(bigint[]) is
  'Empties stored lines of erased users: they are settled, and nothing of them is kept.';
