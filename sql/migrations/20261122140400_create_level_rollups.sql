-- Rows are updated in place: no other index, and room on each page for the next version.
create table report.player_progress_rollup (
  player_id bigint primary key,
  app_id text collate "C" not null,
  first_observed_at timestamptz not null,
  highest_level integer not null,
  highest_reached_at timestamptz not null,
  last_level_up_at timestamptz not null,
  reached_levels int4multirange not null
) with (fillfactor = 70);
comment on table report.player_progress_rollup is
  'One row per player with a level-up: how far the player has come, over all characters. Written by: report.refresh.';
comment on column report.player_progress_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.player_progress_rollup.app_id is 'The application.';
comment on column report.player_progress_rollup.first_observed_at is 'First observation of the player, from which report.player_level_rollup counts.';
comment on column report.player_progress_rollup.highest_level is 'The highest level.';
comment on column report.player_progress_rollup.highest_reached_at is 'First time of the highest level.';
comment on column report.player_progress_rollup.last_level_up_at is 'Time of the last level-up, of any level.';
comment on column report.player_progress_rollup.reached_levels is 'All levels with a level-up.';

-- A night adds levels of the newest span only. With the span in every index, the night touches the pages of this span
-- and not those of the whole history; so a refresh does not slow down as the history grows.
create table report.player_level_rollup (
  player_id bigint not null,
  app_id text collate "C" not null,
  user_level integer not null,
  reached_span integer not null,
  reached_at timestamptz not null,
  since_first_observed_ms bigint not null,
  since_previous_level_ms bigint,
  primary key (reached_span, player_id, user_level)
);
create index player_level_since_first_observed on report.player_level_rollup
  (app_id, user_level, reached_span, since_first_observed_ms);
create index player_level_since_previous on report.player_level_rollup
  (app_id, user_level, reached_span, since_previous_level_ms) where since_previous_level_ms is not null;
comment on table report.player_level_rollup is
  'One row per player and level: the first level-up to this level, over all characters. Written by: report.refresh.';
comment on column report.player_level_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.player_level_rollup.app_id is 'The application.';
comment on column report.player_level_rollup.user_level is 'The level.';
comment on column report.player_level_rollup.reached_span is 'Number of the span of 90 days, counted from 1970, that contains reached_at.';
comment on column report.player_level_rollup.reached_at is 'Time of the first level-up to this level.';
comment on column report.player_level_rollup.since_first_observed_ms is 'Time from the player''s first observation to reached_at.';
comment on column report.player_level_rollup.since_previous_level_ms is 'Time from the previous level to reached_at; NULL without one. The previous level is the highest lower level reached no later.';

-- Not a rollup: the bounds depend on the order of the refreshes. The percentiles that a refresh finds with them do not.
create table report.level_time_histogram (
  app_id text collate "C" not null,
  user_level integer not null,
  kind text collate "C" not null check (kind in ('first_observed', 'previous_level')),
  value_count integer not null,
  bounds bigint[] not null,
  counts_below integer[] not null,
  minutes double precision[],
  primary key (app_id, user_level, kind)
);
alter table report.level_time_histogram
  alter column bounds set statistics 0,
  alter column counts_below set statistics 0,
  alter column minutes set statistics 0;
comment on table report.level_time_histogram is
  'One row per application, level and kind of duration: a histogram of the durations in report.player_level_rollup. A refresh finds a percentile with it by reading the durations between two bounds. Written by: report.refresh.';
comment on column report.level_time_histogram.app_id is 'The application.';
comment on column report.level_time_histogram.user_level is 'The level.';
comment on column report.level_time_histogram.kind is 'The duration: since first_observed or since previous_level.';
comment on column report.level_time_histogram.value_count is 'Number of durations.';
comment on column report.level_time_histogram.bounds is 'Some of the durations in milliseconds, ascending; closer together near the percentiles of report.level_time.';
comment on column report.level_time_histogram.counts_below is 'For each bound, the number of smaller durations.';
comment on column report.level_time_histogram.minutes is 'The 25th percentile, the median and the 90th percentile in minutes.';

create table report.level_rollup (
  app_id text collate "C" not null,
  user_level integer not null,
  recorded_user_count bigint not null,
  step_user_count bigint not null,
  reached_user_count bigint not null default 0,
  stopped_user_count bigint not null default 0,
  stopped_7d_count bigint not null default 0,
  first_reached_at timestamptz not null,
  p25_minutes_since_first_observed double precision not null,
  p50_minutes_since_first_observed double precision not null,
  p90_minutes_since_first_observed double precision not null,
  p25_minutes_since_previous_level double precision,
  p50_minutes_since_previous_level double precision,
  p90_minutes_since_previous_level double precision,
  primary key (app_id, user_level)
);
comment on table report.level_rollup is
  'One row per application and level with a level-up. Written by: report.refresh.';
