create or replace view report.kickout_by_day as
select
  k.day,
  k.app_id,
  k.kind,
  k.message_count,
  k.message_user_count,
  k.close_count,
  k.close_user_count
from rollup.kickout_day k;

comment on view report.kickout_by_day is
  'One row per day, application and kind of kick-out. One kick-out can bring a message and a closed popup, so never add the two. Users do not add up over rows.';
comment on column report.kickout_by_day.kind is 'app: from the console; transfer: the account was transferred to another device.';
comment on column report.kickout_by_day.message_count is 'Messages of a kick-out that clients received (serverPushAppKickoutMessageReceived, serverPushTransferKickout).';
comment on column report.kickout_by_day.message_user_count is 'Known users of these messages; a message without a user counts for none.';
comment on column report.kickout_by_day.close_count is 'Closed popups of kick-outs from the console (serverPushAppKickout); 0 for transfers.';
comment on column report.kickout_by_day.close_user_count is 'Known users of these popups.';
