-- An acceptance asks for each value whether its column was accepted before. A key can have thousands of accepted values,
-- so an index of the keys alone makes the acceptance of many lines of one key quadratic. A hash index, because a key can
-- be longer than a B-tree entry may be.
create index accepted_value_column on ingest.accepted_value
  using hash ((stream || ' ' || field || ' ' || natural_key::text collate "C"));
-- Without statistics, ANALYZE copies no key into pg_statistic.
alter index ingest.accepted_value_column alter column 1 set statistics 0;
