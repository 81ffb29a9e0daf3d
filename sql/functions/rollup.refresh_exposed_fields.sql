-- A field that was exposed since the last refresh is read from all rows of its stream; of the others only new and changed
-- rows are read.
create or replace function rollup.refresh_exposed_fields(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  exposed record;
  replayed bigint[];
begin
  delete from rollup.exposed_field e
    where p_is_full or not exists (
      select from ingest.field_exposure x where x.stream = e.stream and x.field = e.field and x.hidden_at is null);
  delete from rollup.read_field e
    where p_is_full or not exists (
      select from ingest.field_exposure x where x.stream = e.stream and x.field = e.field and x.hidden_at is null);
  perform rollup.reread_exposed_rows();
  for exposed in
    select x.stream, s.source_file_id as newest,
        coalesce(array_agg(x.field) filter (where r.field is not null), '{}') as known,
        coalesce(array_agg(x.field) filter (where r.field is null), '{}') as added
      from ingest.field_exposure x
      join rollup.refresh_state s on s.stream = x.stream
      left join rollup.read_field r on r.stream = x.stream and r.field = x.field
      where x.hidden_at is null
      group by x.stream, s.source_file_id
  loop
    replayed := array(
      select distinct t.source_file_id
        from rollup.touched_file t join ingest.source_file f using (source_file_id)
        where ingest.brings_rows_of(f.stream, exposed.stream) and t.source_file_id <= exposed.newest);
    delete from rollup.exposed_field e where e.stream = exposed.stream and e.source_file_id = any (replayed);
    perform rollup.expose_rows(exposed.stream, exposed.known,
        format('r.source_file_id > %s or r.source_file_id = any ($2)', exposed.newest), replayed)
      where exposed.known <> '{}';
    perform rollup.expose_rows(exposed.stream, exposed.added, 'true', '{}') where exposed.added <> '{}';
    insert into rollup.read_field (stream, field) select exposed.stream, unnest(exposed.added);
  end loop;
end
$$;
revoke execute on function rollup.refresh_exposed_fields from public;
comment on function rollup.refresh_exposed_fields is
  'Brings rollup.exposed_field up to date with the rows and with the exposed fields. Part of a refresh.';
