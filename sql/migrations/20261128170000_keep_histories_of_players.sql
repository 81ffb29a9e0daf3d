-- A refresh computes what the reports have of a player from the rows that they know, and no longer from a state beside
-- the figures. The next refresh makes all reports anew, because no player has a history.
create table rollup.history (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  part integer not null,
  rows bytea not null check (octet_length(rows) <= 1048576),
  primary key (app_id, user_id, part)
);
alter table rollup.history alter column user_id set statistics 0, alter column rows set statistics 0,
  alter column rows set storage external;
comment on table rollup.history is
  'One row per application, user and part of the rows that the reports know of the user: what figures of players depend on, as bytes. Written by: rollup.apply_players.';
comment on column rollup.history.app_id is 'The application.';
comment on column rollup.history.user_id is 'The user.';
comment on column rollup.history.part is 'Number of the part; new rows join the last one.';
comment on column rollup.history.rows is
  'Receipts, level-ups, snapshots and kept observations; HistoryEncoder.swift describes the form. A part begins with the version of the form and has about 1,600 bytes.';
insert into ingest.table_place (table_schema, table_name) values ('rollup', 'history');

drop table rollup.player_character;
delete from ingest.table_place where table_schema = 'rollup' and table_name = 'player_character';
alter table rollup.player
  drop column last_observed_in, drop column receipt_count, drop column subscription_count, drop column newest_at,
  drop column observed_on, drop column level_up_on, drop column snapshot_on, drop column paid_groups,
  drop column awaits_original;
alter table rollup.purchase drop column is_observation;
alter table rollup.subscription_period
  drop column purchased_at, drop column expires_at, drop column payment_id, drop column original_payment_id;
