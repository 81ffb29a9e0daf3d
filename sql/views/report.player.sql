create or replace view report.player as
select
  p.app_id,
  p.user_id,
  p.first_observed_at,
  p.first_observed_on,
  p.first_observed_in,
  p.last_observed_at,
  p.first_paid_at,
  p.first_paid_on,
  p.last_paid_at,
  p.paid_count,
  p.first_observed_on - h.first_on as days_of_history,
  p.user_level,
  p.channel_id,
  p.character_id,
  p.class_id
from rollup.player p
left join (
  -- The first event of the application, or the first kept observation.
  select app_id, min(first_on) as first_on
  from (
    select app_id, (first_at at time zone (select rollup.reporting_zone()))::date as first_on
    from rollup.app_horizon
    union all
    select s.app_id, s.cohort_on from rollup.cohort_size s where s.cohort_kind = 'first_observed'
  ) f
  group by app_id
) h on h.app_id = p.app_id;

comment on view report.player is
  'One row per application and user with any stored row or kept observation. A user who was never observed has NULLs and is in no cohort.';
comment on column report.player.first_observed_at is 'Time of the first observation: a production purchase that the store did not make by itself, a level-up, or a snapshot with a time of its own; NULL for a user who was never observed.';
comment on column report.player.first_observed_on is 'Day of the first observation in the reporting zone; the user''s cohort. NULL like first_observed_at.';
comment on column report.player.first_observed_in is 'Stream of the first observation; NULL like first_observed_at.';
comment on column report.player.last_observed_at is 'Time of the last observation; NULL like first_observed_at.';
comment on column report.player.first_paid_at is 'Time of the first paid purchase; NULL for none.';
comment on column report.player.last_paid_at is 'Time of the last paid purchase; NULL for none.';
comment on column report.player.days_of_history is 'Days from the first event or kept observation of the application to the first observation of the user. A small number means that the user may have played before the loaded history begins. NULL like first_observed_at.';
comment on column report.player.user_level is 'Current level; of several characters the highest. NULL when unknown.';
comment on column report.player.channel_id is 'Channel of the character with that level; NULL when the level is unknown or the game has no channels.';
comment on column report.player.character_id is 'The character with that level; NULL also when the game has none.';
comment on column report.player.class_id is 'Class of that character; NULL when unknown.';
