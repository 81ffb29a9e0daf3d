package import Postgres
internal import RecordPipeline
internal import SHA256

/// A lock that a command can wait for: an advisory lock, or the lock of a table.
///
/// Swift and SQL share the names of the advisory locks. The database function `ingest.lock_key` derives the
/// same key from a name, and `ingest.hold_stream`, `erase_user` and `ensure_partition` take the locks
/// `stream …`, `erasures` and `migrate`.
package struct Lock: Sendable, CustomStringConvertible {
  package let description: String
  /// Of an advisory lock.
  private(set) var key = 0
  /// The qualified name of a locked table; empty for an advisory lock.
  fileprivate var table = ""

  /// An advisory lock.
  static func named(_ name: String, description: String? = nil) -> Lock {
    // Such a key is unlikely to collide with the small numbers that other programs use.
    let digest = SHA256.digest(of: "gamebase-ingest \(name)".utf8)
    let key = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Lock(description: description ?? name, key: Int(truncatingIfNeeded: key))
  }

  /// Serializes the changes of a stream's table: loads, replays, undos, acceptances, retention,
  /// erasures.
  static func stream(_ name: String) -> Lock { named("stream \(name)") }

  /// Keeps erasures and failure reports apart, because a failure report is written without the
  /// stream's lock.
  static let erasures = Lock.named("erasures")

  /// Keeps migrations and grants apart from each other, from the creation and removal of monthly
  /// partitions, and from the new files of working tables.
  ///
  /// They change the same rows of the system catalogs, and PostgreSQL fails the later of two such
  /// changes.
  static let migrations = Lock.named("migrate", description: "migrations and grants")

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
  package static let streams = StreamCatalog.all.map { Lock.stream($0.name) }

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
