create or replace function rollup.player_currency_change()
returns table (app_id text, user_id text, currency text, paid_count bigint, amount_minor numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select r.app_id, r.user_id, r.currency, sum(r.sign)::bigint, sum(r.sign * r.amount_minor)
      from pg_temp.purchase_change r
      where r.is_paid
      group by r.app_id, r.user_id, r.currency;
end
$$;
revoke execute on function rollup.player_currency_change from public;
comment on function rollup.player_currency_change is
  'Paid purchases by player and currency.';
