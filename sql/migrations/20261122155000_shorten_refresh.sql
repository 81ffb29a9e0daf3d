-- With the newest day of each player, a refresh knows which players have only new rows behind all others, and reads no
-- stored row of them.
alter table report.player_rollup add column newest_on date;
update report.player_rollup p set newest_on = d.newest_on
  from (select player_id, max(day) as newest_on from report.player_day_rollup group by player_id) d
  where d.player_id = p.player_id;
comment on column report.player_rollup.newest_on is
  'Newest day of the player in report.player_day_rollup; NULL for none.';

alter table staging.touched_player add column is_later boolean not null default false;
comment on column staging.touched_player.is_later is
  'True when all touched rows are of new files and fall on days after all stored days of the player.';

comment on table staging.purchase is
  'One row per receipt that a refresh adds to report.purchase_rollup. Empty between refreshes.';

-- New purchases are those of staging.purchase.
alter table staging.touched_payer drop column since;

-- The payers of a cohort follow from the players, and need no purchases.
alter table report.player_currency_rollup add column first_paid_on date;
update report.player_currency_rollup c set first_paid_on = r.first_paid_on
  from (
    select player_id, currency, min(purchased_on) as first_paid_on
      from report.purchase_rollup
      where is_paid
      group by player_id, currency
  ) r
  where r.player_id = c.player_id and r.currency = c.currency;
alter table report.player_currency_rollup alter column first_paid_on set not null;
comment on column report.player_currency_rollup.first_paid_on is 'Day of the first paid purchase in the currency.';

create unlogged table staging.player_purchase (
  player_id bigint not null,
  app_id text collate "C" not null,
  purchased_at timestamptz not null,
  purchased_on date not null,
  is_paid boolean not null,
  is_observation boolean not null,
  source_file_id bigint not null
);
alter table staging.player_purchase replica identity full;
comment on table staging.player_purchase is
  'One row per purchase of a touched player from since on. Empty between refreshes.';
comment on column staging.player_purchase.player_id is 'The player; see report.player_rollup.';
comment on column staging.player_purchase.app_id is 'The application.';
comment on column staging.player_purchase.purchased_at is 'Time of the purchase.';
comment on column staging.player_purchase.purchased_on is 'Day of the purchase.';
comment on column staging.player_purchase.is_paid is 'As in report.purchase_rollup.';
comment on column staging.player_purchase.is_observation is
  'True when the purchase is an observation of the user: a production purchase that a store did not renew by itself.';
comment on column staging.player_purchase.source_file_id is 'The file that brought the receipt.';

-- The order in which analysts sort the rows of a day, so that they come from the index as they are.
alter table report.product_day_rollup drop constraint product_day_once;
alter table report.product_day_rollup add constraint product_day_once unique nulls not distinct
  (app_id, purchased_on, currency, gamebase_product_id, store_code);

-- The triggers on the facts, a refresh and the drop of a month note rows by these columns.
alter table ingest.stream
  add column time_column text collate "C",
  add column time_source_column text collate "C",
  add column has_player boolean not null default true;
comment on column ingest.stream.time_column is
  'The column whose time puts a row into the days of the reports; NULL for a stream that no report reads.';
comment on column ingest.stream.time_source_column is
  'The column with the origin of that time: with load_start a row has no time of its own. NULL when every row has one.';
comment on column ingest.stream.has_player is
  'False when no figure of a player counts the rows: a refresh then ignores their user.';
update ingest.stream s set time_column = t.time_column, time_source_column = t.time_source_column
  from (values
    ('receipt', 'purchased_at', null),
    ('level_up', 'leveled_up_at', null),
    ('game_user', 'observed_at', 'observed_at_source')
  ) t (stream, time_column, time_source_column)
  where s.stream = t.stream;
-- A database of the version before has triggers that passed these values to their function.
drop trigger if exists note_update on game.receipt;
drop trigger if exists note_delete on game.receipt;
drop trigger if exists note_update on game.level_up;
drop trigger if exists note_delete on game.level_up;
drop trigger if exists note_update on game.game_user_snapshot;
drop trigger if exists note_delete on game.game_user_snapshot;
