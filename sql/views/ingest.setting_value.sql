create or replace view ingest.setting_value as
select
  n.name as setting,
  coalesce(s.value, case when n.name = k.name then k.default_value end || ' (default)', '(none)') as value,
  coalesce(to_char(s.set_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') || ' by ' || s.set_by, '-') as set,
  k.meaning,
  row_number() over (order by n.name <> k.name, case when n.name = k.name then k.place end, n.name) as place
from ingest.setting_kind k
cross join lateral (
  select k.name union all select o.name from ingest.setting o where starts_with(o.name, k.name || '.')
) n
left join ingest.setting s on s.name = n.name;

comment on view ingest.setting_value is
  'One row per setting, and per application or stream with a value of its own.';
comment on column ingest.setting_value.setting is 'Name of the setting.';
comment on column ingest.setting_value.value is 'Its value or default, in words.';
comment on column ingest.setting_value.set is 'Time and role of the last change, in words.';
comment on column ingest.setting_value.meaning is 'Its meaning.';
comment on column ingest.setting_value.place is 'Its place in lists.';
