package import Postgres

/// A session that holds a lock of this program, with the facts that the role may see.
package struct LockHolder: Sendable, Equatable {
  package let lock: Lock
  package let processID: Int
  /// nil: the session ended while it was looked up.
  package let role: String?
  package let application: String?
  /// The client's address, or "socket"; nil: not visible to the role.
  package let client: String?
  /// The start of its transaction as text, UTC; nil: not visible to the role.
  package let since: String?
  /// The number of sessions that wait for the lock.
  package let waiting: Int

  /// A lock that a command can wait for.
  package enum Lock: Sendable, Hashable, CustomStringConvertible {
    /// An advisory lock, by its `LockName`.
    case named(String)
    /// The lock of a table, by its qualified name, in a mode that excludes some change.
    case table(String)
    /// Any lock of a table, by its qualified name: also that of a query.
    case anyUse(String)

    /// The lock of the refreshes.
    static let refresh = Lock.table(Locks.refreshTable)

    package var description: String {
      switch self {
      case .named(LockName.migrations): "migrations and grants"
      case .named(let name): name
      case .refresh: "the reports"
      case .table(let name), .anyUse(let name): "table \(name)"
      }
    }

    fileprivate var key: Int {
      if case .named(let name) = self { Locks.key(name) } else { 0 }
    }
    fileprivate var table: String {
      switch self {
      case .named: ""
      case .table(let name), .anyUse(let name): name
      }
    }
    fileprivate var harmlessModes: String {
      if case .table = self { "AccessShareLock,RowShareLock" } else { "" }
    }
  }

  /// The sessions that hold any of these locks in this database.
  ///
  /// Every role can read all of `pg_locks`. Unless the role is a member of `pg_read_all_stats`,
  /// `pg_stat_activity` shows only the role and the application of other roles' sessions.
  package static func all(of locks: [Lock], on connection: Connection) throws -> [LockHolder] {
    let rows = try connection.rows(
      of: Row.self,
      """
      select k.place, l.pid as process_id, coalesce(a.usename, r.rolname) as role,
          a.application_name as application,
          case when a.client_port = -1 then 'socket' else host(a.client_addr) end as client,
          to_char(a.xact_start, 'YYYY-MM-DD HH24:MI:SS "UTC"') as since,
          (select count(*) from pg_locks w where not w.granted
            and (w.locktype, w.database, w.relation, w.classid, w.objid, w.objsubid)
              is not distinct from (l.locktype, l.database, l.relation, l.classid, l.objid, l.objsubid))
            as waiting
        from unnest($1::bigint[], $2::text[], $3::text[])
          with ordinality k (key, table_name, harmless_modes, place)
        left join lateral (
          select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname || '.' || c.relname = k.table_name
        ) t on true
        join pg_locks l on l.granted and case when k.table_name = ''
          then l.locktype = 'advisory' and l.objsubid = 1
            and l.classid = (k.key >> 32 & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid
          else l.locktype = 'relation' and l.relation = t.oid
            and l.mode <> all (string_to_array(k.harmless_modes, ',')) end
        join pg_database d on d.oid = l.database and d.datname = current_database()
        left join pg_stat_activity a using (pid)
        left join pg_roles r on r.oid = a.usesysid
        where l.pid <> pg_backend_pid()
        -- A session that only reads is the least likely cause.
        order by l.mode in ('AccessShareLock', 'RowShareLock'), k.place, l.pid
      """,
      [
        .integers(locks.map(\.key)), .texts(locks.map(\.table)), .texts(locks.map(\.harmlessModes)),
      ])
    return rows.map { row in
      LockHolder(
        lock: locks[row.place - 1], processID: row.processID, role: row.role,
        application: row.application, client: row.client, since: row.since, waiting: row.waiting)
    }
  }

  private struct Row: Decodable {
    /// The lock's place in the list, from 1.
    let place: Int
    let processID: Int
    let role: String?
    let application: String?
    let client: String?
    let since: String?
    let waiting: Int
  }

  /// One line that describes the session by the facts that are known.
  package var summary: String {
    let parts = [
      role.map { "role \($0)" }, application.flatMap { $0.isEmpty ? nil : $0 },
      client.map { $0 == "socket" ? "by a socket" : "from \($0)" }, since.map { "since \($0)" },
    ]
    return (["process \(processID)"] + parts.compactMap(\.self)).joined(separator: ", ")
  }
}
