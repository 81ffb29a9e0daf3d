-- VACUUM keeps rows that another session can still see, and reports success. Sessions of other databases and sessions
-- that run VACUUM hold no rows here; a logical WAL sender holds them only through its slot.
create or replace function ingest.row_holders(p_transaction xid8)
returns table (name text, details text, cure text, holds_rows boolean)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select h.name, h.details, h.cure, h.holds_rows
    from (
      select 1 as kind, format('session %s', a.pid) as name,
          concat(' of user ' || a.usename, ', application ' || nullif(a.application_name, ''),
            ', ' || coalesce(a.state, 'in a state that this role cannot see'),
            ', in its transaction since ' || to_char(a.xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS" UTC"')) as details,
          format('let its transaction end, or end it by select pg_terminate_backend(%s)', a.pid) as cure,
          true as holds_rows
        from pg_catalog.pg_stat_activity a
        where a.pid <> pg_backend_pid() and a.leader_pid is null
          and (a.datname is null or a.datname = current_database())
          and (ingest.is_held_by(p_transaction, a.backend_xmin) or ingest.is_held_by(p_transaction, a.backend_xid))
          and not exists (select from pg_catalog.pg_stat_replication r where r.pid = a.pid)
          and not exists (select from pg_catalog.pg_stat_progress_vacuum v where v.pid = a.pid)
      union all
      select 2, format('prepared transaction ''%s''', p.gid),
          format(' of user %s, since %s', coalesce(p.owner::text, '?'),
            to_char(p.prepared at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS" UTC"')),
          'COMMIT PREPARED or ROLLBACK PREPARED ends it', true
        from pg_catalog.pg_prepared_xacts p
        where p.database = current_database() and ingest.is_held_by(p_transaction, p.transaction)
      union all
      select 3, format('standby %s', coalesce(r.application_name, '?')),
          concat(' at ' || host(r.client_addr), format(' (session %s)', r.pid), ', ' || r.state,
            ', connected since ' || to_char(r.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS" UTC"')),
          'end the long queries on it, which it reports by hot_standby_feedback', true
        from pg_catalog.pg_stat_replication r
        where ingest.is_held_by(p_transaction, r.backend_xmin)
          and not exists (select from pg_catalog.pg_replication_slots s
            where s.active_pid = r.pid and s.slot_type = 'logical')
      union all
      select 4, format('%s replication slot %s', s.slot_type, s.slot_name),
          case when s.active then ', in use' else ', not in use' end,
          format('let its consumer catch up, or drop it by select pg_drop_replication_slot(%L)', s.slot_name),
          -- The other slots hold old statistics, which are rows of a system catalog.
          coalesce(ingest.is_held_by(p_transaction, s.xmin), false)
        from pg_catalog.pg_replication_slots s
        where ingest.is_held_by(p_transaction, s.xmin) or ingest.is_held_by(p_transaction, s.catalog_xmin)
    ) h
    order by h.kind, h.name collate "C"
$$;
revoke execute on function ingest.row_holders from public;
comment on function ingest.row_holders is
  'The sessions, prepared transactions, standbys and replication slots that keep VACUUM from removing what a transaction has deleted, each with the way to end it. Part of forget-user.';
