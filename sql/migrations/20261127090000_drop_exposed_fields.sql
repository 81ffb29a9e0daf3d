-- A view of the owner over the column extra shows a field without a column. These would be the views of what was exposed.
-- The program shows notices with this code, and no others.
do $$
declare
  line text;
begin
  perform set_config('client_min_messages', 'notice', true);
  for line in
    select format('create view fields.%1$I as select %2$s, extra ->> %3$L as %4$I from game.%5$I where extra ->> %3$L is not null;',
        e.stream || '_' || e.field,
        (select string_agg(quote_ident(k.name), ', ' order by k.position)
          from unnest(s.key_columns) with ordinality k (name, position)),
        e.field, e.field, s.target_table)
      from ingest.field_exposure e join ingest.stream s using (stream)
      where e.hidden_at is null
      order by e.stream, e.field
  loop
    raise notice using errcode = 'NOTED', message = line;
  end loop;
end
$$;
drop view if exists report.exposed_field;
drop table rollup.exposed_field;
drop table rollup.read_field;
drop table ingest.field_exposure;
delete from ingest.table_place
  where (table_schema, table_name) in
    (('rollup', 'exposed_field'), ('rollup', 'read_field'), ('ingest', 'field_exposure'));
