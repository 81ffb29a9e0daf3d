create or replace function rollup.mrr_day_change()
returns table (app_id text, currency text, day date, change_count bigint, twelfths_change numeric,
  unknown_length_change bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.currency, e.day, sum(c.sign)::bigint,
        coalesce(sum(c.amount_minor::numeric * f.twelfths * e.step * c.sign), 0),
        coalesce(sum(e.step * c.sign) filter (where f.twelfths is null), 0)::bigint
      from pg_temp.subscription_period_change c
      cross join lateral (values (c.starts_on, 1), (c.ends_on, -1)) e (day, step)
      left join rollup.mrr_factor f on f.length_in_days = c.length_in_days
      where c.is_paid and c.period_kind is not null
      group by c.app_id, c.currency, e.day;
end
$$;
revoke execute on function rollup.mrr_day_change from public;
comment on function rollup.mrr_day_change is
  'Monthly prices of paid subscription periods that start and end, by day and currency.';
