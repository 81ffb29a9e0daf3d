-- Distributes a table over the servers of a Citus cluster.
--
-- A distributed table takes no trigger. Rows then come only from functions of the owner, which check the file
-- themselves, so the loader's right to add rows by itself ends, too.
do $$
declare
  statement text;
begin
  for statement in
    select format('revoke insert on %s from %s', c.oid::regclass,
        case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)
      from pg_class c, aclexplode(c.relacl) a
      where c.oid = :'table'::regclass and a.privilege_type = 'INSERT' and a.grantee <> c.relowner
    union all
    select format('drop trigger if exists refuse_facts_without_file on %s', :'table'::regclass)
  loop
    execute statement;
  end loop;
end
$$;
set local citus.shard_count = :'shards';
set local citus.shard_replication_factor = 1;
select create_distributed_table(:'table'::regclass, :'column', colocate_with => :'beside');
-- The copy on the coordinator is not read any more.
select truncate_local_data_after_distributing_table(:'table'::regclass);
-- A move of shards loses the indexes of a table by months that has no month yet.
select ingest.ensure_partition(stream, (now() at time zone 'UTC')::date) from ingest.stream
  where partition_column is not null and format('game.%I', target_table)::regclass = :'table'::regclass;
