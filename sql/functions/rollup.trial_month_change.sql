create or replace function rollup.trial_month_change()
returns table (app_id text, gamebase_product_id text, month date, trial_count bigint, converted_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.gamebase_product_id, c.month, sum(c.sign)::bigint,
        coalesce(sum(c.sign) filter (where c.is_converted), 0)::bigint
      from pg_temp.changed_trial c
      group by c.app_id, c.gamebase_product_id, c.month;
end
$$;
revoke execute on function rollup.trial_month_change from public;
comment on function rollup.trial_month_change is
  'Trials by product and month of their start.';
