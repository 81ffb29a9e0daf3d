create or replace function rollup.level_revenue_change()
returns table (app_id text, currency text, user_level integer, level_attribution text, paid_count bigint,
  payer_count bigint, amount_minor numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    -- Bit 9 of firsts: the first in its currency at its level and attribution.
    select r.app_id, r.currency, r.user_level,
        case when r.is_level_exact then 'exact' when not r.is_level_exact then 'highest_of_several' else 'none' end,
        sum(r.sign)::bigint,
        coalesce(sum(r.sign) filter (where r.firsts & 512 <> 0), 0)::bigint, sum(r.sign * r.amount_minor)
      from pg_temp.purchase_change r
      where r.is_paid
      group by r.app_id, r.currency, r.user_level, r.is_level_exact;
end
$$;
revoke execute on function rollup.level_revenue_change from public;
comment on function rollup.level_revenue_change is
  'Paid purchases by currency, level at the purchase and attribution.';
