-- No erasure could find a user in the bytes of a line whose user cannot be read, or in values of a stream whose rows
-- belong to no user. Lines that come after the first erasure are stored without them.
create or replace function ingest.empty_ownerless(p_is_dry boolean)
returns table (place text, trace_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  target text;
  change text;
  condition text;
begin
  if exists (select from ingest.erased_user) then
    return;
  end if;
  for place, target, change, condition in
    select 'extra of game.' || s.target_table, format('game.%I', s.target_table), 'extra = null', 'extra is not null'
      from ingest.stream s where not s.has_user
    union all values
      ('bytes of ingest.reject', 'ingest.reject', 'raw = ''''',
        'raw <> '''' and (user_id is null or stream in (
           select s.stream from ingest.stream s where not s.has_user))'),
      ('bytes of ingest.failed_reject', 'ingest.failed_reject', 'raw = ''''',
        'raw <> '''' and (user_id is null or failed_file_id in (
           select f.failed_file_id from ingest.failed_file f join ingest.stream s using (stream)
             where not s.has_user))')
  loop
    execute format(
      case when p_is_dry then 'select count(*) from %1$s where %3$s'
        else 'with emptied as (update %1$s set %2$s where %3$s returning 1) select count(*) from emptied' end,
      target, change, condition)
      into trace_count;
    return next;
  end loop;
end
$$;
comment on function ingest.empty_ownerless is
  'Empties, before the first erasure, the bytes of refused lines without a known user and extra of rows that belong to no user, or counts them. Part of ingest.erase_user and ingest.count_user_traces.';
