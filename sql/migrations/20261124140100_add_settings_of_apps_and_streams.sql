-- Some settings have a value for all, and one of its own for an application or a stream, such as receipt-feed.APP.
alter table ingest.setting drop constraint setting_name_check;
alter table ingest.setting
  add constraint setting_name_check check (
    name in ('app-id', 'apps', 'time-zone', 'base-currency', 'receipt-feed', 'max-age', 'min-daily-lines')
      or name ~ '^(receipt-feed|max-age|min-daily-lines)\..'),
  add constraint setting_receipt_feed_check check (
    name !~ '^receipt-feed' or value in ('auto', 'files', 'events')),
  add constraint setting_number_check check (
    name !~ '^(max-age|min-daily-lines)' or value ~ '^[1-9][0-9]{0,6}$');
comment on column ingest.setting.name is
  'Name of the setting. app-id is the application of lines without one, apps the applications that lines may belong to, separated by commas (default: any), time-zone the zone of the days in the reports (default: UTC), base-currency the currency of converted revenue, receipt-feed the files that money views follow, receipt-feed.APP the same for one application, max-age the hours after which a stream is late, min-daily-lines the lines of a day below which a missing day counts for nothing, both also for one stream.';
