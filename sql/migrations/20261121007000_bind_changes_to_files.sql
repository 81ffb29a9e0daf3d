-- From here on functions are in sql/functions, each once, and are applied again when they change.

-- Every change that a loader makes belongs to an entry of the ledger that its transaction has opened.
alter table ingest.source_file add column opened_by xid8;
comment on column ingest.source_file.opened_by is
  'The transaction that loaded the file, or replayed its refused lines last: no other one can add rows under the file''s number.';
create index source_file_opened_by on ingest.source_file (opened_by);
alter table ingest.source_file
  add column released_count bigint not null default 0,
  drop constraint outcomes_add_up,
  add constraint outcomes_add_up check (
    line_count = inserted_count + filled_count + duplicate_count + conflict_count
      + rejected_count + suppressed_count + blank_count + released_count),
  add constraint source_file_released_count_check check (released_count >= 0);
comment on column ingest.source_file.released_count is
  'Refused lines that a replay has taken up and that have no new outcome yet; 0 once its transaction has ended.';

-- Whose a refused line is, where that can be read: an erasure finds it by that, however little of the
-- line is stored.
alter table ingest.reject
  add column user_id text collate "C",
  add column app_id text collate "C",
  add column resolved_order bigint;
comment on column ingest.reject.user_id is 'The user of the line; NULL where it could not be read.';
comment on column ingest.reject.app_id is
  'The application of the line, or else of its file; NULL where it could not be read.';
comment on column ingest.reject.resolved_order is
  'When a replay loaded the line, as a number among those of files: files with larger numbers were loaded later.';
alter table ingest.failed_reject
  add column user_id text collate "C",
  add column app_id text collate "C";
comment on column ingest.failed_reject.user_id is 'The user of the line; NULL where it could not be read.';
comment on column ingest.failed_reject.app_id is
  'The application of the line, or else of its file; NULL where it could not be read.';
-- No text of a player is copied into pg_statistic.
alter table ingest.reject alter column user_id set statistics 0;
alter table ingest.failed_reject alter column user_id set statistics 0;

-- Rows wait for a merge in a temporary table: nobody else's lock is in its way.
drop table staging.receipt, staging.level_up, staging.game_user;
comment on schema staging is 'Functions that take rows on their way into game: see staging.open.';
comment on column ingest.stream.stream is 'Kind of record.';
drop function staging.merge(text);
drop function ingest.suppress_rejects(bigint[]);

-- These have no primary key, for a part of their keys can be NULL, or none at all. Without this, an update
-- or delete fails wherever a publication covers all tables.
alter table ingest.unknown_field replica identity full;
alter table ingest.erased_user replica identity full;
alter table ingest.row_digest_key replica identity full;
alter table game.level_up replica identity full;
alter table game.game_user_snapshot replica identity full;
do $$
declare
  partition regclass;
begin
  for partition in
    select inhrelid from pg_catalog.pg_inherits
      where inhparent in ('game.level_up'::regclass, 'game.game_user_snapshot'::regclass)
  loop
    execute format('alter table %s replica identity full', partition);
  end loop;
end
$$;
