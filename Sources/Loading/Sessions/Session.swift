internal import Postgres

/// The connections of a worker; it reconnects when they are lost.
final class Session {
  private let target: ConnectionTarget
  private let isDryRun: Bool
  private(set) var connection: Connection
  private(set) var partitions: Partitions
  /// Values that are valid on any connection to the database.
  let cache = SessionCache()

  /// - Throws: `LoadError` when the connection fails, or the database is not at this program's
  ///   schema.
  init(_ target: ConnectionTarget, isDryRun: Bool) throws(LoadError) {
    self.target = target
    self.isDryRun = isDryRun
    (connection, partitions) = try Self.connect(target, isDryRun: isDryRun)
  }

  /// Reconnects if the connection was lost, and if it led to a standby: another server may have
  /// become the primary one.
  func renew() throws(LoadError) {
    guard !connection.isUsable || connection.isStandby else { return }
    (connection, partitions) = try Self.connect(target, isDryRun: isDryRun)
  }

  /// Runs `body` in a transaction of its own between two files, for the run's ledger rows, failure
  /// reports and statistics.
  ///
  /// When the connection is lost, the session reconnects and runs `body` once more, so `body` must
  /// be idempotent. In a dry run `body` runs once, in the transaction of the run.
  @discardableResult
  func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    if isDryRun { return try body(connection) }
    do {
      return try connection.transaction { try body(connection) }
    } catch let error as PostgresError where error.isConnectionLost {
      try renew()
      return try connection.transaction { try body(connection) }
    }
  }

  /// Rolls the transaction of a dry run back; does nothing otherwise.
  func end() { if isDryRun { connection.rollback() } }

  private static func connect(
    _ target: ConnectionTarget, isDryRun: Bool
  ) throws(LoadError) -> (Connection, Partitions) {
    do {
      let connection = try Connection(target)
      try Migrator(connection: connection).requireCurrent()
      let control: ControlConnection
      if isDryRun {
        try connection.begin()
        control = ControlConnection(within: connection, target: target)
      } else {
        control = ControlConnection(target)
      }
      return (connection, Partitions(control: control))
    } catch let error as PostgresError where error.isConnectionLost {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "checking the schema")
    }
  }
}
