-- The applications that lines may belong to, so that a mistyped name makes no further game.
alter table ingest.setting drop constraint setting_name_check;
alter table ingest.setting
  add constraint setting_name_check check (name in ('app-id', 'apps', 'time-zone', 'base-currency'));
comment on column ingest.setting.name is
  'Name of the setting. app-id is the application of lines without one, apps the applications that lines may belong to, separated by commas (default: any), time-zone the zone of the days in the reports (default: UTC), base-currency the currency of converted revenue.';
