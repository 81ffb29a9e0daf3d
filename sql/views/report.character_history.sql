-- The subquery is LATERAL, so a filter on the user reads the events of that user only.
create or replace view report.character_history as
select
  p.app_id,
  p.user_id,
  h.channel_id,
  h.character_id,
  h.valid_from,
  h.user_level,
  h.class_id,
  h.valid_to
from report.player_rollup p
cross join lateral (
  select
    c.channel_id,
    c.character_id,
    c.event_at as valid_from,
    c.user_level,
    c.class_id,
    lead(c.event_at) over (partition by c.channel_id, c.character_id order by c.event_at) as valid_to
  from (
    select
      e.channel_id,
      e.character_id,
      e.event_at,
      e.user_level,
      e.class_id,
      lag(e.user_level) over snapshots as previous_level,
      lag(e.class_id) over snapshots as previous_class_id
    from report.level_event_rollup e
    where e.player_id = p.player_id and e.kind = 'snapshot'
    window snapshots as (partition by e.channel_id, e.character_id order by e.event_at)
  ) c
  where c.user_level is distinct from c.previous_level or c.class_id is distinct from c.previous_class_id
) h;

comment on view report.character_history is
  'One row per application, user, channel, character and change of level or class, from snapshots with a time of their own. The last row of a character is open. A query without a user reads the snapshots of all users and takes seconds.';
comment on column report.character_history.app_id is 'The application; empty when unknown.';
comment on column report.character_history.user_id is 'The user.';
comment on column report.character_history.channel_id is 'The channel or server; NULL when the game has none. Join it with IS NOT DISTINCT FROM.';
comment on column report.character_history.character_id is 'The character; NULL when the game has none. Join it with IS NOT DISTINCT FROM.';
comment on column report.character_history.valid_from is 'Time of the first snapshot with this level and class.';
comment on column report.character_history.user_level is 'The level from valid_from until before valid_to.';
comment on column report.character_history.class_id is 'The class from valid_from until before valid_to; NULL when missing.';
comment on column report.character_history.valid_to is 'Time of the snapshot with the next level or class; NULL for the last one known.';
