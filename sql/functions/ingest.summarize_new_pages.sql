-- A BRIN index does not summarize appended pages until VACUUM runs, and until then every query reads them.
-- Autovacuum runs soon only after a load that has made the table much larger.
create or replace function ingest.summarize_new_pages(p_stream text) returns integer
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(brin_summarize_new_values(i.indexrelid)), 0)::integer
    from ingest.stream s
    join pg_index i on i.indrelid = format('game.%I', s.target_table)::regclass
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam
    where s.stream = p_stream and a.amname = 'brin' and c.relkind = 'i'
$$;
revoke execute on function ingest.summarize_new_pages from public;
comment on function ingest.summarize_new_pages is
  'Summarizes the new page ranges in the BRIN indexes of a stream''s table, and returns their number.';
