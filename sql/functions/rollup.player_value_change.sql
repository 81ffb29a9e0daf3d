create or replace function rollup.player_value_change()
returns table (app_id text, user_id text, minor_unit integer, paid_count bigint, converted_count bigint,
  base_amount numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select r.app_id, r.user_id, coalesce(b.minor_unit, 0), sum(r.sign)::bigint,
        coalesce(sum(r.sign) filter (where e.rate is not null), 0)::bigint,
        coalesce(sum(r.sign * r.amount_minor * u.minor_unit_value * e.rate), 0)
      from pg_temp.purchase_change r
      cross join rollup.base_unit b
      join game.currency u on u.currency = r.currency
      left join rollup.day_rate e on e.currency = r.currency and e.day = r.day
      where r.is_paid
      group by r.app_id, r.user_id, b.minor_unit;
end
$$;
revoke execute on function rollup.player_value_change from public;
comment on function rollup.player_value_change is
  'Paid purchases by player, in the base currency.';
