internal import Postgres

/// The connection beside the one that loads, for what must be committed while a file's transaction is
/// open: the table of a month.
///
/// It is made when it is first needed: most loads never do. Then it idles while files load, so a server
/// or firewall may have closed it by the time it is needed again; it is then made anew, once. All that
/// happens on it can happen twice.
final class ControlConnection {
  private let target: ConnectionTarget
  /// nil: it has not been needed yet.
  private(set) var connection: Connection?
  /// Hears of the connection when it is made, to be able to cancel what it does.
  var opened: (Connection) -> Void = { _ in }
  /// True when everything belongs to one transaction that is open already.
  private let isPartOfTransaction: Bool

  init(_ target: ConnectionTarget) {
    self.target = target
    isPartOfTransaction = false
  }

  /// For a dry run: what is done belongs to the transaction that is open on `connection`.
  init(within connection: Connection, target: ConnectionTarget) {
    self.target = target
    self.connection = connection
    isPartOfTransaction = true
  }

  /// Runs `body` in a transaction of its own, a second time when the connection turns out lost.
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
