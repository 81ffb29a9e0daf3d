package import Postgres

/// The target and the days that a run is recorded for in `ingest.load`.
package struct Night: Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files are expected, such as `2026-01-31`, in their order; empty for other commands
  /// than `run`.
  package var days: [String]

  package init(target: String? = nil, days: [String] = []) {
    self.target = target
    self.days = days
  }

  /// Records how a run ended after its load, or before it.
  ///
  /// - Parameters:
  ///   - loadID: the number that the load gave the run; nil: there was no load.
  ///   - connection: outside of a transaction.
  /// - Returns: the run's number.
  package func recordEnd(
    _ exitCode: ExitCode, of loadID: Int?, version: String, on connection: Connection
  ) throws -> Int {
    try connection.transaction {
      let ledger = Ledger(connection: connection)
      let number = try loadID ?? ledger.startLoad(version: version, night: self).loadID
      try ledger.finishLoad(number, exitCode: exitCode)
      return number
    }
  }
}
