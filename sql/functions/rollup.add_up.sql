-- A rebuild adds the difference between the sums of all rows and the stored ones, so it writes nothing where they agree.
-- The rows are written in the order of the key: the index grows at its end and is a fifth smaller, and a query of some
-- days reads neighbouring pages.
create or replace function rollup.add_up(p_sum text, p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  target constant regclass := format('rollup.%I', p_sum)::regclass;
  keys text;
  -- The keys in the order of their index, whatever the collation of the database.
  ordered text;
  added text;
  removed text;
  counts text;
  sums text;
  is_compared boolean := false;
  emptied tid[];
begin
  select string_agg(quote_ident(a.attname), ', ' order by k.place),
      string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', '
        order by k.place)
    into keys, ordered
    from pg_catalog.pg_constraint o
    cross join unnest(o.conkey) with ordinality k (number, place)
    join pg_catalog.pg_attribute a on a.attrelid = target and a.attnum = k.number
    where o.conrelid = target and o.contype = 'u';
  select string_agg(format('sum(c.%I)', v.name), ', ' order by v.place),
      string_agg(format('-%I', v.name), ', ' order by v.place),
      string_agg(quote_ident(v.name), ', ' order by v.place),
      string_agg(format('%1$I = t.%1$I + excluded.%1$I', v.name), ', ' order by v.place)
    into added, removed, counts, sums
    from pg_catalog.pg_proc p
    cross join unnest(p.proargnames) with ordinality v (name, place)
    where p.pronamespace = 'rollup'::regnamespace and p.proname = p_sum || '_change'
      and v.name <> all (string_to_array(keys, ', '));
  if p_is_full then
    execute format('select exists (select from rollup.%I)', p_sum) into is_compared;
  end if;
  execute format(
    'with change as (
       %1$s
     ), changed as (
       insert into rollup.%2$I as t (%3$s, %4$s) select * from change order by %8$s
         on conflict on constraint %5$I do update set %6$s
         returning t.ctid as place, t.%7$s as row_count
     )
     select array_agg(place) from changed where row_count = 0',
    -- A change has each key once, so only the stored sums make a second row of a key.
    format(case when is_compared
      then 'select %1$s, %4$s from (select %1$s, %2$s from rollup.%3$I() union all select %1$s, %5$s from rollup.%6$I) c
         group by %1$s having (%4$s) <> (%7$s)'
      else 'select %1$s, %2$s from rollup.%3$I() where (%2$s) <> (%7$s)' end,
      keys, counts, p_sum || '_change', added, removed, p_sum,
      rpad('0', 3 * array_length(string_to_array(counts, ', '), 1) - 2, ', 0')),
    p_sum, keys, counts, p_sum || '_key', sums, split_part(counts, ', ', 1), ordered)
    into emptied;
  if emptied is not null then
    execute format('delete from rollup.%I t where t.ctid = any ($1)', p_sum) using emptied;
  end if;
end
$$;
revoke execute on function rollup.add_up from public;
comment on function rollup.add_up is
  'Adds what the function <sum>_change selects to the sum of that name, and deletes rows that count nothing any more. Part of rollup.finish_refresh.';
