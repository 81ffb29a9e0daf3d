create or replace view report.observed_by_period as
select
  c.period,
  c.period_start,
  h.app_id,
  case when not d.is_dropped then coalesce(r.observed_user_count, 0) end as observed_user_count,
  case when not d.is_dropped then coalesce(r.level_up_user_count, 0) end as level_up_user_count,
  case when not d.is_dropped then coalesce(r.snapshot_user_count, 0) end as snapshot_user_count,
  case when not d.is_dropped then coalesce(r.payer_count, 0) end as payer_count,
  case when not d.is_dropped then coalesce(r.new_user_count, 0) end as new_user_count,
  not d.is_dropped and coalesce(c.starts_at >= h.first_at and c.ends_at <= h.trusted_at, false) as is_complete
from rollup.app_horizon h
join rollup.calendar_period c on c.ends_at > h.observed_first_at and c.starts_at <= h.observed_newest_at
  -- The calendar goes on for decades.
  and c.starts_at <= (select max(observed_newest_at) from rollup.app_horizon)
cross join lateral (
  select exists (select 1 from rollup.dropped_month m
    where m.stream in ('receipt', 'level_up', 'game_user')
      and c.starts_at < m.ends_at and c.ends_at > m.starts_at) as is_dropped
  -- Else the planner would repeat it in each column.
  offset 0
) d
left join rollup.player_period r
  on r.app_id = h.app_id and r.period = c.period and r.period_start = c.period_start;

comment on view report.observed_by_period is
  'One row per period and application, from the first event of any stream to the newest. Not daily active users: the streams contain no logins. Users do not add up over rows.';
comment on column report.observed_by_period.observed_user_count is 'Users with a purchase (not a sandbox one) that the store did not make by itself, a level-up, or a snapshot with a time of its own; NULL when retention dropped rows of the period.';
comment on column report.observed_by_period.level_up_user_count is 'Users with a level-up; NULL when retention dropped rows of the period.';
comment on column report.observed_by_period.snapshot_user_count is 'Users with a snapshot that has a time of its own; NULL when retention dropped rows of the period.';
comment on column report.observed_by_period.payer_count is 'Users with a paid purchase; NULL when retention dropped rows of the period.';
comment on column report.observed_by_period.new_user_count is 'Users whose first observation falls into the period; NULL when retention dropped rows of the period.';
comment on column report.observed_by_period.is_complete is 'True when all streams of the application have gone past the period and the first event is not after its start, and no day before its end is open (see report.open_failure). Late files can still change it.';
