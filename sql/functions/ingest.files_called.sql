-- A number goes before all else, so that every file can be chosen. Eight digits of a digest are needed, because a shorter
-- name could consist of such digits by chance.
create or replace function ingest.files_called(p_name text, p_canonical_name text) returns setof bigint
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with called as (
    select f.source_file_id,
        case when f.source_file_id::text = p_name then 1
          when f.path = p_name or f.canonical_path = p_canonical_name
            or p_name ~ '^[0-9A-Fa-f]{8,64}$' and starts_with(encode(f.sha256, 'hex'), lower(p_name)) then 2
          when right(f.path, length(p_name) + 1) = '/' || p_name then 3 end as kind
      from ingest.source_file f
  )
  select c.source_file_id from called c where c.kind = (select min(kind) from called)
$$;
comment on function ingest.files_called is
  'The loaded and undone files that a name means: the file of that number, else those with that path, canonical path or beginning of a digest, else those whose path ends so after a slash. Part of the commands that choose files.';
