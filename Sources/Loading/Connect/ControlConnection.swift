internal import Postgres

/// A second connection, for changes that must be committed while a file's transaction is open, such
/// as a new monthly partition.
///
/// It is opened on first use, because most loads never need it. It idles while files load, so a
/// server or firewall may close it; the next use then reconnects once. The lost transaction may
/// have been committed, so everything that runs on this connection must be idempotent.
final class ControlConnection {
  private let target: ConnectionTarget
  /// nil: not opened yet.
  private(set) var connection: Connection?
  /// Called with each new connection, so that its statements can be cancelled.
  var opened: (Connection) -> Void = { _ in }
  /// True in a dry run, where `connection` is that of the files and all work belongs to the open
  /// transaction of one.
  private let isPartOfTransaction: Bool

  /// - Parameter connection: in a dry run, the one with the file's transaction, to which all work
  ///   then belongs.
  init(_ target: ConnectionTarget, within connection: Connection?) {
    self.target = target
    self.connection = connection
    isPartOfTransaction = connection != nil
  }

  /// Runs `body` in a transaction of its own, and once more when the connection is lost.
  ///
  /// In a dry run `body` runs once, in the open transaction.
  @discardableResult
  func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let connection = try self.connection ?? connect()
    if isPartOfTransaction { return try body(connection) }
    do {
      return try connection.transaction { try body(connection) }
    } catch let error as PostgresError where error.isConnectionLost {
      let connection = try connect()
      return try connection.transaction { try body(connection) }
    }
  }

  private func connect() throws -> Connection {
    let connection = try Connection(target)
    self.connection = connection
    opened(connection)
    return connection
  }
}
