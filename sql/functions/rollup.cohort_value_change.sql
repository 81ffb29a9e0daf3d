create or replace function rollup.cohort_value_change()
returns table (app_id text, cohort_kind text, cohort_on date, day_n integer, paid_count bigint, converted_count bigint,
  base_amount numeric)
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
    select d.app_id, k.cohort_kind, k.cohort_on, s.day_n, sum(d.paid_count)::bigint,
        coalesce(sum(d.paid_count) filter (where e.rate is not null), 0)::bigint,
        coalesce(sum(d.amount_minor * u.minor_unit_value * e.rate), 0)
      from pg_temp.changed_cohort_day d
      join game.currency u on u.currency = d.currency
      left join rollup.day_rate e on e.currency = d.currency and e.day = d.day
      cross join lateral (values ('first_observed', d.first_observed_on), ('first_paid', d.first_paid_on)) k
        (cohort_kind, cohort_on)
      cross join lateral (select steps[1 + width_bucket(d.day - k.cohort_on, limits)] as day_n) s
      where k.cohort_on is not null and s.day_n is not null
      group by d.app_id, k.cohort_kind, k.cohort_on, s.day_n;
end
$$;
revoke execute on function rollup.cohort_value_change from public;
comment on function rollup.cohort_value_change is
  'Paid purchases by cohort and the first day of rollup.cohort_step at or after the purchase, in the base currency.';
