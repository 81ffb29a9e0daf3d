package import Logging
package import Postgres

/// Waits for locks, and says after a second for which session.
///
/// Without the message, a command that waits looks like one that hangs. The wait itself has no limit
/// of its own.
package struct LockWait: Sendable {
  private let logger: Logger

  package init(_ logger: Logger) { self.logger = logger }

  /// Says nothing.
  package static let silent = LockWait(Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() })

  /// The wait before the message, in PostgreSQL's form of an interval.
  static let patience = "1s"

  /// The longest wait for another session's refresh, unless an option sets it: longer than most
  /// rebuilds.
  package static let refreshSeconds = 3600
  /// The longest wait that an option can set: a week.
  ///
  /// PostgreSQL's timeouts end at 24 days.
  package static let maximumSeconds = 604_800

  /// Runs work that takes locks at its beginning.
  ///
  /// It first runs with a lock timeout, in a savepoint. When that is over, it runs once more under
  /// the session's own lock timeout, which is usually none.
  ///
  /// - Parameters:
  ///   - locks: the locks that the work may wait for.
  ///   - connection: in a transaction.
  package func callAsFunction<Value>(
    for locks: [LockHolder.Lock], on connection: Connection, _ work: () throws -> Value
  ) throws -> Value {
    try connection.execute("savepoint wait; set local lock_timeout = '\(Self.patience)'")
    do {
      let value = try work()
      try connection.execute("set local lock_timeout to default; release savepoint wait")
      return value
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      try connection.execute("rollback to savepoint wait; release savepoint wait")
    }
    try tell(of: locks, on: connection)
    return try work()
  }

  /// Says what the work waits for.
  func tell(_ message: String) { logger.notice("\(printable(message))") }

  /// Says which session holds one of the locks; says nothing when none does.
  func tell(of locks: [LockHolder.Lock], on connection: Connection) throws {
    guard let holder = try LockHolder.all(of: locks, on: connection).first else { return }
    logger.notice(
      "waiting for the lock of \(holder.lock), which is held by \(printable(holder.summary)); end that session if it hangs"
    )
  }
}
