create or replace view report.service_status_by_day as
select
  e.day,
  e.app_id,
  e.code,
  s.name as code_name,
  e.event_count as report_count,
  e.user_count
from rollup.event_day e
left join game.launching_status s on s.code = e.code
where e.category = 'observerLaunching';

comment on view report.service_status_by_day is
  'One row per day, application and launching status that clients reported. Clients differ by version and white list, so this counts reports; it is no timeline of the service. Users do not add up over rows.';
comment on column report.service_status_by_day.code is 'Code of the status.';
comment on column report.service_status_by_day.code_name is 'Name of the status (see game.launching_status); NULL for an unknown code.';
comment on column report.service_status_by_day.report_count is 'Messages of the category observerLaunching.';
comment on column report.service_status_by_day.user_count is 'Known users who reported the status.';
