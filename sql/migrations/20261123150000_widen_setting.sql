-- The time zone and the base currency of the reports.
alter table ingest.setting drop constraint setting_name_check;
alter table ingest.setting
  add constraint setting_name_check check (name in ('app-id', 'time-zone', 'base-currency')),
  -- PostgreSQL also reads offsets and abbreviations as time zones. +9 and Etc/GMT+9 mean 9 hours west of Greenwich.
  add constraint setting_time_zone_check check (name <> 'time-zone' or value = 'UTC'
    or value ~ '^[A-Za-z].*/.' and value !~ '^(Etc|posix|right)/'),
  add constraint setting_base_currency_check check (name <> 'base-currency' or value ~ '^[A-Z]{3}$');
comment on column ingest.setting.name is
  'Name of the setting. app-id is the application of lines without one, time-zone the zone of the days in the reports (default: UTC), base-currency the currency of converted revenue.';
