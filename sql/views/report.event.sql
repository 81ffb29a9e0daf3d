-- The calendar turns a range of days into a range of times, which finds the months.
--
-- The wider ranges leave no row out. The planner knows no better than that each condition keeps a third of the rows. With
-- only two it expects so many rows of a day that a server of a cluster compares each row with each day, instead of
-- looking the days up by the index.
create or replace view report.event as
select
  r.occurred_at,
  r.app_id,
  r.event_id,
  r.user_id,
  r.category,
  r.event_group,
  r.code,
  r.idp_type,
  r.push_id,
  r.push_is_foreground,
  r.push_action_type,
  r.payment_seq,
  r.text_repaired,
  r.source_file_id,
  r.line_number,
  c.period_start as day
from game.event r
join rollup.calendar_period c on c.period = 'day' and c.starts_at <= r.occurred_at and c.ends_at > r.occurred_at
  and c.starts_at - interval '1 hour' < r.occurred_at and c.ends_at + interval '1 hour' > r.occurred_at
  and c.starts_at - interval '2 hours' < r.occurred_at and c.ends_at + interval '2 hours' > r.occurred_at;

comment on view report.event is
  'One row per event message, as stored now, also between refreshes. Texts of messages, texts that players typed and members of a line without a column are not shown.';
comment on column report.event.day is 'Day of the event in the reporting zone.';
comment on column report.event.occurred_at is 'Time of the event, to the millisecond.';
comment on column report.event.event_id is 'Number of the event; without one, sha256: and a digest of the message.';
comment on column report.event.user_id is 'The user; NULL when the line has none, as before a login.';
comment on column report.event.code is 'Code of an observer''s message or of a revoked login; NULL without one.';
comment on column report.event.idp_type is 'The identity provider of a revoked login; NULL for other events.';
comment on column report.event.push_id is 'Number of the push message; NULL for other events.';
comment on column report.event.push_is_foreground is 'True when the app was in the foreground; NULL when the line has no flag.';
comment on column report.event.push_action_type is 'The action with which the player answered the push message: OPEN_APP, OPEN_URL, REPLY, DISMISS or another; NULL for other events.';
comment on column report.event.payment_seq is 'The payment of the receipt in the message; see report.purchase. NULL for other events.';
