create or replace function rollup.refresh_pushes(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  if p_is_full then
    insert into rollup.push
        (app_id, push_id, first_event_at, first_received_at, received_user_count, clicked_user_count)
      select d.app_id, d.push_id, d.first_event_at, d.first_received_at, coalesce(u.received_user_count, 0),
          coalesce(u.clicked_user_count, 0)
        from (
          select r.app_id, r.push_id, min(r.first_event_at) as first_event_at,
              min(r.first_received_at) as first_received_at
            from rollup.push_day r
            where r.push_id is not null
            group by r.app_id, r.push_id
        ) d
        left join (
          select r.app_id, r.push_id, count(*) as received_user_count,
              count(*) filter (where r.has_clicked) as clicked_user_count
            from (
              select r.app_id, r.push_id, r.user_id, bool_or(r.has_clicked) as has_clicked
                from rollup.push_user r
                group by r.app_id, r.push_id, r.user_id
            ) r
            group by r.app_id, r.push_id
        ) u on u.app_id = d.app_id and u.push_id = d.push_id;
    return;
  end if;

  insert into staging.touched_push (app_id, push_id)
    select distinct r.app_id, r.push_id
      from rollup.push_day r join staging.touched_event_day t on r.app_id = t.app_id and r.day = t.day
      where r.push_id is not null
    on conflict do nothing;
  delete from rollup.push p
    using staging.touched_push t
    where p.app_id = t.app_id and p.push_id = t.push_id
      and not exists (select from rollup.push_day r where r.app_id = t.app_id and r.push_id = t.push_id);
  insert into rollup.push as p
      (app_id, push_id, first_event_at, first_received_at, received_user_count, clicked_user_count)
    select t.app_id, t.push_id, d.first_event_at, d.first_received_at, coalesce(u.received_user_count, 0),
        coalesce(u.clicked_user_count, 0)
      from staging.touched_push t
      cross join lateral (
        select min(r.first_event_at) as first_event_at, min(r.first_received_at) as first_received_at
          from rollup.push_day r
          where r.app_id = t.app_id and r.push_id = t.push_id
      ) d
      left join rollup.touched_push_users() u on u.app_id = t.app_id and u.push_id = t.push_id
      where d.first_event_at is not null
    on conflict (app_id, push_id) do update
      set first_event_at = excluded.first_event_at, first_received_at = excluded.first_received_at,
        received_user_count = p.received_user_count + excluded.received_user_count,
        clicked_user_count = p.clicked_user_count + excluded.clicked_user_count;
end
$$;
revoke execute on function rollup.refresh_pushes from public;
comment on function rollup.refresh_pushes is
  'Adds the users of the touched days to the counts of their pushes, and takes the first times of these pushes from their days. Part of rollup.refresh_event_days.';
