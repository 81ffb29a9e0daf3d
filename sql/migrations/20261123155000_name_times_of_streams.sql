-- A change of a fact, a refresh and the drop of a month note rows by these columns.
alter table ingest.stream
  add column time_column text collate "C",
  add column time_source_column text collate "C",
  add column has_player boolean not null default true;
comment on column ingest.stream.time_column is
  'The column whose time puts a row into the days of the reports; NULL for a stream that no report reads.';
comment on column ingest.stream.time_source_column is
  'The column with the origin of that time: with load_start a row has no time of its own. NULL when every row has one.';
comment on column ingest.stream.has_player is
  'False when no figure of a player counts the rows: a refresh then ignores their user.';
update ingest.stream s set time_column = t.time_column, time_source_column = t.time_source_column
  from (values
    ('receipt', 'purchased_at', null),
    ('level_up', 'leveled_up_at', null),
    ('game_user', 'observed_at', 'observed_at_source')
  ) t (stream, time_column, time_source_column)
  where s.stream = t.stream;
