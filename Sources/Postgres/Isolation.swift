internal import CLibpq

/// The commits of other sessions that the statements of a transaction see.
package enum Isolation: Sendable, Equatable {
  /// READ COMMITTED: each statement sees everything that was committed before it began.
  ///
  /// A statement that waited for a lock sees the rows committed meanwhile, which loads rely on.
  case readCommitted

  /// REPEATABLE READ: all statements see one state of the database.
  ///
  /// PostgreSQL takes the snapshot at the first statement that reads. The table is locked before,
  /// in EXCLUSIVE mode, so the snapshot includes everything that earlier holders of the lock have
  /// committed. A wait after the snapshot could end in a serialization failure, or in a state
  /// without those commits.
  ///
  /// - Parameters:
  ///   - afterLocking: the qualified name of the table, as written in SQL.
  ///   - lockTimeout: the longest wait for its lock, in PostgreSQL's form; nil: that of the session.
  /// - Source: PostgreSQL 15 manual, LOCK: it must precede the first SELECT or change of data.
  case repeatableRead(afterLocking: String, lockTimeout: String? = nil)

  /// REPEATABLE READ, read-only: all statements see one state of the database, and none changes it.
  ///
  /// This is the transaction of readers, so the timeouts of their role hold.
  case readOnlySnapshot

  /// The statements that open the transaction, apart from its settings: none of them takes a
  /// snapshot.
  var statements: (begin: String, lock: String) {
    switch self {
    case .readCommitted: return ("begin isolation level read committed", "")
    case .readOnlySnapshot: return ("begin isolation level repeatable read, read only", "")
    case .repeatableRead(let table, let lockTimeout):
      let lock = "lock table \(table) in exclusive mode; "
      let limited = lockTimeout.map {
        "set local lock_timeout = '\($0)'; \(lock)set local lock_timeout = 0; "
      }
      return ("begin isolation level repeatable read", limited ?? lock)
    }
  }
}

/// Quoting for the few statements that take no parameters, such as GRANT.
extension Connection {
  /// Quotes a name as one identifier, whatever its characters.
  package func quotedIdentifier(_ name: String) throws -> String {
    try quoted(name, by: PQescapeIdentifier)
  }

  /// Quotes a text as one literal, whatever its characters.
  package func quotedLiteral(_ text: String) throws -> String {
    try quoted(text, by: PQescapeLiteral)
  }

  private func quoted(
    _ text: String,
    by escape: (OpaquePointer?, UnsafePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
  ) throws -> String {
    let escaped = text.withCString { escape(handle, $0, text.utf8.count) }
    guard let escaped else { throw connectionError() }
    defer { PQfreemem(escaped) }
    return String(cString: escaped)
  }
}
