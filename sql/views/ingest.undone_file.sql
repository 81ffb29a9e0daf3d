create or replace view ingest.undone_file as
select f.source_file_id, f.load_id, f.stream, coalesce(f.canonical_path, f.path) as path, f.undone_at, d.dismissed_at
from ingest.source_file f
left join lateral (
  select min(d.dismissed_at) as dismissed_at
  from ingest.failure_dismissal d
  where d.kind = 'undone' and d.stream = f.stream and d.path = coalesce(f.canonical_path, f.path)
    and d.dismissed_at >= f.undone_at
) d on true
where f.undone_at is not null
  and not exists (
    select from ingest.source_file o
    where o.sha256 = f.sha256 and o.empty_path = f.empty_path and o.stream = f.stream and o.undone_at is null)
  and not exists (
    select from ingest.source_file o
    where o.canonical_path = coalesce(f.canonical_path, f.path) and o.stream = f.stream and o.undone_at is null
      and o.source_file_id > f.source_file_id);

comment on view ingest.undone_file is
  'One row per undone file of which neither the bytes nor a later file of its path are loaded.';
comment on column ingest.undone_file.source_file_id is 'The file.';
comment on column ingest.undone_file.load_id is 'The run that loaded it.';
comment on column ingest.undone_file.stream is 'Its stream.';
comment on column ingest.undone_file.path is 'Path by which the file is recognized; as given if an older version loaded it.';
comment on column ingest.undone_file.undone_at is 'Time of the undo.';
comment on column ingest.undone_file.dismissed_at is 'Time of the first dismissal after the undo; NULL while it is an open failure.';
