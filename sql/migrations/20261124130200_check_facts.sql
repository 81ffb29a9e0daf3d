-- What the data contract promises of every row, for rows that a role inserts by itself. One row dated centuries ahead
-- would make every report compute all days until then.
--
-- The checks hold for new rows at once; the next migration looks at the stored ones. The lock on the tables is then
-- short.
alter table game.receipt
  add constraint receipt_purchased_at_in_range check (purchased_at >= '2000-01-01 00:00Z' and purchased_at <= '2100-01-02 00:00Z') not valid,
  add constraint receipt_expires_at_in_range check (expires_at >= '2000-01-01 00:00Z' and expires_at <= '2100-01-01 00:00Z') not valid,
  add constraint receipt_payment_seq_named check (payment_seq <> '') not valid,
  add constraint receipt_user_id_named check (user_id <> '' and user_id <> '0') not valid,
  add constraint receipt_line_number_counted check (line_number >= 1) not valid;
alter table game.level_up
  add constraint level_up_leveled_up_at_in_range check (leveled_up_at >= '2000-01-01 00:00Z' and leveled_up_at <= '2100-01-02 00:00Z') not valid,
  add constraint level_up_user_id_named check (user_id <> '' and user_id <> '0') not valid,
  add constraint level_up_line_number_counted check (line_number >= 1) not valid;
alter table game.game_user_snapshot
  add constraint game_user_snapshot_observed_at_in_range check (observed_at >= '2000-01-01 00:00Z' and observed_at <= '2100-01-02 00:00Z') not valid,
  add constraint game_user_snapshot_user_id_named check (user_id <> '' and user_id <> '0') not valid,
  add constraint game_user_snapshot_line_number_counted check (line_number >= 1) not valid;
alter table game.item_snapshot
  add constraint item_snapshot_observed_at_in_range check (observed_at >= '2000-01-01 00:00Z' and observed_at <= '2100-01-02 00:00Z') not valid,
  add constraint item_snapshot_line_number_counted check (line_number >= 1) not valid;
alter table game.event
  add constraint event_occurred_at_in_range check (occurred_at >= '2000-01-01 00:00Z' and occurred_at <= '2100-01-02 00:00Z') not valid,
  add constraint event_user_id_named check (user_id <> '' and user_id <> '0') not valid,
  add constraint event_event_id_named check (event_id <> '') not valid,
  add constraint event_category_named check (category <> '') not valid,
  add constraint event_line_number_counted check (line_number >= 1) not valid;
