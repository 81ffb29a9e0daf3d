-- Temporary tables go with the transaction, so an erasure leaves nothing in them, and no statistics of an earlier refresh
-- mislead the planner. They belong to the owner of this function. The caller may only add rows; other sessions cannot
-- reach them. An existing table of the name is an error, so no table of the caller takes their place.
create or replace function rollup.create_working_tables(p_is_full boolean, p_is_erasure boolean default false) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  kept record;
begin
  create temporary table current_refresh on commit drop as
    select p_is_full as is_full, p_is_erasure as is_erasure, bool_or(has_open_erasure) as was_open from rollup.refresh_state;
  create temporary table touched_player (
    player_no integer generated always as identity primary key,
    app_id text collate "C" not null,
    user_id text collate "C" not null,
    -- The reports have nothing of the player.
    is_set_aside boolean not null
  ) on commit drop;
  -- Where rows of known files have changed, come or gone.
  create temporary table changed_place (
    player_no integer not null,
    stream text collate "C" not null,
    event_at timestamptz,
    -- Of a receipt, which can change its time.
    payment_seq text collate "C"
  ) on commit drop;
  create temporary table touched_file (source_file_id bigint primary key) on commit drop;
  -- The rows of touched files, and the notes of rollup.touched_row; none in a rebuild, which reads all facts.
  create temporary table touched_row (like rollup.touched_row) on commit drop;
  alter table pg_temp.touched_row alter column user_id set statistics 0;
  create temporary table touched_day (
    stream text collate "C", app_id text collate "C", day date, primary key (stream, app_id, day)) on commit drop;
  create temporary table rate_change (
    currency text collate "C" not null,
    day date not null,
    -- NULL for no rate, like the new one.
    old_rate numeric,
    new_rate numeric
  ) on commit drop;
  for kept in
    -- The rows to add, and the keys of those to remove.
    select 'new_' || n.name as name, n.name as source, '*' as columns from rollup.narrow_tables() n
    union all
    select 'old_' || n.name, n.name, array_to_string(n.key, ', ') from rollup.narrow_tables() n
    union all
    -- The program adds the counts of players by key; a key can have several rows.
    select 'change_' || s.name, s.name, array_to_string(s.keys, ', ')
          || (select string_agg(format(', 0::numeric as %I', c.name), '' order by c.place)
            from unnest(s.counts) with ordinality c (name, place))
      from rollup.sums() s
    union all
    -- The players whose figures cannot be computed.
    select 'new_set_aside', 'set_aside_player', 'app_id, user_id, error'
  loop
    execute format('create temporary table %I on commit drop as select %s from rollup.%I limit 0', kept.name, kept.columns,
      kept.source);
    execute format('grant insert on pg_temp.%I to public', kept.name);
  end loop;
  -- The paid purchases that leave the sums in the base currency (sign -1) and that enter them; in a rebuild, all.
  execute format(
    'create temporary %s payment_change %s as
       select p.app_id, p.user_id, 1::smallint as sign, l.first_observed_on, l.first_paid_on, p.day, p.currency, p.amount_minor
         from rollup.purchase p join rollup.player l on l.app_id = p.app_id and l.user_id = p.user_id
         where p.is_paid %s', case when p_is_full then 'view' else 'table' end,
    case when not p_is_full then 'on commit drop' end, case when not p_is_full then 'limit 0' end);
  grant insert on pg_temp.payment_change to public;
end
$$;
comment on function rollup.create_working_tables is
  'Creates the temporary tables of a refresh. Part of rollup.begin_refresh and rollup.forget_user.';
