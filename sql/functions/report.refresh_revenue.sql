create or replace function report.refresh_revenue() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from report.revenue_day_rollup r
    using staging.touched_day t
    where r.app_id = t.app_id and r.purchased_on = t.day;
  insert into report.revenue_day_rollup (purchased_on, app_id, currency, store_code, gamebase_product_id,
      is_promotion, purchase_count, paid_count, payer_count, new_payer_count, free_count, unpriced_count,
      imprecise_count, unknown_sandbox_count, amount_minor, promotion_amount_minor)
    select r.purchased_on, r.app_id, r.currency, r.store_code, r.gamebase_product_id, r.is_promotion is true,
        count(*), count(*) filter (where r.is_paid),
        count(distinct r.player_id) filter (where r.is_paid),
        count(distinct r.player_id) filter (where r.is_paid and p.first_paid_on = r.purchased_on),
        count(*) filter (where r.amount_minor = 0), count(*) filter (where r.amount_minor is null),
        count(*) filter (where r.price_imprecise), count(*) filter (where r.is_sandbox is null),
        coalesce(sum(r.amount_minor) filter (where r.is_paid), 0),
        coalesce(sum(r.amount_minor) filter (where r.is_promotion), 0)
      from staging.touched_day t
      join report.purchase_rollup r on r.purchased_on = t.day and r.app_id = t.app_id
      join report.player_rollup p on p.player_id = r.player_id
      where r.is_sandbox is not true
      group by r.purchased_on, r.app_id, r.currency, r.store_code, r.gamebase_product_id, r.is_promotion is true
      -- The order of the key, so that the rows of a range of days lie together.
      order by r.app_id, r.purchased_on, r.currency, r.store_code, r.gamebase_product_id, r.is_promotion is true;

  delete from report.product_day_rollup r
    using staging.touched_day t
    where r.app_id = t.app_id and r.purchased_on = t.day;
  -- A paid purchase is no promotion, so the payers of a product are all in one of its two rows.
  insert into report.product_day_rollup (purchased_on, app_id, currency, store_code, gamebase_product_id,
      purchase_count, paid_count, payer_count, new_payer_count, amount_minor, total_amount_minor)
    select r.purchased_on, r.app_id, r.currency, r.store_code, r.gamebase_product_id,
        sum(r.purchase_count), sum(r.paid_count), sum(r.payer_count), sum(r.new_payer_count), sum(r.amount_minor),
        sum(sum(r.amount_minor)) over (partition by r.purchased_on, r.app_id, r.currency)
      from staging.touched_day t
      join report.revenue_day_rollup r on r.purchased_on = t.day and r.app_id = t.app_id
      group by r.purchased_on, r.app_id, r.currency, r.gamebase_product_id, r.store_code
      order by r.app_id, r.purchased_on, r.currency, r.gamebase_product_id, r.store_code;

  delete from report.sandbox_day_rollup r
    using staging.touched_day t
    where r.app_id = t.app_id and r.purchased_on = t.day;
  insert into report.sandbox_day_rollup (purchased_on, app_id, currency, store_code, gamebase_product_id,
      purchase_count, payer_count, amount_minor)
    select r.purchased_on, r.app_id, r.currency, r.store_code, r.gamebase_product_id,
        count(*), count(distinct r.player_id), coalesce(sum(r.amount_minor), 0)
      from staging.touched_day t
      join report.purchase_rollup r on r.purchased_on = t.day and r.app_id = t.app_id
      where r.is_sandbox
      group by r.purchased_on, r.app_id, r.currency, r.store_code, r.gamebase_product_id;
end
$$;
revoke execute on function report.refresh_revenue from public;
comment on function report.refresh_revenue is
  'Computes the touched days of the rollups of revenue, products and sandbox purchases. Part of report.refresh.';
