create or replace view report.event_by_day as
with code_name as (
  select category, code, string_agg(name, ' / ' order by name) as name
  from (
    select 'observerLaunching' as category, code, name from game.launching_status
    union all
    select 'observerHeartbeat', code, name from game.error_code
    union all
    select 'observerNetwork', code, name from game.network_status
    union all
    select 'idPRevoked', code, name from game.idp_revoked_code
  ) n
  group by category, code
)
select
  e.day,
  e.app_id,
  e.category,
  e.event_group,
  e.code,
  n.name as code_name,
  e.event_count,
  e.user_count
from rollup.event_day e
left join code_name n on n.category = e.category and n.code = e.code;

comment on view report.event_by_day is
  'One row per day, application, category, group and code of events. Users do not add up over rows.';
comment on column report.event_by_day.day is 'Day of the events in the reporting zone.';
comment on column report.event_by_day.code_name is 'Name of the code in the reference table of the category; NULL for an unknown code. Where the code has several meanings, as in different SDKs, all of them with a slash between.';
