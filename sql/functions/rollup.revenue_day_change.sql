create or replace function rollup.revenue_day_change()
returns table (app_id text, day date, currency text, gamebase_product_id text, store_code text,
  is_promotion boolean, purchase_count bigint, paid_count bigint, payer_count bigint, new_payer_count bigint,
  free_count bigint, unpriced_count bigint, imprecise_count bigint, unknown_sandbox_count bigint, amount_minor numeric,
  promotion_amount_minor numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
-- A sort of all purchases by a day and four texts takes longer than a hash that does not fit into memory.
set enable_sort = off
as $$
#variable_conflict use_column
begin
  return query
    -- Bit 8 of firsts: the first of its day, currency, product and store; bit 11: of a new payer of the day.
    select r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code, r.is_promotion is true,
        sum(r.sign)::bigint, coalesce(sum(r.sign) filter (where r.is_paid), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 256 <> 0), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 2304 = 2304), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.amount_minor = 0), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.amount_minor is null), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.price_imprecise), 0)::bigint,
        coalesce(sum(r.sign) filter (where r.is_sandbox is null), 0)::bigint,
        coalesce(sum(r.sign * r.amount_minor) filter (where r.is_paid), 0),
        coalesce(sum(r.sign * r.amount_minor) filter (where r.is_promotion), 0)
      from pg_temp.purchase_change r
      where r.is_sandbox is not true
      group by r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code, r.is_promotion is true;
end
$$;
revoke execute on function rollup.revenue_day_change from public;
comment on function rollup.revenue_day_change is
  'Revenue of production purchases by day, currency, product, store and promotion flag. Payers are first purchases in their group.';
