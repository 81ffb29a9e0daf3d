-- Accepted lines lie over the values that the loads stored, in the order of their acceptance. So the loaded values and the
-- accepted lines, which ingest.conflict has, tell the values of a row; a chain of replaced values is not needed.
create table ingest.overlaid_row (
  overlaid_row_id bigint generated always as identity primary key,
  stream text collate "C" not null references ingest.stream,
  natural_key jsonb not null,
  loaded_values jsonb not null
);
-- A hash index, because a key can be longer than a B-tree entry may be.
create index overlaid_row_key on ingest.overlaid_row using hash (natural_key);
-- Without statistics, ANALYZE copies no player's values into pg_statistic.
alter table ingest.overlaid_row alter column loaded_values set statistics 0;
comment on table ingest.overlaid_row is
  'One row per stored row with accepted lines. The stored row has the loaded values, overlaid by those of its accepted lines in the order of their acceptance. Written by: ingest.accept_conflicts.';
comment on column ingest.overlaid_row.overlaid_row_id is 'Number of the entry.';
comment on column ingest.overlaid_row.stream is 'The stream of the row.';
comment on column ingest.overlaid_row.natural_key is 'Key of the row, as a JSON array of the key columns'' values.';
comment on column ingest.overlaid_row.loaded_values is
  'JSON object of the columns that accepted lines have set, with the values that the loads stored, as PostgreSQL prints them; null for a NULL column.';
insert into ingest.table_place (table_schema, table_name) values ('ingest', 'overlaid_row');
delete from ingest.table_place where table_schema = 'ingest' and table_name = 'accepted_value';

with field as (
  select s.stream, c.leader, f.field
    from ingest.stream s, unnest(s.compared_columns) c (leader),
      lateral (select c.leader union all select jsonb_array_elements_text(s.followers -> c.leader)) f (field)
    where c.leader <> all (s.secret_columns)
), first_line as (
  select distinct on (c.stream, c.natural_key, f.field) c.stream, c.natural_key, f.field, c.refused_row ->> f.field as value
    from ingest.conflict c join field f on f.stream = c.stream and c.refused_row ? f.leader
    where c.acceptance_id is not null
    order by c.stream, c.natural_key, f.field, c.acceptance_id, c.conflict_id
), first_entry as (
  select distinct on (v.stream, v.natural_key, v.field) v.stream, v.natural_key, v.field, v.before
    from ingest.accepted_value v
    join ingest.conflict c on c.stream = v.stream and c.source_file_id = v.source_file_id
      and c.line_number = v.line_number and c.acceptance_id = v.acceptance_id and c.refused_row is not null
    order by v.stream, v.natural_key, v.field, v.accepted_value_id
)
-- A value without an entry equals the loaded one.
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  select l.stream, l.natural_key, jsonb_object_agg(l.field, case when e.field is null then l.value else e.before end)
    from first_line l
    left join first_entry e on e.stream = l.stream and e.natural_key = l.natural_key and e.field = l.field
    group by l.stream, l.natural_key;

-- The values of lines that retention has removed are loaded ones from now on, in place of those that a fill supplied.
delete from ingest.fill f
  using ingest.accepted_value v
  where f.stream = v.stream and f.natural_key = v.natural_key and f.field = v.field
    and not exists (select from ingest.conflict c
      where c.stream = v.stream and c.source_file_id = v.source_file_id and c.line_number = v.line_number
        and c.acceptance_id = v.acceptance_id);
drop table ingest.accepted_value;
