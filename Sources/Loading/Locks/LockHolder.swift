package import Postgres

/// A session that holds an advisory lock of this program, with the facts that the role may see.
package struct LockHolder: Sendable, Equatable {
  /// The name of the lock by `LockName`, such as "stream receipt".
  package let lock: String
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

  /// The sessions that hold any of these locks in this database.
  ///
  /// Every role can read all of `pg_locks`. Unless the role is a member of `pg_read_all_stats`,
  /// `pg_stat_activity` shows only the role and the application of other roles' sessions.
  package static func all(of locks: [String], on connection: Connection) throws -> [LockHolder] {
    let result = try connection.query(
      """
      select k.place, l.pid, coalesce(a.usename, r.rolname), a.application_name,
          case when a.client_port = -1 then 'socket' else host(a.client_addr) end,
          to_char(a.xact_start, 'YYYY-MM-DD HH24:MI:SS "UTC"'),
          (select count(*) from pg_locks w where w.locktype = 'advisory' and not w.granted
            and (w.database, w.classid, w.objid, w.objsubid) = (l.database, l.classid, l.objid, l.objsubid))
        from unnest($1::bigint[]) with ordinality k (key, place)
        join pg_locks l on l.locktype = 'advisory' and l.objsubid = 1 and l.granted
          and l.classid = (k.key >> 32 & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid
        join pg_database d on d.oid = l.database and d.datname = current_database()
        left join pg_stat_activity a using (pid)
        left join pg_roles r on r.oid = a.usesysid
        where l.pid <> pg_backend_pid()
        order by k.place, l.pid
      """, [.integers(locks.map(Locks.key))])
    return (0..<result.rowCount).compactMap { row in
      guard let place = result.integer(row: row, column: 0), locks.indices.contains(place - 1),
        let processID = result.integer(row: row, column: 1)
      else { return nil }
      return LockHolder(
        lock: locks[place - 1], processID: processID, role: result[row, 2],
        application: result[row, 3], client: result[row, 4], since: result[row, 5],
        waiting: result.integer(row: row, column: 6) ?? 0)
    }
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
