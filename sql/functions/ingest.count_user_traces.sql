create or replace function ingest.count_user_traces(p_user_id text, p_app_id text)
returns table (place text, trace_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream where has_user order by stream loop
    return query execute format(
      'select %2$L, count(*) from game.%1$I t where %3$s',
      registered.target_table, 'game.' || registered.target_table, ingest.condition_of_user(registered.stream))
      using p_user_id, p_app_id;
  end loop;
  return query
    select 'ingest.reject', count(*) from ingest.reject r
        where r.user_id = p_user_id and coalesce(r.app_id = p_app_id, true)
    union all
    select 'ingest.failed_reject', count(*) from ingest.failed_reject r
        where r.user_id = p_user_id and coalesce(r.app_id = p_app_id, true)
    union all
    (select r.place, count(*) from ingest.records_of_user(p_user_id, p_app_id) r group by r.place order by r.place)
    union all
    select * from ingest.empty_ownerless(p_is_dry => true);
end
$$;
comment on function ingest.count_user_traces is
  'The number of rows that an erasure of a user would delete from each table, in one application or in all (NULL), and of values that the first erasure would empty.';
