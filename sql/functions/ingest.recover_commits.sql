-- In a cluster, a crash during a commit can leave rows that the ledger has, and that nobody sees until the commit is
-- finished on their server. Citus does so once a minute. A load does not wait for that, and a change of facts or a refresh
-- must not overlook such rows.
--
-- SECURITY DEFINER: only the user who prepared a transaction can finish it, and a load reaches facts as the owner.
create or replace function ingest.recover_commits(p_is_alone boolean default false) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  unfinished text;
begin
  if to_regprocedure('recover_prepared_transactions()') is null
    or not exists (select 1 from ingest.stream s where ingest.is_distributed(s.stream))
  then
    return;
  end if;
  execute 'select recover_prepared_transactions()';
  if p_is_alone then
    execute
      'select string_agg(format(''%s:%s'', nodename, nodeport), '', '')
         from run_command_on_workers(''select count(*) from pg_catalog.pg_prepared_xacts
           where database = current_database() and gid like ''''citus\_0\_%'''''')
         where not success or result <> ''0'''
      into unfinished;
    if unfinished is not null then
      raise exception 'commits are unfinished on the servers %, or these do not answer', unfinished
        using errcode = 'cannot_connect_now', hint = 'Run again once all servers of the cluster answer.';
    end if;
  end if;
end
$$;
comment on function ingest.recover_commits is
  'Finishes the commits on other servers that a crash interrupted; does nothing on one server. With p_is_alone, the caller holds the locks of all streams, and an unfinished commit is an error.';
