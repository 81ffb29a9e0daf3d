create or replace view rollup.pending_file as
select f.source_file_id
from ingest.source_file f
join rollup.refresh_state s on s.stream = f.stream and s.source_file_id < f.source_file_id
where f.undone_at is null
union
select source_file_id
from rollup.touched_file
union
select source_file_id
from rollup.touched_row;

comment on view rollup.pending_file is
  'One row per file that was loaded, replayed, or changed in a row since the last refresh. The reports do not show these files, or not as they are now.';
comment on column rollup.pending_file.source_file_id is 'The file.';
