-- rollup.has_mostly_new_rows: a refresh of mostly new rows is a rebuild.
begin;
select plan(8);

insert into ingest.load (loader_version) values ('test');
-- The entry of a file with so many rows.
create function pg_temp.enter(p_count bigint) returns bigint language sql as $$
  insert into ingest.source_file (load_id, stream, path, sha256, byte_count, line_count, inserted_count, filled_count,
      duplicate_count, conflict_count, rejected_count, blank_count, as_of, time_unit, purchase_token_mode, max_line_bytes,
      max_nesting, max_identifier_bytes, max_text_bytes)
    select max(load_id), 'receipt', 'a.jsonl', sha256(clock_timestamp()::text::bytea), 1, p_count, p_count, 0, 0, 0, 0, 0,
        now(), 'ms', 'hash', 1, 1, 1, 1
      from ingest.load
    returning source_file_id
$$;
-- Notes that the reports have all files up to now.
create function pg_temp.know() returns void language sql as $$
  update rollup.refresh_state set source_file_id = (select max(f.source_file_id) from ingest.source_file f)
    where stream = 'receipt'
$$;
delete from ingest.source_file;
update rollup.refresh_state set source_file_id = 0;

select ok(not rollup.has_mostly_new_rows(), 'without a file nothing is new');
select pg_temp.enter(1) \g /dev/null
select ok(rollup.has_mostly_new_rows(), 'a first refresh reads everything');
select pg_temp.know() \g /dev/null
select pg_temp.enter(99999) \g /dev/null
select ok(not rollup.has_mostly_new_rows(), '99,999 new rows are few');
select pg_temp.enter(1) \g /dev/null
select ok(rollup.has_mostly_new_rows(), '100,000 new rows after one are mostly new');
update ingest.source_file set undone_at = now() where source_file_id = (select max(source_file_id) from ingest.source_file);
select ok(not rollup.has_mostly_new_rows(), 'an undone file does not count');
select pg_temp.know() \g /dev/null
select ok(not rollup.has_mostly_new_rows(), 'nothing is new after a refresh');
select pg_temp.enter(399999) \g /dev/null
select ok(not rollup.has_mostly_new_rows(), 'less than four times the known rows are not mostly new');
select pg_temp.enter(1) \g /dev/null
select ok(rollup.has_mostly_new_rows(), 'four times the known rows are mostly new');

select * from finish();
rollback;
