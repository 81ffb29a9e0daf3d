-- The sums of cohorts in all currencies and in the base currency begin alike.
create or replace function rollup.collect_changed_cohort_days() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Bit 4 of firsts: the first in its currency.
  create temporary table changed_cohort_day on commit drop as
    select r.app_id, r.first_observed_on, r.first_paid_on, r.day, r.currency, sum(r.sign) as paid_count,
        coalesce(sum(r.sign) filter (where r.firsts & 16 <> 0), 0) as payer_count,
        sum(r.sign * r.amount_minor) as amount_minor
      from pg_temp.purchase_change r
      where r.is_paid
      group by r.app_id, r.first_observed_on, r.first_paid_on, r.day, r.currency;
end
$$;
revoke execute on function rollup.collect_changed_cohort_days from public;
comment on function rollup.collect_changed_cohort_days is
  'Adds up the changed paid purchases by cohort, day and currency, in pg_temp.changed_cohort_day. Part of rollup.apply_sums and rollup.convert_purchases.';
