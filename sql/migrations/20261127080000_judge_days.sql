-- Days are judged after a load, by what is stored, and kept open like failures until they are right or dismissed.
create table ingest.open_day (
  app_id text collate "C" not null,
  stream text collate "C" not null references ingest.stream,
  day date not null check (isfinite(day)),
  kind text collate "C" not null check (kind in ('implausible', 'incomplete')),
  reason text not null,
  first_found_at timestamptz not null default now(),
  primary key (app_id, stream, day)
);
comment on table ingest.open_day is
  'One row per application, stream and day in the reporting zone whose figures are implausible, or which has no line, and which nobody has dismissed. No period from such a day on is complete. Written by: a refresh, and gamebase-ingest failures dismiss.';
comment on column ingest.open_day.app_id is 'The application.';
comment on column ingest.open_day.stream is 'The stream; for an amount of money the one whose files tell how far the receipts go.';
comment on column ingest.open_day.day is 'The day.';
comment on column ingest.open_day.kind is 'implausible: far fewer or far more lines than usual, or an amount of a currency in another unit; incomplete: no line.';
comment on column ingest.open_day.reason is 'The figures in a sentence.';
comment on column ingest.open_day.first_found_at is 'When a refresh first found the day.';
insert into ingest.table_place (table_schema, table_name) values ('ingest', 'open_day');

-- The days that the files of an existing database brought were never judged, and need no answer now.
alter table ingest.stream add column judged_from date;
comment on column ingest.stream.judged_from is
  'First day that is judged by its figures; NULL: all. Set where an older version has loaded the days before.';
update ingest.stream s
  set judged_from = (now() at time zone coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC'))::date
  where exists (select from ingest.source_file f where f.stream = s.stream);

alter table ingest.source_file
  add column canonical_path text collate "C",
  add column asked_on date check (isfinite(asked_on)),
  add constraint asked_on_of_empty_file check (asked_on is null or line_count = blank_count);
comment on column ingest.source_file.canonical_path is
  'The path by which a file is recognized: the real path of its folder, and its name; - for standard input; NULL if an older version loaded the file.';
comment on column ingest.source_file.asked_on is
  'The day for which a run took a file without a record; NULL for other files.';
comment on column ingest.source_file.app_id is
  'The option --app-id, else the setting app-id: the application of lines without one; of a file without a record else the option --expect-app. NULL when none was given.';
create index source_file_undone on ingest.source_file (sha256) where undone_at is not null;
create index source_file_asked on ingest.source_file (stream, app_id, asked_on) where asked_on is not null;
-- A hash index, because a path can be longer than a B-tree entry may be.
create index source_file_path on ingest.source_file using hash (canonical_path) where undone_at is null;

alter table ingest.failed_file
  add column kind text collate "C" not null default 'failed' check (kind in ('failed', 'missing')),
  add column app_id text collate "C";
comment on column ingest.failed_file.kind is 'failed: a file; missing: a path that found no file.';
comment on column ingest.failed_file.app_id is
  'The application that the run expected: --app-id, else --expect-app, else the setting app-id; NULL: unknown.';
update ingest.failed_file set kind = 'missing' where error_code = 7;

-- A dismissal holds for what a failure is about, not for one attempt.
alter table ingest.failure_dismissal
  add column dismissal_id bigint generated always as identity,
  add column kind text collate "C" not null default 'failed'
    check (kind in ('failed', 'missing', 'undone', 'implausible', 'incomplete')),
  add column app_id text collate "C",
  alter column load_id drop not null;
update ingest.failure_dismissal d set kind = f.kind, path = coalesce(f.canonical_path, f.path)
  from ingest.failed_file f
  where f.failed_file_id = d.failed_file_id;
drop view if exists report.health;
drop view if exists report.open_failure;
drop view if exists report.load_history;
alter table ingest.failure_dismissal
  drop constraint failure_dismissal_pkey,
  drop column failed_file_id,
  alter column kind drop default,
  add constraint failure_dismissal_pkey primary key (dismissal_id);
create index failure_dismissal_path on ingest.failure_dismissal using hash (path);
comment on table ingest.failure_dismissal is
  'One row per dismissal of an open failure, which needs no further action. A file that fails again later is open again; a day stays dismissed. Written by: gamebase-ingest failures dismiss.';
comment on column ingest.failure_dismissal.dismissal_id is 'Number of the dismissal.';
comment on column ingest.failure_dismissal.kind is 'Kind of the failure, as in report.open_failure.';
comment on column ingest.failure_dismissal.stream is 'The stream of the failure; NULL when unknown.';
comment on column ingest.failure_dismissal.path is 'Path of the failure, as report.open_failure showed it.';
comment on column ingest.failure_dismissal.app_id is 'The application of the failure; NULL when it was unknown, or several.';
comment on column ingest.failure_dismissal.load_id is 'The run that failed; NULL for a failure of another kind.';
comment on column ingest.failure_dismissal.reason is 'The error.';
comment on column ingest.failure_dismissal.failed_at is 'Time of the last attempt, or when the failure was found.';
-- Until now nobody had to dismiss what was undone.
insert into ingest.failure_dismissal (kind, stream, path, reason, failed_at, note)
  select distinct on (f.stream, f.path) 'undone', f.stream, f.path, 'The file was undone.', f.undone_at,
      'undone before undone files were failures'
    from ingest.source_file f
    where f.undone_at is not null
    order by f.stream, f.path, f.undone_at desc;

alter table rollup.app_horizon
  add column receipt_trusted_at timestamptz,
  add column trusted_at timestamptz;
update rollup.app_horizon set receipt_trusted_at = receipt_newest_at, trusted_at = horizon_at;
comment on column rollup.app_horizon.receipt_trusted_at is
  'receipt_newest_at, but not beyond the beginning of the first open day of the followed feed: money views are complete up to here.';
comment on column rollup.app_horizon.trusted_at is
  'horizon_at, but no stream counts beyond the beginning of its first open day: views over all streams are complete up to here.';

alter table ingest.setting
  drop constraint setting_name_check,
  drop constraint setting_number_check,
  add constraint setting_name_check check (
    name in ('app-id', 'apps', 'time-zone', 'base-currency', 'receipt-feed', 'max-age', 'min-daily-lines', 'min-usual-lines')
      or name ~ '^(receipt-feed|max-age|min-daily-lines|min-usual-lines)\..'),
  add constraint setting_number_check check (
    name !~ '^(max-age|min-daily-lines|min-usual-lines)' or value ~ '^[1-9][0-9]{0,6}$');
comment on column ingest.setting.name is
  'Name of the setting. app-id is the application of lines without one, apps the applications that lines may belong to, separated by commas (default: any), time-zone the zone of the days in the reports (default: UTC), base-currency the currency of converted revenue, receipt-feed the files that money views follow, receipt-feed.APP the same for one application, max-age the hours after which a stream is late, also for one application or stream, min-daily-lines the lines of a day below which a missing day counts for nothing, min-usual-lines the lines of a usual day below which days are not judged by their figures, both also for one stream.';