comment on column report.level_rollup.app_id is 'The application.';
comment on column report.level_rollup.user_level is 'The level.';
comment on column report.level_rollup.recorded_user_count is 'Users with a level-up to exactly this level.';
comment on column report.level_rollup.step_user_count is 'Those of them with a lower level reached no later.';
comment on column report.level_rollup.reached_user_count is 'Users whose highest level is this one or above.';
comment on column report.level_rollup.stopped_user_count is 'Users whose highest level is this one.';
comment on column report.level_rollup.stopped_7d_count is 'Those of them without a level-up in the 7 × 24 hours before the application''s newest level-up.';
comment on column report.level_rollup.first_reached_at is 'Time at which the first user reached the level.';
comment on column report.level_rollup.p25_minutes_since_first_observed is '25th percentile of the minutes from first observation to the level.';
comment on column report.level_rollup.p50_minutes_since_first_observed is 'Median of the minutes from first observation to the level.';
comment on column report.level_rollup.p90_minutes_since_first_observed is '90th percentile of the minutes from first observation to the level.';
comment on column report.level_rollup.p25_minutes_since_previous_level is '25th percentile of the minutes from the previous level; NULL without one.';
comment on column report.level_rollup.p50_minutes_since_previous_level is 'Median of the minutes from the previous level; NULL without one.';
comment on column report.level_rollup.p90_minutes_since_previous_level is '90th percentile of the minutes from the previous level; NULL without one.';

create table report.player_level_revenue_rollup (
  player_id bigint not null,
  currency text collate "C" not null,
  user_level integer not null,
  level_attribution text collate "C" not null,
  paid_count integer not null,
  amount_minor numeric not null,
  primary key (player_id, currency, user_level, level_attribution)
) with (fillfactor = 90);
comment on table report.player_level_revenue_rollup is
  'One row per player, currency, level and attribution with a paid purchase. Written by: report.refresh.';
comment on column report.player_level_revenue_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.player_level_revenue_rollup.currency is 'ISO 4217 code.';
comment on column report.player_level_revenue_rollup.user_level is 'Level at the purchases; -1 when unknown, so that the key has no NULL.';
comment on column report.player_level_revenue_rollup.level_attribution is 'exact, highest_of_several or none; see report.purchase_rollup.';
comment on column report.player_level_revenue_rollup.paid_count is 'Number of paid purchases.';
comment on column report.player_level_revenue_rollup.amount_minor is 'Sum of the paid purchases, in the minor unit.';

create table report.revenue_level_rollup (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  user_level integer,
  level_attribution text collate "C" not null,
  payer_count bigint not null,
  paid_count bigint not null,
  amount_minor numeric not null,
  constraint revenue_level_once unique nulls not distinct (app_id, currency, user_level, level_attribution)
);
alter table report.revenue_level_rollup replica identity full;
comment on table report.revenue_level_rollup is
  'One row per application, currency, level at the purchase and attribution with a paid purchase. Written by: report.refresh.';
comment on column report.revenue_level_rollup.app_id is 'The application.';
comment on column report.revenue_level_rollup.currency is 'ISO 4217 code.';
comment on column report.revenue_level_rollup.user_level is 'Level at the purchase; NULL when unknown.';
comment on column report.revenue_level_rollup.level_attribution is 'exact, highest_of_several or none; see report.purchase_rollup.';
comment on column report.revenue_level_rollup.payer_count is 'Users with such a purchase.';
comment on column report.revenue_level_rollup.paid_count is 'Number of paid purchases.';
comment on column report.revenue_level_rollup.amount_minor is 'Sum of the paid purchases, in the minor unit.';

create table report.current_game_user_rollup (
  player_id bigint not null,
  channel_id text collate "C",
  character_id text collate "C",
  user_level integer not null,
  class_id text collate "C",
  observed_at timestamptz not null,
  observed_at_source text collate "C" not null,
  source_file_id bigint not null,
  line_number bigint not null,
  constraint current_game_user_once unique nulls not distinct (player_id, channel_id, character_id)
) with (fillfactor = 80);
alter table report.current_game_user_rollup replica identity full;
comment on table report.current_game_user_rollup is
  'One row per player, channel and character with a snapshot: the newest one. A snapshot with a time of its own outranks a load_start one. Written by: report.refresh.';
