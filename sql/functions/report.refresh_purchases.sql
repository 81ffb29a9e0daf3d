-- A new level also changes the level of the player's purchases after it. So besides the touched receipts, the level of
-- each purchase of a touched player from its earliest touched row on is found again. Players whose touched rows come
-- after all others have no such purchase.
create or replace function report.refresh_purchases() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := report.reporting_zone();
  newest bigint := (select source_file_id from report.refresh_state where stream = 'receipt');
begin
  delete from report.purchase_rollup r
    using staging.touched_row t
    where t.stream = 'receipt' and t.source_file_id <= newest and r.payment_seq = t.payment_seq;

  perform report.empty_working_tables('staging.purchase', 'staging.level_point');
  insert into staging.purchase (payment_seq, player_id, app_id, purchased_at, purchased_on,
      gamebase_product_id, store_code, currency, amount_minor, is_sandbox, is_promotion, price_imprecise, is_paid,
      expires_at, product_type, payment_id, original_payment_id, market_item_id, item_seq, product_type_raw,
      price_raw, price_repaired, text_repaired, source_file_id, line_number)
    with receipt as (
      select f.* from game.receipt f where f.source_file_id > newest
      union all
      select f.* from game.receipt f
        where f.source_file_id <= newest and f.payment_seq in (
          select t.payment_seq from staging.touched_row t
            where t.stream = 'receipt' and t.source_file_id <= newest)
    )
    select f.payment_seq, p.player_id, f.app_id, f.purchased_at,
        (f.purchased_at at time zone zone)::date,
        f.gamebase_product_id, f.store_code, f.currency, f.amount_minor, f.is_sandbox, f.is_promotion,
        f.price_imprecise,
        f.is_sandbox is not true and f.is_promotion is not true and coalesce(f.amount_minor > 0, false),
        f.expires_at, f.product_type, f.payment_id, f.original_payment_id, f.market_item_id, f.item_seq,
        f.product_type_raw, f.price_raw, f.price_repaired, f.text_repaired, f.source_file_id, f.line_number
      from receipt f
      join report.player_rollup p on p.app_id = f.app_id and p.user_id = f.user_id;

  insert into staging.level_point (player_id, until)
    -- Times have milliseconds, so this is "at or before".
    select r.player_id, r.purchased_at + interval '1 microsecond' from staging.purchase r
    union
    select r.player_id, r.purchased_at + interval '1 microsecond'
      from staging.touched_player t,
        -- OFFSET keeps the planner from reading the purchases of all players.
        lateral (select * from report.purchase_rollup r
          where r.player_id = t.player_id and r.purchased_at >= t.since offset 0) r
      where not t.is_later;
  analyze staging.level_point;
  perform report.find_levels_at_points();

  with moved as (
    update report.purchase_rollup r
      set user_level = l.user_level, level_attribution = coalesce(l.level_attribution, 'none'),
        channel_id = l.channel_id, character_id = l.character_id, class_id = l.class_id
      from staging.touched_player t
      cross join lateral (select * from report.purchase_rollup r
        where r.player_id = t.player_id and r.purchased_at >= t.since offset 0) o
      left join staging.level_at_point l
        on l.player_id = o.player_id and l.until = o.purchased_at + interval '1 microsecond'
      where not t.is_later and r.payment_seq = o.payment_seq
        and (o.user_level, o.level_attribution, o.channel_id, o.character_id, o.class_id) is distinct from
          (l.user_level, coalesce(l.level_attribution, 'none'), l.channel_id, l.character_id, l.class_id)
      returning r.player_id
  )
  update staging.touched_player t set has_changed_purchase = true
    from moved m
    where t.player_id = m.player_id and not t.has_changed_purchase;

  update staging.purchase r
    set user_level = l.user_level, level_attribution = l.level_attribution,
      channel_id = l.channel_id, character_id = l.character_id, class_id = l.class_id
    from staging.level_at_point l
    where l.player_id = r.player_id and l.until = r.purchased_at + interval '1 microsecond';
  insert into report.purchase_rollup select r.* from staging.purchase r;
end
$$;
revoke execute on function report.refresh_purchases from public;
comment on function report.refresh_purchases is
  'Brings the touched receipts of report.purchase_rollup and the levels of purchases up to date. Part of report.refresh.';
