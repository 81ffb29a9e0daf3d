create or replace function rollup.currency_period_change()
returns table (app_id text, currency text, period text, period_start date, paid_count bigint,
  payer_count bigint, amount_minor numeric, new_payer_amount_minor numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    -- Bits of firsts: 5, 6 and 7 the first in the currency of the day, week and month; 11, 12 and 13 of a new payer.
    with day as (
      select r.app_id, r.currency, r.day, r.firsts & 14560 as firsts, sum(r.sign) as paid_count,
          sum(r.sign * r.amount_minor) as amount_minor
        from pg_temp.purchase_change r
        where r.is_paid
        group by r.app_id, r.currency, r.day, r.firsts & 14560
    )
    select d.app_id, d.currency, c.period, c.period_start, sum(d.paid_count)::bigint,
        sum(d.paid_count * (d.firsts >> (c.first_bit + 4) & 1))::bigint, sum(d.amount_minor),
        sum(d.amount_minor * (d.firsts >> (c.first_bit + 10) & 1))
      from day d cross join lateral rollup.periods_of_day(d.day) c
      group by d.app_id, d.currency, c.period, c.period_start;
end
$$;
revoke execute on function rollup.currency_period_change from public;
comment on function rollup.currency_period_change is
  'Paid purchases by currency and by day, week and month.';
