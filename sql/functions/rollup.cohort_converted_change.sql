create or replace function rollup.cohort_converted_change()
returns table (app_id text, cohort_on date, day_n integer, converted_count bigint)
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
    -- A purchase before the first observation (a subscription that a store continued) counts from day 0 on.
    select p.app_id, p.first_observed_on, s.day_n, sum(p.sign)::bigint
      from pg_temp.player_change p
      cross join lateral (
        select steps[1 + width_bucket(p.first_paid_on - p.first_observed_on, limits)] as day_n) s
      where p.first_paid_on is not null and p.first_observed_on is not null and s.day_n is not null
      group by p.app_id, p.first_observed_on, s.day_n;
end
$$;
revoke execute on function rollup.cohort_converted_change from public;
comment on function rollup.cohort_converted_change is
  'Users by their first observation and the first day of rollup.cohort_step by which they had paid.';
