create or replace view report.set_aside_player as
select
  app_id,
  user_id,
  player_number,
  since,
  attempt_count,
  error
from rollup.set_aside_player;

comment on view report.set_aside_player is
  'One row per player who is in no figure of the reports, because the figures of the player cannot be computed. Each refresh tries again. Usually empty; a row is a defect of the program to report.';
comment on column report.set_aside_player.player_number is 'Number of the player in the log, which does not name users.';
comment on column report.set_aside_player.since is 'Time of the first refresh that could not compute the figures.';
comment on column report.set_aside_player.attempt_count is 'Refreshes that tried, with the first.';
comment on column report.set_aside_player.error is 'The reason; it has no value of a row.';
