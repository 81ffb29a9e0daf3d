create or replace function rollup.trial_end_change()
returns table (app_id text, gamebase_product_id text, month date, ends_at timestamptz, trial_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select c.app_id, c.gamebase_product_id, c.month, c.ends_at, sum(c.sign)::bigint
      from pg_temp.changed_trial c
      where not c.is_converted
      group by c.app_id, c.gamebase_product_id, c.month, c.ends_at;
end
$$;
revoke execute on function rollup.trial_end_change from public;
comment on function rollup.trial_end_change is
  'Trials that no converted period follows, by their end.';
