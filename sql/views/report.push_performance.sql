create or replace view report.push_performance as
select
  p.app_id,
  p.push_id,
  p.first_received_at,
  p.received_user_count,
  p.clicked_user_count,
  case when not exists (
    select from rollup.dropped_month d
    -- In hours, because a session's time zone can have a day of 23 hours.
    where d.stream = 'event' and p.starts_at >= d.starts_at and p.starts_at < d.ends_at + interval '744 hours')
  then round(p.clicked_user_count::numeric / nullif(p.received_user_count, 0), 6) end::numeric(7, 6) as click_rate
from rollup.push p;

comment on view report.push_performance is
  'One row per application and push message with an id: the users of its first seven days ever. They begin when a client first received the message, or else with the first click, and last seven times 24 hours. An earlier message that comes later moves them. Events of months that retention dropped leave the figures, so a message has no row when all its events are gone. Users do not add up over rows.';
comment on column report.push_performance.push_id is 'The push message.';
comment on column report.push_performance.first_received_at is 'Time at which a client first received the message, also one whose user is unknown; NULL when no client did.';
comment on column report.push_performance.received_user_count is 'Known users who received the message in these days. A click without a receipt counts its user, too.';
comment on column report.push_performance.clicked_user_count is 'Known users who clicked the message in these days. Buttons of the message are no clicks.';
comment on column report.push_performance.click_rate is 'Share of the receiving users who clicked; NULL without known receivers. NULL also when the seven days begin in a month of events that retention dropped, or in the 31 days after one, because earlier events may be gone.';
