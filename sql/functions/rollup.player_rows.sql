-- Every row of the cursor player_rows has all columns, of which each kind of row fills its own.
create or replace function rollup.player_rows(p_kind integer, p_source text, p_values jsonb) returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select format('select t.player_no, %s::smallint as kind, %s from pg_temp.touched_player t %s', p_kind,
      string_agg(format('(%s)::%s as %I', coalesce(p_values ->> c.name, 'null'), c.type, c.name), ', ' order by c.place),
      p_source)
    from (values
      (1, 'app_id', 'text'), (2, 'user_id', 'text'), (3, 'is_set_aside', 'boolean'), (4, 'part', 'integer'),
      (5, 'rows', 'bytea'), (6, 'stream', 'text'), (7, 'at', 'timestamptz'), (8, 'last_at', 'timestamptz'),
      (9, 'payment_seq', 'text'), (10, 'currency', 'text'), (11, 'amount_minor', 'bigint'),
      (12, 'gamebase_product_id', 'text'), (13, 'store_code', 'text'), (14, 'is_sandbox', 'boolean'),
      (15, 'is_promotion', 'boolean'), (16, 'price_imprecise', 'boolean'), (17, 'expires_at', 'timestamptz'),
      (18, 'is_renewable', 'boolean'), (19, 'payment_id', 'text'), (20, 'original_payment_id', 'text'),
      (21, 'user_level', 'integer'), (22, 'character_id', 'text'), (23, 'channel_id', 'text'), (24, 'class_id', 'text'),
      (25, 'time_source', 'text'), (26, 'source_file_id', 'bigint'), (27, 'line_number', 'bigint')) c (place, name, type)
$$;
comment on function rollup.player_rows is
  'The query for one kind of rows of the touched players (t) and what joins them. p_values has the expressions of its columns. Part of rollup.open_player_rows.';