comment on column report.current_game_user_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.current_game_user_rollup.channel_id is 'The channel or server; NULL when the game has none.';
comment on column report.current_game_user_rollup.character_id is 'The character; NULL when the game has none.';
comment on column report.current_game_user_rollup.user_level is 'Level at observed_at.';
comment on column report.current_game_user_rollup.class_id is 'Class at observed_at.';
comment on column report.current_game_user_rollup.observed_at is 'Time of the observation.';
comment on column report.current_game_user_rollup.observed_at_source is 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).';
comment on column report.current_game_user_rollup.source_file_id is 'The file that brought the row.';
comment on column report.current_game_user_rollup.line_number is 'The line in that file.';

create unlogged table staging.touched_level_player (
  player_id bigint primary key,
  app_id text collate "C" not null,
  first_observed_at timestamptz,
  is_replaced boolean not null
);
comment on table staging.touched_level_player is
  'One row per player whose levels a refresh changes. Empty between refreshes.';
comment on column staging.touched_level_player.player_id is 'The player.';
comment on column staging.touched_level_player.app_id is 'The application.';
comment on column staging.touched_level_player.first_observed_at is 'First observation; NULL when the player is gone.';
comment on column staging.touched_level_player.is_replaced is 'True when all levels are computed again; false when the new level-ups only add to them.';

create unlogged table staging.touched_level (
  player_id bigint not null,
  app_id text collate "C" not null,
  user_level integer not null,
  reached_span integer,
  reached_at timestamptz not null,
  last_at timestamptz not null,
  since_first_observed_ms bigint,
  since_previous_level_ms bigint,
  change integer not null
);
alter table staging.touched_level replica identity full;
comment on table staging.touched_level is
  'One row per player and level that a refresh adds to report.player_level_rollup or removes from it. Empty between refreshes.';
comment on column staging.touched_level.player_id is 'The player.';
comment on column staging.touched_level.app_id is 'The application.';
comment on column staging.touched_level.user_level is 'The level.';
comment on column staging.touched_level.reached_span is 'As in report.player_level_rollup.';
comment on column staging.touched_level.reached_at is 'As in report.player_level_rollup.';
comment on column staging.touched_level.last_at is 'Time of the last touched level-up to this level.';
comment on column staging.touched_level.since_first_observed_ms is 'As in report.player_level_rollup.';
comment on column staging.touched_level.since_previous_level_ms is 'As in report.player_level_rollup.';
comment on column staging.touched_level.change is '1 for an added level, -1 for a removed one, 0 for a level that the player had reached before.';

create unlogged table staging.touched_level_time (
  app_id text collate "C" not null,
  user_level integer not null,
  kind text collate "C" not null,
  is_rebuilt boolean not null,
  primary key (app_id, user_level, kind)
);
comment on table staging.touched_level_time is
  'One row per histogram of report.level_time_histogram that a refresh changes. Empty between refreshes.';
comment on column staging.touched_level_time.app_id is 'The application.';
comment on column staging.touched_level_time.user_level is 'The level.';
comment on column staging.touched_level_time.kind is 'The kind of duration.';
comment on column staging.touched_level_time.is_rebuilt is 'True when the histogram gets new bounds.';

create unlogged table staging.touched_level_revenue (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  user_level integer not null,
  level_attribution text collate "C" not null,
  payer_count bigint not null,
  paid_count bigint not null,
  amount_minor numeric not null
);
alter table staging.touched_level_revenue replica identity full;
comment on table staging.touched_level_revenue is
  'One row per change of report.player_level_revenue_rollup by a refresh. Empty between refreshes.';
comment on column staging.touched_level_revenue.app_id is 'The application.';
comment on column staging.touched_level_revenue.currency is 'ISO 4217 code.';
comment on column staging.touched_level_revenue.user_level is 'Level at the purchases; -1 when unknown.';
comment on column staging.touched_level_revenue.level_attribution is 'As in report.purchase_rollup.';
comment on column staging.touched_level_revenue.payer_count is 'Users who came to the row, less those who left it.';
comment on column staging.touched_level_revenue.paid_count is 'Paid purchases that came, less those that left.';
comment on column staging.touched_level_revenue.amount_minor is 'Their amounts.';

create unlogged table staging.touched_payer (
  player_id bigint primary key,
  app_id text collate "C" not null,
  since timestamptz not null,
  is_replaced boolean not null
);
comment on table staging.touched_payer is
  'One row per player whose revenue by level a refresh changes. Empty between refreshes.';
comment on column staging.touched_payer.player_id is 'The player.';
comment on column staging.touched_payer.app_id is 'The application.';
comment on column staging.touched_payer.since is 'Purchases from this time on are new; -infinity with is_replaced.';
comment on column staging.touched_payer.is_replaced is 'True when purchases that the reports contain already have changed.';
