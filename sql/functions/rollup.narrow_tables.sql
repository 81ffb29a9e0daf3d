create or replace function rollup.narrow_tables() returns regclass[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select array['rollup.player', 'rollup.player_day', 'rollup.purchase', 'rollup.subscription_period',
    'rollup.player_character', 'rollup.current_game_user', 'rollup.character_change']::regclass[]
$$;
revoke execute on function rollup.narrow_tables from public;
comment on function rollup.narrow_tables is 'The tables whose rows the fold over the rows of a player gives.';
