-- A killed run cannot record its end. One whose last heartbeat is older than a minute has missed at least three; a run
-- makes the first after 10 s, and the others every 15 s.
create or replace view ingest.recent_run as
select
  l.load_id, l.target, l.first_day, l.last_day, l.started_at, l.finished_at, l.seen_at, l.exit_code,
  count(f.source_file_id) as files, coalesce(sum(f.line_count), 0)::bigint as lines,
  case
    when l.finished_at is not null then 'finished'
    when coalesce(l.seen_at, l.started_at) > clock_timestamp() - interval '1 minute' then 'running'
    else 'killed'
  end as state
from ingest.load l
left join ingest.source_file f on f.load_id = l.load_id
where l.load_id in (
  (select load_id from ingest.load order by load_id desc limit 5)
  union all
  select max(load_id) from ingest.load where target is not null group by target
  union all
  select max(w.load_id) from ingest.load w
    where w.target is not null and exists (select from ingest.source_file o where o.load_id = w.load_id)
    group by w.target)
group by l.load_id;

comment on view ingest.recent_run is
  'One row per recent run: the last five, and of each target its last run and its last run with files.';
comment on column ingest.recent_run.load_id is 'The run.';
comment on column ingest.recent_run.target is 'Its target of the configuration file.';
comment on column ingest.recent_run.first_day is 'First day whose files it expected; NULL for other commands than run.';
comment on column ingest.recent_run.last_day is 'Last of these days.';
comment on column ingest.recent_run.started_at is 'Its start.';
comment on column ingest.recent_run.finished_at is 'Its end; NULL while it runs, and for a killed run.';
comment on column ingest.recent_run.seen_at is 'Its last heartbeat; NULL for a short run.';
comment on column ingest.recent_run.exit_code is 'Its exit code; NULL while finished_at is NULL.';
comment on column ingest.recent_run.files is 'Files that it loaded, undone ones included.';
comment on column ingest.recent_run.lines is 'Their lines.';
comment on column ingest.recent_run.state is 'finished, running, or killed: it has no end, and no heartbeat for more than a minute.';
