create or replace function rollup.finish_refresh() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
set default_statistics_target = 20
as $$
declare
  is_full boolean;
  is_erasure boolean;
  working record;
begin
  -- Not arguments: the sums of a rebuild would be wrong after anything else.
  select c.is_full, c.is_erasure into strict is_full, is_erasure from rollup.current_refresh() c;
  -- The next steps read what the step before has filled.
  perform rollup.analyze_grown();
  perform rollup.add_sums(is_full);
  if not is_erasure then
    perform rollup.refresh_operations(is_full, true);
    perform rollup.analyze_grown();
    perform rollup.refresh_horizons(case when not is_full then array(select distinct t.app_id from pg_temp.touched_day t) end);
    perform rollup.refresh_items(is_full);
    perform rollup.refresh_event_days(is_full);
    update rollup.refresh_state s
      set source_file_id = greatest(s.source_file_id, n.source_file_id), load_id = greatest(s.load_id, n.load_id),
        refreshed_at = now()
      from (
        -- A file also counts for the stream of records within its lines, because it brings rows of that one as well.
        select o.stream, max(f.source_file_id) as source_file_id, max(f.load_id) as load_id
          from rollup.refresh_state o
          join ingest.stream s on s.stream = o.stream or s.embedded_stream = o.stream
          left join ingest.source_file f on f.stream = s.stream and f.source_file_id > o.source_file_id
          group by o.stream
      ) n
      where s.stream = n.stream;
    delete from rollup.touched_row;
    delete from rollup.touched_file;
  end if;
  -- An erasure ends its own mark, and leaves that of another one to the next refresh.
  update rollup.refresh_state set has_open_erasure = false
    where has_open_erasure and not (is_erasure and (select was_open from pg_temp.current_refresh));
  -- A refresh in the same transaction creates the temporary tables again.
  for working in
    -- By its own name of the schema: Citus knows no schema pg_temp.
    select format('drop %s %I.%I', case c.relkind when 'v' then 'view' else 'table' end,
        c.relnamespace::regnamespace, c.relname) as statement
      from pg_catalog.pg_class c
      where c.relnamespace = pg_my_temp_schema() and pg_get_userbyid(c.relowner) = current_user
        and c.relkind in ('v', 'r')
        and (c.relname in ('current_refresh', 'touched_player', 'changed_place', 'touched_file', 'touched_row', 'touched_day',
            'rate_change', 'payment_change', 'new_set_aside', 'gone_history', 'player_row')
          or regexp_replace(c.relname, '^(new|old|change)_', '') in (
            select n.name from rollup.narrow_tables() n union all select s.name from rollup.sums() s))
  loop
    execute working.statement;
  end loop;
  perform rollup.analyze_grown();
end
$$;
comment on function rollup.finish_refresh is
  'Brings the sums and the other reports up to date after rollup.apply_players, records which files the reports contain, and drops the working tables; after ingest.erase_user, takes the erased user out of the sums. Ends a refresh or an erasure.';
