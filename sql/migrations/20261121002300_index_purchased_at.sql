-- Receipts come about in the order of time, so the smallest and largest time of each 32 pages are
-- enough to find a month or a day. A load pays next to nothing for it; a B-tree would cost it a fifth.
create index receipt_purchased_at on game.receipt using brin (purchased_at) with (pages_per_range = 32);

-- What a load appends is in no summary until VACUUM comes by, and until then every query reads it.
-- After a load that made the table much larger autovacuum comes soon; after others it does not.
create function ingest.summarize_new_pages(p_stream text) returns integer
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
revoke execute on function ingest.summarize_new_pages(text) from public;
comment on function ingest.summarize_new_pages(text) is
  'Brings the BRIN indexes of a stream''s table up to date; says how many ranges were summed up.';
