internal import Postgres

/// A connection beside that of the files, which commits while their transaction is open: for a new month,
/// or the sign that a run is alive.
///
/// It is opened on first use, because most loads never need it. It idles while files load, so a
/// server or firewall may close it; the next use then reconnects once. The lost transaction may
/// have been committed, so everything that runs on this connection must be idempotent.
final class SecondConnection {
  private let target: ConnectionTarget
  /// nil: not opened yet.
  private(set) var connection: Connection?
  /// Called with each new connection, so that its statements can be cancelled.
  var opened: (Connection) -> Void = { _ in }

  init(_ target: ConnectionTarget) { self.target = target }

  /// Runs `body` in a transaction of its own, and once more when the connection is lost.
  func transaction(_ body: (Connection) throws -> Void) throws {
    let connection = try self.connection ?? connect()
    do {
      try connection.transaction { try body(connection) }
    } catch let error as PostgresError where error.isConnectionLost {
      let connection = try connect()
      try connection.transaction { try body(connection) }
    }
  }

  private func connect() throws -> Connection {
    let connection = try Connection(target)
    self.connection = connection
    opened(connection)
    return connection
  }
}
