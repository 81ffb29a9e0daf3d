-- The planner knows no statistics of users, and would read whole tables for a few of them. Of a distributed table each
-- server plans for itself.
--
-- A month that ends before the rows of a player is not searched for that player.
create or replace function rollup.rows_of_late_players(p_stream text, p_columns text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with stream as (
    -- No index serves this form; the one that begins with the time would read its months for each player.
    select s.target_table, format('(%I >= t.reads_from) is true', s.time_column) as condition
      from ingest.stream s
      where s.stream = p_stream
  ), month as (
    select m.is_indexed,
        string_agg(format('select * from %s where t.reads_from < %L and app_id = t.app_id and user_id = t.user_id and %s',
          m.partition, (m.month + interval '1 month') at time zone 'UTC', s.condition), ' union all ') as indexed,
        string_agg(format('select * from %s', m.partition), ' union all ') as others
      from stream s
      cross join lateral (
        select p.partition, p.month, rollup.has_user_index(p.partition) as is_indexed from ingest.month_partitions(p_stream) p
      ) m
      group by m.is_indexed
  )
  select case when ingest.is_distributed(p_stream)
    then format($sql$select t.player_no, %s from pg_temp.touched_player t join game.%I r using (app_id, user_id)
        where t.since < 'infinity' and %s$sql$, p_columns, s.target_table, s.condition)
    else coalesce((
      select string_agg(case when m.is_indexed
          then format($sql$select t.player_no, %s from pg_temp.touched_player t cross join lateral (%s) r
            where t.since < 'infinity'$sql$, p_columns, m.indexed)
          else format($sql$select t.player_no, %s from pg_temp.touched_player t join (%s) r using (app_id, user_id)
            where t.since < 'infinity' and %s$sql$, p_columns, m.others, s.condition) end, ' union all ')
        from month m),
      -- No partition yet.
      format('select null::integer, %s from game.%I r where false', p_columns, s.target_table)) end
    from stream s
$$;
revoke execute on function rollup.rows_of_late_players from public;
comment on function rollup.rows_of_late_players is
  'The query for the rows that a refresh reads again of late players, in one stream of monthly partitions, by the index on users where there is one. Part of rollup.open_player_rows.';
