create or replace function rollup.cohort_size_change()
returns table (app_id text, cohort_kind text, cohort_on date, cohort_size bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select p.app_id, k.cohort_kind, k.cohort_on, sum(p.sign)::bigint
      from pg_temp.player_change p
      cross join lateral (values ('first_observed', p.first_observed_on), ('first_paid', p.first_paid_on)) k
        (cohort_kind, cohort_on)
      where k.cohort_on is not null
      group by p.app_id, k.cohort_kind, k.cohort_on;
end
$$;
revoke execute on function rollup.cohort_size_change from public;
comment on function rollup.cohort_size_change is
  'Users by the day of their first observation and of their first paid purchase.';
