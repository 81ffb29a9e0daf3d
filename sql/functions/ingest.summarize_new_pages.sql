-- What a load appends is in no summary until VACUUM comes by, and until then every query reads it.
-- After a load that made the table much larger autovacuum comes soon; after others it does not.
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
  'Brings the BRIN indexes of a stream''s table up to date; says how many ranges were summed up.';
