package import Postgres
internal import RecordPipeline

/// A lock that a command can wait for.
package struct Lock: Sendable, CustomStringConvertible {
  package let description: String
  /// Of an advisory lock.
  fileprivate var key = 0
  /// The qualified name of a locked table; empty for an advisory lock.
  fileprivate var table = ""

  /// An advisory lock, by its `LockName`.
  static func named(_ name: String) -> Lock {
    let description = name == LockName.migrations ? "migrations and grants" : name
    return Lock(description: description, key: LockName.key(name))
  }

  /// The lock of a table, by its qualified name.
  static func table(_ name: String) -> Lock {
    Lock(description: name == refreshTable ? "the reports" : "table \(name)", table: name)
  }

  /// The lock of the refreshes.
  static let refresh = Lock.table(refreshTable)
  /// The table whose EXCLUSIVE lock serializes refreshes of the rollups.
  ///
  /// An advisory lock is taken by a SELECT, which would take the snapshot of a REPEATABLE READ
  /// transaction before it waits.
  static let refreshTable = "rollup.refresh_lock"

  /// The longest wait that an option can set, in seconds: a week.
  ///
  /// PostgreSQL's timeouts end at 24 days.
  package static let longestWait = 604_800
}

extension Lock {
  /// The locks of all streams.
  package static let streams = StreamCatalog.all.map { Lock.named(LockName.stream($0.name)) }

  /// A query for the sessions that hold one of some locks in this database, with the facts that the role
  /// may see.
  ///
  /// Columns: `lock`, `held_by` (one line that describes the session), `waiting` (the number of sessions
  /// that wait for the lock). Every role can read all of `pg_locks`. Unless the role is a member of
  /// `pg_read_all_stats`, `pg_stat_activity` shows only the role and the application of other roles'
  /// sessions.
  package static let holders = """
    select k.lock, concat_ws(', ', 'process ' || l.pid, 'role ' || coalesce(a.usename, r.rolname),
          nullif(a.application_name, ''),
          case when a.client_port = -1 then 'by a socket' else 'from ' || host(a.client_addr) end,
          to_char(a.xact_start, '"since "YYYY-MM-DD HH24:MI:SS "UTC"')) as held_by,
        (select count(*) from pg_locks w where not w.granted
          and (w.locktype, w.database, w.relation, w.classid, w.objid, w.objsubid)
            is not distinct from (l.locktype, l.database, l.relation, l.classid, l.objid, l.objsubid))
          as waiting
      from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality k (lock, key, table_name, place)
      join pg_locks l on l.granted and case when k.table_name = ''
        then l.locktype = 'advisory' and l.objsubid = 1
          and l.classid = (k.key >> 32 & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid
        else l.locktype = 'relation' and l.relation = to_regclass(k.table_name) end
      join pg_database d on d.oid = l.database and d.datname = current_database()
      left join pg_stat_activity a using (pid)
      left join pg_roles r on r.oid = a.usesysid
      where l.pid <> pg_backend_pid()
      -- A session that only reads is the least likely cause.
      order by l.mode in ('AccessShareLock', 'RowShareLock'), k.place, l.pid
    """

  /// The parameters of `holders`.
  package static func parameters(_ locks: [Lock]) -> [Parameter] {
    [.texts(locks.map(\.description)), .integers(locks.map(\.key)), .texts(locks.map(\.table))]
  }
}
