create or replace view report.push_by_day as
select
  p.day,
  p.app_id,
  p.push_id,
  p.received_count,
  p.received_user_count,
  p.clicked_count,
  p.clicked_user_count,
  p.action_count,
  p.open_app_count,
  p.open_url_count,
  p.reply_count,
  p.dismiss_count,
  p.action_count - p.open_app_count - p.open_url_count - p.reply_count - p.dismiss_count as other_action_count
from rollup.push_day p;

comment on view report.push_by_day is
  'One row per day, application and push message with events. A click counts on its own day, not on that of the receipt, so a day has no click rate; report.push_performance has it. Users do not add up over rows.';
comment on column report.push_by_day.push_id is 'The push message; NULL when unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.push_by_day.received_count is 'Messages that arrived at clients.';
comment on column report.push_by_day.received_user_count is 'Known users who received the message.';
comment on column report.push_by_day.clicked_count is 'Clicks on the message.';
comment on column report.push_by_day.clicked_user_count is 'Known users who clicked the message.';
comment on column report.push_by_day.action_count is 'Pressed buttons of the message.';
comment on column report.push_by_day.open_app_count is 'Of action_count: the button opened the app.';
comment on column report.push_by_day.open_url_count is 'Of action_count: the button opened a page.';
comment on column report.push_by_day.reply_count is 'Of action_count: the user wrote a reply.';
comment on column report.push_by_day.dismiss_count is 'Of action_count: the user dismissed the message.';
comment on column report.push_by_day.other_action_count is 'Of action_count: an unknown action or none.';
