-- NULL in rows of before, and for a load that no target and no day was named for.
alter table ingest.load add column target text collate "C";
alter table ingest.load add column first_day date;
alter table ingest.load add column last_day date;
comment on column ingest.load.target is 'Target of the configuration file; NULL: none.';
comment on column ingest.load.first_day is 'First day of the files that the command run expected; NULL for other commands.';
comment on column ingest.load.last_day is 'Last day of these files; NULL like first_day.';
comment on column ingest.load.exit_code is
  'Exit code of the run, before --findings-exit and --accept-rejects; NULL while finished_at is NULL.';
