create or replace function rollup.narrow_tables() returns table (name text, key text[])
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  values
    ('player', array['app_id', 'user_id']),
    ('player_day', array['app_id', 'user_id', 'day']),
    ('purchase', array['app_id', 'user_id', 'payment_seq']),
    ('subscription_period', array['app_id', 'user_id', 'payment_seq']),
    ('history', array['app_id', 'user_id', 'part']),
    ('current_game_user', array['app_id', 'user_id', 'channel_id', 'character_id']),
    ('character_change', array['app_id', 'user_id', 'channel_id', 'character_id', 'valid_from'])
$$;
comment on function rollup.narrow_tables is
  'The tables of schema rollup with rows of single players, which a refresh gets from the program, and the columns that identify a row.';
