-- A role that copies rows by hand cannot insert what a refresh, an erasure or a report fails on. A key of an index has at
-- most 2,704 bytes.
alter table game.receipt add constraint receipt_identifiers_bounded check (
  greatest(octet_length(payment_seq), octet_length(app_id), octet_length(user_id), octet_length(gamebase_product_id),
    octet_length(market_item_id), octet_length(store_code)) <= 512);
alter table game.level_up add constraint level_up_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512);
alter table game.game_user_snapshot add constraint game_user_snapshot_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512);
alter table game.item_snapshot add constraint item_snapshot_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(gamebase_product_id), octet_length(market_item_id),
    octet_length(store_code)) <= 512);
alter table game.event add constraint event_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(event_id), octet_length(user_id), octet_length(category),
    octet_length(push_id), octet_length(payment_seq)) <= 512);

-- An erasure reads these lines as texts of up to 4 times the bytes.
alter table ingest.reject add constraint reject_raw_bounded check (octet_length(raw) <= 1048576);
alter table ingest.failed_reject add constraint failed_reject_raw_bounded check (octet_length(raw) <= 1048576);

alter table ingest.failed_file
  add constraint failed_file_times_finite check (isfinite(failed_at) and isfinite(first_failed_at)),
  add constraint failed_file_counts_bounded check (
    attempt_count <= 1000000000 and least(byte_count, line_count, rejected_count) >= 0);
alter table ingest.load
  add constraint load_times_finite check (isfinite(started_at) and isfinite(seen_at) and isfinite(finished_at)),
  add constraint load_days_finite check (isfinite(first_day) and isfinite(last_day));
