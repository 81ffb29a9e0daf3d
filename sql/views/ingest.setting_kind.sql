create or replace view ingest.setting_kind (place, name, subjects, default_value, form, fault, is_of_reports, meaning) as
values
  (1, 'app-id', '{}'::text[], null, '.', null, false,
    'the application of lines that name none, unless load --app-id names one'),
  (2, 'apps', '{}', null, '.', null, false,
    'the applications that lines may belong to; a line of another one fails its file'),
  (3, 'time-zone', '{}', 'UTC', '.', 'a time zone is UTC, or an area and a city such as Asia/Seoul', true,
    'the time zone of days, weeks and months in the reports'),
  (4, 'base-currency', '{}', null, '^[A-Z]{3}$', 'a currency is a code of three upper-case letters, such as KRW', true,
    'the currency of converted revenue; exchange rates are in units of it'),
  (5, 'receipt-feed', '{APP}', 'auto', '^(auto|files|events)$', 'a feed is auto, files or events', true,
    'the files that tell how far receipts go: files, events, or auto (files where there are some)'),
  (6, 'max-age', '{STREAM,APP}', '36', '^[1-9][0-9]{0,6}$', 'a number from 1 to 9999999 is needed', false,
    'the hours behind now after which a stream is late'),
  (7, 'min-daily-lines', '{STREAM}', '10', '^[1-9][0-9]{0,6}$', 'a number from 1 to 9999999 is needed', true,
    'the lines of a usual day below which a missing day is no alarm'),
  (8, 'min-usual-lines', '{STREAM}', '50', '^[1-9][0-9]{0,6}$', 'a number from 1 to 9999999 is needed', true,
    'the lines or paid purchases of a usual day below which days are not judged by their figures');

comment on view ingest.setting_kind is
  'One row per setting that a database can have. Some have a value for all, and values of their own for applications or streams, such as receipt-feed and receipt-feed.APP.';
comment on column ingest.setting_kind.place is 'Place in the lists of settings.';
comment on column ingest.setting_kind.name is 'Name of the setting for all.';
comment on column ingest.setting_kind.subjects is 'APP if an application can have a value of its own, STREAM if a stream can.';
comment on column ingest.setting_kind.default_value is 'Value while the setting is not set; NULL: none.';
comment on column ingest.setting_kind.form is 'Regular expression of its values.';
comment on column ingest.setting_kind.fault is 'Message about a value of another form.';
comment on column ingest.setting_kind.is_of_reports is 'True when the reports follow a change by a refresh.';
comment on column ingest.setting_kind.meaning is 'Its meaning.';
