internal import Postgres

/// The connection beside the one that loads: the run's own rows, partitions, failures.
///
/// It idles while files load, so a server or firewall may have closed it by the time it is needed;
/// it is then made anew, once. What is done on it can be done twice.
final class ControlConnection {
  private let target: ConnectionTarget
  private(set) var connection: Connection
  /// True when everything belongs to one transaction that is open already.
  private let isPartOfTransaction: Bool

  init(_ target: ConnectionTarget) throws {
    self.target = target
    connection = try Connection(target)
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
    if isPartOfTransaction { return try body(connection) }
    do {
      return try connection.transaction { try body(connection) }
    } catch let error as PostgresError where error.isConnectionLost {
      connection = try Connection(target)
      return try connection.transaction { try body(connection) }
    }
  }
}
