-- Each user of the touched days is looked up by key, which costs the same for a push of one day and of years. The array
-- keeps the search from joining the touched days for each user.
create or replace function rollup.touched_push_users()
returns table (app_id text, push_id text, received_user_count bigint, clicked_user_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
  return query
    with app_day as materialized (
      select t.app_id, array_agg(t.day) as days from staging.touched_event_day t group by t.app_id
    )
    select u.app_id, u.push_id, count(*) filter (where not o.has_received),
        count(*) filter (where u.has_clicked and not o.has_clicked)
      from (
        select r.app_id, r.push_id, r.user_id, bool_or(r.has_clicked) as has_clicked
          from rollup.push_user r join staging.touched_event_day t on t.app_id = r.app_id and t.day = r.day
          group by r.app_id, r.push_id, r.user_id
      ) u
      join app_day d on d.app_id = u.app_id
      cross join lateral (
        select count(*) > 0 as has_received, coalesce(bool_or(r.has_clicked), false) as has_clicked
          from rollup.push_user r
          where r.app_id = u.app_id and r.push_id = u.push_id and r.user_id = u.user_id and r.day <> all (d.days)
      ) o
      group by u.app_id, u.push_id;
end
$$;
revoke execute on function rollup.touched_push_users from public;
comment on function rollup.touched_push_users is
  'Counts, of each push with rows on the touched days, the users who received or clicked it on no other day. Part of rollup.refresh_event_days.';
