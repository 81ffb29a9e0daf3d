create or replace function rollup.cohort_revenue_change()
returns table (app_id text, cohort_kind text, cohort_on date, day_n integer, currency text,
  paid_count bigint, payer_count bigint, amount_minor numeric)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  steps constant integer[] := array(select s.day_n from rollup.cohort_step s order by s.day_n);
  -- Behind each day_n begins the next step.
  limits constant integer[] := array(select s.day_n + 1 from rollup.cohort_step s order by s.day_n);
begin
  return query
    select d.app_id, k.cohort_kind, k.cohort_on, s.day_n, d.currency, sum(d.paid_count)::bigint,
        sum(d.payer_count)::bigint, sum(d.amount_minor)
      from pg_temp.changed_cohort_day d
      cross join lateral (values ('first_observed', d.first_observed_on), ('first_paid', d.first_paid_on)) k
        (cohort_kind, cohort_on)
      cross join lateral (select steps[1 + width_bucket(d.day - k.cohort_on, limits)] as day_n) s
      where k.cohort_on is not null and s.day_n is not null
      group by d.app_id, k.cohort_kind, k.cohort_on, s.day_n, d.currency;
end
$$;
revoke execute on function rollup.cohort_revenue_change from public;
comment on function rollup.cohort_revenue_change is
  'Paid purchases by cohort, currency and the first day of rollup.cohort_step at or after the purchase.';
