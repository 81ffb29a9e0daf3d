create or replace function rollup.read_players_again(p_player_numbers integer[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform rollup.require_working_tables();
  delete from pg_temp.touched_player t where t.player_no <> all (p_player_numbers);
  update pg_temp.touched_player t set is_late = true, since = '-infinity', reads_from = '-infinity',
    reads_receipts = true, first_day = '-infinity', period_start = '-infinity';
  analyze pg_temp.touched_player;
end
$$;
revoke execute on function rollup.read_players_again from public;
comment on function rollup.read_players_again is
  'Makes rollup.open_player_rows read all rows of these players, and none of others: new rows of theirs change what stored ones mean. Part of a refresh.';
