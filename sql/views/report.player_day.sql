create or replace view report.player_day as
select
  app_id,
  user_id,
  day,
  is_observed,
  level_up_count,
  paid_count,
  is_new_payer,
  level_at_end
from rollup.player_day;

comment on view report.player_day is
  'One row per application, user and day with any row of the user that has a time of its own.';
comment on column report.player_day.is_observed is 'True when the user was observed; false on a day with only later periods of subscriptions or test purchases.';
comment on column report.player_day.level_up_count is 'Number of level-ups.';
comment on column report.player_day.is_new_payer is 'True when the user''s first paid purchase in the application falls on the day.';
comment on column report.player_day.level_at_end is 'Level at the end of the day; of several characters the highest. NULL when unknown.';
