-- The planner knows no statistics of users, and would read whole tables for a few of them. Of a distributed table each
-- server plans for itself.
create or replace function rollup.rows_of_late_players(p_stream text, p_columns text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select case when ingest.is_distributed(p_stream)
    then format('select t.player_no, %s from pg_temp.touched_player t join game.%I r using (app_id, user_id) where t.is_late',
      p_columns, (select s.target_table from ingest.stream s where s.stream = p_stream))
    else coalesce(string_agg(case when p.is_indexed
      then format('select t.player_no, %s from pg_temp.touched_player t cross join lateral (%s) r where t.is_late',
        p_columns, p.indexed)
      else format('select t.player_no, %s from pg_temp.touched_player t join (%s) r using (app_id, user_id) where t.is_late',
        p_columns, p.others) end, ' union all '),
      -- No partition yet.
      format('select null::integer, %s from game.%I r where false', p_columns,
        (select s.target_table from ingest.stream s where s.stream = p_stream))) end
    from (
      select m.is_indexed,
          string_agg(format('select * from %s where app_id = t.app_id and user_id = t.user_id', m.partition), ' union all ')
            as indexed,
          string_agg(format('select * from %s', m.partition), ' union all ') as others
        from (
          select p.partition, rollup.has_user_index(p.partition) as is_indexed from ingest.month_partitions(p_stream) p
        ) m
        group by m.is_indexed
    ) p
$$;
revoke execute on function rollup.rows_of_late_players from public;
comment on function rollup.rows_of_late_players is
  'The query for all rows of the late players in one stream of monthly partitions, by the index on users where there is one. Part of rollup.open_player_rows.';
