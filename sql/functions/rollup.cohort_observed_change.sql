create or replace function rollup.cohort_observed_change()
returns table (app_id text, cohort_on date, day_n integer, observed_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  steps constant integer[] := array(select s.day_n from rollup.cohort_step s);
begin
  return query
    select d.app_id, d.first_observed_on, d.day - d.first_observed_on, sum(d.sign)::bigint
      from pg_temp.player_day_change d
      where d.is_observed and d.day - d.first_observed_on = any (steps)
      group by d.app_id, d.first_observed_on, d.day - d.first_observed_on;
end
$$;
revoke execute on function rollup.cohort_observed_change from public;
comment on function rollup.cohort_observed_change is
  'Users observed on a day of rollup.cohort_step after their first observation.';
