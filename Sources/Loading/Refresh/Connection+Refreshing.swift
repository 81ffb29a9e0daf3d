internal import Postgres

extension Connection {
  /// Brings the reports up to date, in the caller's transaction.
  ///
  /// The transaction holds the refresh lock. It either runs at REPEATABLE READ, or it holds the
  /// locks of all streams as well; otherwise the rollups could mix two states of the facts.
  ///
  /// - Parameter isFull: true to rebuild all rollups; false to recompute only the touched keys.
  /// - Returns: the report, without a time.
  @discardableResult
  func refreshReports(
    isFull: Bool = false, progress: RefreshProgress = RefreshProgress()
  ) throws -> RefreshReport {
    progress.enter(.collecting)
    var report = try beginRefresh(isFull: isFull)
    guard let isFull = report.isFull else { return report }
    if report.players > 0 {
      var players = try PlayerRefresh(
        isFull ? .rebuild : .refresh, count: report.players, on: self, progress: progress)
      try players.run()
    }
    // Also without any: the reports can still have players of whom no row is left.
    report.setAside = try rows(
      of: SetAsidePlayer.self,
      """
      select player_number as number, attempt_count as attempts, error from rollup.apply_players()
      """)
    progress.enter(.sums)
    try query("select rollup.finish_refresh()")
    return report
  }

  /// Takes the user that `ingest.erase_user` has erased out of the sums, in its transaction.
  func finishErasure() throws {
    var players = try PlayerRefresh(.erasure, count: 1, on: self, progress: RefreshProgress())
    try players.run()
    try query("select rollup.finish_refresh()")
  }

  /// Begins a refresh: collects what has changed, and counts it.
  func beginRefresh(isFull: Bool) throws -> RefreshReport {
    try onlyRow(
      of: RefreshReport.self, "select * from rollup.begin_refresh(p_is_full => $1)",
      [.boolean(isFull)])
  }

  /// True if the role may refresh the reports: the eraser role may not.
  func canRefreshReports() throws -> Bool {
    try onlyRow(
      of: Bool.self, "select has_function_privilege('rollup.begin_refresh(boolean)', 'execute')")
  }
}

extension Connection {
  /// Begins a transaction with the lock of the refreshes; see `Refresh`.
  ///
  /// On a cluster no load can commit meanwhile: its servers have no common snapshot, so a reader can see
  /// the ledger's entry of a file before its rows.
  ///
  /// - Parameter limit: the longest wait for the lock, in seconds; nil: no limit.
  /// - Throws: `LoadError` with exit code 6 when another session holds the lock beyond the limit.
  func beginRefreshing(upTo limit: Int? = nil) throws {
    if try isDistributed() {
      try begin()
      return try holdAllStreamsAndRefresh(upTo: limit)
    }
    do {
      try waiting(
        for: [.refresh], upTo: limit, asking: { question in try transaction { try question() } }
      ) { try begin(.repeatableRead(afterLocking: Lock.refreshTable, lockTimeout: $0)) }
    } catch let error as LoadError where error.exitCode == .locked {
      throw LoadError(
        .locked, "\(error.message), and gamebase-ingest refresh then brings the reports up to date")
    }
  }
}
