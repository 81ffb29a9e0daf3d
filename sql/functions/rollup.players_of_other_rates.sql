create or replace function rollup.players_of_other_rates() returns table (app_id text, user_id text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- Days of an application are found by an index.
  return query
    select distinct p.app_id, p.user_id
      from (select distinct app_id from rollup.cohort_size where cohort_kind = 'first_paid') a
      cross join (select distinct day from pg_temp.rate_change) d
      join rollup.purchase p on p.app_id = a.app_id and p.day = d.day
      join pg_temp.rate_change c on c.currency = p.currency and c.day = p.day
      where p.is_paid;
end
$$;
revoke execute on function rollup.players_of_other_rates from public;
comment on function rollup.players_of_other_rates is
  'The players with a paid purchase on a day whose rate differs from the one that the reports have. Part of rollup.begin_refresh.';
