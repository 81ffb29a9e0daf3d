create or replace view report.kickout_by_day as
select
  k.day,
  k.app_id,
  k.kind,
  k.kickout_count,
  k.user_count
from rollup.kickout_day k;

comment on view report.kickout_by_day is
  'One row per day, application and kind of kick-out. One kick-out from the console gives two messages of a user: the received one counts, and the closed popup only without a received one of the user in the 24 hours before. Messages without a user count once each. Users do not add up over rows.';
comment on column report.kickout_by_day.day is 'Day of the kick-out in the reporting zone.';
comment on column report.kickout_by_day.app_id is 'The application; empty when unknown.';
comment on column report.kickout_by_day.kind is 'app: from the console; transfer: the account was transferred to another device.';
comment on column report.kickout_by_day.kickout_count is 'Kick-outs.';
comment on column report.kickout_by_day.user_count is 'Known users who were kicked out.';
