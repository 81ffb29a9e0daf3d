internal import Postgres

extension Connection {
  /// Brings the rollups of schema `report` up to date, in the caller's transaction.
  ///
  /// The transaction holds the refresh lock. It either runs at REPEATABLE READ, or it holds the
  /// locks of all streams as well; otherwise the rollups could mix two states of the facts.
  ///
  /// - Parameter isFull: true to rebuild all rollups; false to recompute only the touched keys.
  /// - Returns: the counts, without a time.
  @discardableResult
  func refreshReports(isFull: Bool = false) throws -> Refreshed {
    let result = try query(
      """
      select is_full, file_count, row_count, player_count from report.refresh(p_is_full => $1)
      """, [.boolean(isFull)])
    return Refreshed(
      isFull: result[0, 0] == "t", files: result.integer(row: 0, column: 1) ?? 0,
      rows: result.integer(row: 0, column: 2) ?? 0, players: result.integer(row: 0, column: 3) ?? 0)
  }
}

extension Connection {
  /// Runs `body` in a transaction that begins with the lock of the refreshes; see `Refresh`.
  func refreshTransaction<Value>(_ wait: LockWait, _ body: () throws -> Value) throws -> Value {
    do {
      return try transaction(Refresh.isolation, lockTimeout: LockWait.patience, body)
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      try transaction { try wait.tell(of: [.refresh], on: self) }
      return try transaction(Refresh.isolation, body)
    }
  }
}
