package import Postgres

/// Removes old details of the ledger that no later command needs, in one transaction.
///
/// The reports keep their totals, because the removed lines are counted first. The entries of loaded
/// files stay, so no file is loaded twice and no horizon moves.
package struct LedgerRetention {
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// The numbers of removed records.
  package struct Report: Decodable, Sendable, Equatable {
    /// Refused lines of loaded files.
    package let rejectCount: Int
    /// Lines whose values were accepted.
    package let conflictCount: Int
    /// Dismissed failures, with their refused lines.
    package let failureCount: Int
    /// Entries of undone files.
    package let fileCount: Int
    /// Runs without a file.
    package let loadCount: Int
  }

  /// - Parameters:
  ///   - connection: to a database at this program's schema, as a member of the owner.
  ///   - wait: says for whom the command waits.
  package init(
    connection: Connection, wait: LockWait = .silent, interruption: Interruption = Interruption()
  ) {
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  /// - Parameters:
  ///   - keep: the number of months to keep, counted back from the current month (UTC, by the
  ///     server's clock).
  ///   - isDryRun: do all the work, and roll it back.
  /// - Throws: `LoadError`. Nothing was changed then, unless the connection broke after COMMIT was
  ///   sent and before the answer arrived.
  package func run(keep: Int, isDryRun: Bool) throws(LoadError) -> Report {
    try connection.reversibleTransaction(
      during: "removing old entries of the ledger",
      remedy: "Run again: what is gone is not counted twice",
      interruption: interruption, isKept: { _ in !isDryRun }
    ) {
      try Locks(connection: connection, wait: wait).holdAllStreamsAndRefresh()
      return try connection.onlyRow(
        of: Report.self,
        """
        select * from ingest.prune((date_trunc('month', now() at time zone 'UTC')
          - ($1::integer - 1) * interval '1 month') at time zone 'UTC')
        """, [.integer(keep)])
    }
  }
}
