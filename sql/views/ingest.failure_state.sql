create or replace view ingest.failure_state as
select f.failed_file_id, coalesce(f.canonical_path, f.path) as path, d.dismissed_at
from ingest.failed_file f
left join lateral (
  select min(d.dismissed_at) as dismissed_at
  from ingest.failure_dismissal d
  where d.kind = f.kind and d.stream is not distinct from f.stream and d.path = coalesce(f.canonical_path, f.path)
    and d.dismissed_at >= f.failed_at
) d on true;

comment on view ingest.failure_state is
  'One row per failure of a file or path, with the path by which it is recognized, and its dismissal.';
comment on column ingest.failure_state.failed_file_id is 'The failure.';
comment on column ingest.failure_state.path is 'The canonical path; the path as given if an older version recorded the failure.';
comment on column ingest.failure_state.dismissed_at is 'Time of the first dismissal after the failure; NULL while it is open.';
