package import Logging
package import Postgres

/// Waits for locks, and says after a second for which session.
///
/// Without the message, a command that waits looks like one that hangs.
package struct LockWait: Sendable {
  private let logger: Logger
  /// The longest wait for a lock, in seconds, up to `maximumSeconds`; nil: no limit.
  let limit: Int?

  package init(_ logger: Logger, limit: Int? = nil) {
    self.logger = logger
    self.limit = limit
  }

  /// Says nothing.
  package static let silent = LockWait(Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() })

  /// The wait before the message, in PostgreSQL's form of an interval.
  var patience: String {
    // A timeout of 0 would be none.
    limit == 0 ? "1ms" : "1s"
  }

  /// The longest wait that an option can set: a week.
  ///
  /// PostgreSQL's timeouts end at 24 days.
  package static let maximumSeconds = 604_800

  /// Runs work that takes locks at its beginning.
  ///
  /// It first runs with a lock timeout, in a savepoint. When that is over, it runs once more under
  /// the rest of the limit.
  ///
  /// - Parameters:
  ///   - locks: the locks that the work may wait for.
  ///   - connection: in a transaction.
  /// - Throws: `LoadError` with exit code 6 when the limit is over.
  package func callAsFunction<Value>(
    for locks: [Lock], on connection: Connection, _ work: () throws -> Value
  ) throws -> Value {
    func attempt(upTo timeout: String) throws -> Value? {
      try connection.execute("savepoint wait; set local lock_timeout = '\(timeout)'")
      do {
        let value = try work()
        try connection.execute("set local lock_timeout = 0; release savepoint wait")
        return value
      } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
        try connection.execute("rollback to savepoint wait; release savepoint wait")
        return nil
      }
    }
    if let value = try attempt(upTo: patience) { return value }
    if limit ?? .max > 1 {
      try tell(of: locks, on: connection)
      guard let limit else { return try work() }
      if let value = try attempt(upTo: "\(limit - 1)s") { return value }
    }
    throw try error(for: locks, on: connection)
  }

  private struct Holder: Decodable {
    let lock: String
    let heldBy: String
  }

  private func holder(of locks: [Lock], on connection: Connection) throws -> Holder? {
    let holders: [Holder] = try Listing.holders(of: locks, on: connection).table().decoded()
    return holders.first
  }

  /// The error of a wait that has reached its limit.
  func error(for locks: [Lock], on connection: Connection) throws -> LoadError {
    let holder = try holder(of: locks, on: connection)
    let lock = holder?.lock ?? locks.first?.description
    return LoadError(
      .locked,
      "another session has held \(lock.map { "the lock of \($0)" } ?? "a lock") for \(limit ?? 0) s"
        + (holder.map { " (\($0.heldBy))" } ?? "")
        + "; wait for it, raise --lock-wait, or end its session if it hangs. Loaded files stay loaded",
      endsRun: true)
  }

  /// Says what the work waits for.
  func tell(_ message: String) { logger.notice("\(printable(message))") }

  /// Says which session holds one of the locks; says nothing when none does.
  func tell(of locks: [Lock], on connection: Connection) throws {
    guard let holder = try holder(of: locks, on: connection) else { return }
    tell(
      "waiting for the lock of \(holder.lock), which is held by \(holder.heldBy); end that session if it hangs"
    )
  }
}
