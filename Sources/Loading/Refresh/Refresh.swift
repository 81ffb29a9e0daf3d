package import Postgres
internal import Synchronization

/// A refresh of the rollups in a transaction of its own.
///
/// It reads one state of the facts: the lock comes first, then the snapshot, so two refreshes never
/// overlap, and loads go on meanwhile. Rows that a load commits later belong to the next refresh.
package struct Refresh {
  private let isFull: Bool
  private let waitSeconds: Int?
  private let retries: RetryPolicy
  private let warn: (String) -> Void
  private let progress: RefreshProgress
  private let interruption: Interruption

  /// The players that the log names.
  private static let namedPlayers = 20

  private static let stage = "refreshing the reports"
  private static let remedy =
    "The reports stay as they were, and loaded files stay loaded; run gamebase-ingest refresh"
  private static let interrupted =
    "interrupted; the reports stay as they were. Run gamebase-ingest refresh"

  /// - Parameter waitSeconds: the longest wait for another refresh, up to `Lock.longestWait`; nil: no
  ///   limit.
  package init(
    isFull: Bool = false, waitSeconds: Int? = nil,
    retries: RetryPolicy = RetryPolicy(), warn: @escaping (String) -> Void,
    progress: RefreshProgress = RefreshProgress(), interruption: Interruption = Interruption()
  ) {
    (self.isFull, self.waitSeconds, self.retries) = (isFull, waitSeconds, retries)
    (self.warn, self.progress, self.interruption) = (warn, progress, interruption)
  }

  /// Refreshes on a connection of its own, as `run(connecting:)` does.
  ///
  /// - Throws: `LoadError`, with exit code 78 when the database is not at this program's schema.
  package func run(on target: ConnectionTarget) throws(LoadError) -> RefreshReport {
    try run {
      let connection = try Connection.open(target)
      try Migrator(connection: connection).requireCurrent()
      return connection
    }
  }

  /// Refreshes, and retries after contention or a lost connection.
  ///
  /// - Parameter connecting: gives the connection of each attempt, to a database at this program's
  ///   schema.
  /// - Throws: `LoadError`. The rollups have not changed then, unless the connection broke after
  ///   COMMIT was sent; another refresh does no harm.
  package func run(
    connecting: () throws -> Connection
  ) throws(LoadError) -> RefreshReport {
    let clock = ReportClock()
    var report = try retries(warn: warn, interruption: interruption) {
      () throws(LoadError) in
      do { return try attempt(on: try connecting()) } catch { throw Self.failure(error) }
    }
    report.durationSeconds = clock.elapsedSeconds
    return report
  }

  private func attempt(on connection: Connection) throws -> RefreshReport {
    try interruption.cancelling([connection], message: Self.interrupted) {
      try interruption.check(message: Self.interrupted)
      progress.enter(.preparing)
      defer { connection.rollback() }
      try connection.beginRefreshing(upTo: waitSeconds)
      let report = try connection.refreshReports(isFull: isFull, progress: progress)
      for player in report.setAside.prefix(Self.namedPlayers) {
        warn(
          """
          the figures of player \(player.number) cannot be computed: \(player.error); the reports leave \
          the player out (report.set_aside_player has the name), and the next refresh tries again
          """)
      }
      FaultPoint.refreshed.reached()
      try connection.commit()
      return report
    }
  }

  /// The consequence of an error for the command.
  ///
  /// No file's row is refused here, so an error of a value is a defect of the rollups.
  private static func failure(_ error: any Error) -> LoadError {
    guard let error = error as? PostgresError, error.kind == .row || error.kind == .internalError,
      error.sqlState != .invalidParameterValue
    else { return LoadError(wrapping: error, during: stage, remedy: remedy) }
    // The hint of the server names what to run.
    let next =
      error.sqlState == .dataCorrupted
      ? "The reports stay as they were, and loaded files stay loaded"
      : "\(remedy), and please report"
    return LoadError(
      .defect, "\(stage): \(error). \(next)", endsRun: true,
      detail: error.sqlState.map { ["sqlstate": $0.rawValue] } ?? [:])
  }
}

/// The progress of a refresh, written by it and read by the progress display.
package final class RefreshProgress: Sendable {
  package enum Phase: Sendable, Equatable {
    /// Another session's refresh is waited for.
    case preparing
    /// The files, rows and players that have changed are collected.
    case collecting
    /// The figures of single players.
    case players(done: Int, of: Int)
    /// Days, cohorts, months, levels.
    case sums
  }

  private let state = Mutex<(since: ContinuousClock.Instant, phase: Phase)?>(nil)

  package init() {}

  func enter(_ phase: Phase) { state.withLock { $0 = ($0?.since ?? .now, phase) } }

  /// The start of the refresh and its phase; nil before it.
  package var current: (since: ContinuousClock.Instant, phase: Phase)? { state.withLock { $0 } }
}
