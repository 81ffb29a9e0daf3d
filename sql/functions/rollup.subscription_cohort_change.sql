create or replace function rollup.subscription_cohort_change()
returns table (app_id text, cohort_product_id text, cohort_month date, cohort_started_as text,
  renewal_number integer, chain_count bigint, renewed_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.cohort_product_id, c.cohort_month, c.cohort_started_as, c.renewal_number,
        sum(c.sign)::bigint, coalesce(sum(c.sign) filter (where c.is_renewed), 0)::bigint
      from pg_temp.subscription_period_change c
      where c.renewal_number is not null
      group by c.app_id, c.cohort_product_id, c.cohort_month, c.cohort_started_as, c.renewal_number;
end
$$;
revoke execute on function rollup.subscription_cohort_change from public;
comment on function rollup.subscription_cohort_change is
  'Chains by product and month of their first period, and number of a period.';
