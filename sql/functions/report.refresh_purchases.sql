-- A new level also changes the level of the player's purchases after it. So besides the touched receipts, the level of
-- each purchase of a touched player from its earliest touched row on is computed again.
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

  insert into report.purchase_rollup as r (payment_seq, player_id, app_id, user_id, purchased_at, purchased_on,
      gamebase_product_id, store_code, currency, amount_minor, is_sandbox, is_promotion, price_imprecise, is_paid,
      expires_at, product_type, payment_id, original_payment_id, user_level, level_attribution, channel_id,
      character_id, class_id, source_file_id, line_number)
    with receipt as (
      select f.* from game.receipt f where f.source_file_id > newest
      union all
      select f.* from game.receipt f
        where f.source_file_id <= newest and f.payment_seq in (
          select t.payment_seq from staging.touched_row t
            where t.stream = 'receipt' and t.source_file_id <= newest)
    )
    select f.payment_seq, p.player_id, f.app_id, f.user_id, f.purchased_at,
        (f.purchased_at at time zone zone)::date,
        f.gamebase_product_id, f.store_code, f.currency, f.amount_minor, f.is_sandbox, f.is_promotion,
        f.price_imprecise,
        f.is_sandbox is not true and f.is_promotion is not true and coalesce(f.amount_minor > 0, false),
        f.expires_at, f.product_type, f.payment_id, f.original_payment_id,
        l.user_level,
        case l.character_count when 1 then 'exact' else case when l.character_count > 1 then 'highest_of_several'
          else 'none' end end,
        case l.character_count when 1 then l.channel_id end,
        case l.character_count when 1 then l.character_id end,
        case l.character_count when 1 then l.class_id end,
        f.source_file_id, f.line_number
      from receipt f
      join report.player_rollup p on p.app_id = f.app_id and p.user_id = f.user_id
      -- Times have milliseconds, so this is "at or before".
      left join lateral report.level_before(p.player_id, f.purchased_at + interval '1 microsecond') l on true;

  update report.purchase_rollup r
    set user_level = n.user_level, level_attribution = n.level_attribution, channel_id = n.channel_id,
      character_id = n.character_id, class_id = n.class_id
    from (
      select o.payment_seq, l.user_level,
          case l.character_count when 1 then 'exact' else case when l.character_count > 1 then 'highest_of_several'
            else 'none' end end as level_attribution,
          case l.character_count when 1 then l.channel_id end as channel_id,
          case l.character_count when 1 then l.character_id end as character_id,
          case l.character_count when 1 then l.class_id end as class_id
        from staging.touched_player t
        join report.purchase_rollup o on o.player_id = t.player_id and o.purchased_at >= t.since
        left join lateral report.level_before(t.player_id, o.purchased_at + interval '1 microsecond') l on true
        where o.source_file_id <= newest
    ) n
    where r.payment_seq = n.payment_seq
      and (r.user_level, r.level_attribution, r.channel_id, r.character_id, r.class_id)
        is distinct from (n.user_level, n.level_attribution, n.channel_id, n.character_id, n.class_id);
end
$$;
revoke execute on function report.refresh_purchases from public;
comment on function report.refresh_purchases is
  'Brings the touched receipts of report.purchase_rollup and the levels of purchases up to date. Part of report.refresh.';
