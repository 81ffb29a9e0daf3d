create or replace function ingest.restoring_assignments(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws(', ', (
      select string_agg(format('%1$I = case when k.restored ? %1$L then (k.restored ->> %1$L)::%2$s else t.%1$I end',
          f.field, format_type(a.atttypid, a.atttypmod)), ', ')
        from ingest.acceptable_fields(p_stream) f
        join pg_catalog.pg_attribute a
          on a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = f.field),
    'row_digest = null', (
      -- No conflict has a token, and a row never keeps one that does not match its digest.
      select string_agg(format(
          '%1$I = case when k.restored ? %2$L and t.%2$I::text is distinct from k.restored ->> %2$L
             then null else t.%1$I end', secret, secret || '_sha256'), ', ')
        from unnest(s.secret_columns) secret))
    from ingest.stream s where s.stream = p_stream
$$;
comment on function ingest.restoring_assignments is
  'The SET list that gives row t of a stream''s table the values in the JSON object k.restored, as text by column, and takes a token away that its digest no longer matches. Digests must print as hexadecimal text.';
