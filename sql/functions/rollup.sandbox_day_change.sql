create or replace function rollup.sandbox_day_change()
returns table (app_id text, day date, currency text, gamebase_product_id text, store_code text,
  purchase_count bigint, payer_count bigint, amount_minor numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    -- Bit 10 of firsts: the first sandbox purchase of its day, currency, product and store.
    select r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code, sum(r.sign)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 1024 <> 0), 0)::bigint,
        coalesce(sum(r.sign * r.amount_minor), 0)
      from pg_temp.purchase_change r
      where r.is_sandbox
      group by r.app_id, r.day, r.currency, r.gamebase_product_id, r.store_code;
end
$$;
revoke execute on function rollup.sandbox_day_change from public;
comment on function rollup.sandbox_day_change is
  'Nominal revenue of sandbox purchases by day, currency, product and store.';
