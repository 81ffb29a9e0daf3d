internal import Postgres

extension Connection {
  /// Runs the writes of a command in one transaction, with a fault point on each side of the
  /// commit.
  @discardableResult
  func writingTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try transaction {
      let value = try body()
      FaultPoint.beforeCommit.reached()
      return value
    }
    FaultPoint.afterCommit.reached()
    return value
  }
}
