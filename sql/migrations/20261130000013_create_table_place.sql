-- The place of each table when the facts are distributed over several servers. Later migrations add the row of each new
-- table; a test refuses a table without one.
create table ingest.table_place (
  table_schema text collate "C",
  table_name text collate "C",
  distribution_column text collate "C",
  colocated_with text collate "C",
  primary key (table_schema, table_name),
  foreign key (table_schema, colocated_with) references ingest.table_place,
  check (colocated_with is null or distribution_column is not null)
);
comment on table ingest.table_place is
  'One row per table (partitions excepted), with its place in a cluster of servers. Written by: the migration that creates the table. Read by: gamebase-ingest distribute.';
comment on column ingest.table_place.table_schema is 'Schema of the table.';
comment on column ingest.table_place.table_name is 'Name of the table.';
comment on column ingest.table_place.distribution_column is
  'The column whose hash chooses the server of a row; NULL for a table that stays on the coordinator.';
comment on column ingest.table_place.colocated_with is
  'The table of the same schema whose rows with the same value lie on the same server; NULL for a table with shards of its own.';
insert into ingest.table_place (table_schema, table_name, distribution_column, colocated_with)
  select n.nspname, c.relname, d.distribution_column, d.colocated_with
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join (values
      ('receipt', 'payment_seq', null),
      ('level_up', 'user_id', null),
      ('game_user_snapshot', 'user_id', 'level_up'),
      ('event', 'event_id', null)
    ) d (name, distribution_column, colocated_with) on n.nspname = 'game' and d.name = c.relname
    where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging') and c.relkind in ('r', 'p')
      and not c.relispartition
    order by 1, 2;
