-- A search for the rows of a player can read a whole table. So a refresh notes the streams, and report.health, which is
-- read every few minutes, does not search.
alter table rollup.set_aside_player add column streams text[] collate "C" not null default '{}';
comment on column rollup.set_aside_player.streams is
  'The streams with a receipt, level-up or snapshot of the player, and those of the files that brought these rows, in the order of their names. Empty for a player whom an older version set aside, until the next refresh.';
