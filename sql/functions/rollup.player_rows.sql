-- Every row of the cursor player_rows has all columns, of which each kind of row fills its own.
create or replace function rollup.player_rows(p_kind integer, p_source text, p_values jsonb) returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select format('select t.player_no, %s::smallint as kind, %s from pg_temp.touched_player t %s', p_kind,
      string_agg(format('(%s)::%s as %I', coalesce(p_values ->> c.name, 'null'), c.type, c.name), ', ' order by c.place),
      p_source)
    from (values
      (1, 'app_id', 'text'), (2, 'user_id', 'text'), (3, 'is_set_aside', 'boolean'), (4, 'has_other_rates', 'boolean'),
      (5, 'part', 'integer'), (6, 'rows', 'bytea'), (7, 'stream', 'text'), (8, 'at', 'timestamptz'),
      (9, 'last_at', 'timestamptz'), (10, 'payment_seq', 'text'), (11, 'currency', 'text'),
      (12, 'amount_minor', 'bigint'), (13, 'gamebase_product_id', 'text'), (14, 'store_code', 'text'),
      (15, 'is_sandbox', 'boolean'), (16, 'is_promotion', 'boolean'), (17, 'price_imprecise', 'boolean'),
      (18, 'expires_at', 'timestamptz'), (19, 'is_renewable', 'boolean'), (20, 'payment_id', 'text'),
      (21, 'original_payment_id', 'text'), (22, 'user_level', 'integer'), (23, 'character_id', 'text'),
      (24, 'channel_id', 'text'), (25, 'class_id', 'text'), (26, 'time_source', 'text'),
      (27, 'source_file_id', 'bigint'), (28, 'line_number', 'bigint')) c (place, name, type)
$$;
comment on function rollup.player_rows is
  'The query for one kind of rows of the touched players (t) and what joins them. p_values has the expressions of its columns. Part of rollup.open_player_rows.';
