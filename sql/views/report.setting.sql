create or replace view report.setting as
select s.name, s.value
from ingest.setting s
union all
select k.name, k.default_value
from ingest.setting_kind k
where k.default_value is not null and not exists (select from ingest.setting s where s.name = k.name)
union all
select 'refreshed_at', to_char(max(r.refreshed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
from rollup.refresh_state r
having max(r.refreshed_at) is not null
union all
select 'refreshed_through_load', max(r.load_id)::text
from rollup.refresh_state r
having max(r.load_id) is not null;

comment on view report.setting is
  'One row per setting of the database that has a value, and two rows on the state of the reports: refreshed_at (UTC) and refreshed_through_load, the newest run whose files they contain.';
comment on column report.setting.name is 'Name of the setting, as in gamebase-ingest settings; refreshed_at; refreshed_through_load.';
comment on column report.setting.value is 'Its value, as text.';
