internal import Postgres

extension Change {
  /// A monthly partition of a stream's table.
  package struct Month: Sendable, Decodable {
    package let stream: String
    /// The first day of the month, such as `2026-01-01`.
    package let month: String
    package let partition: String
    /// The planner's estimate of the number of rows.
    package let rows: Int
    package let bytes: Int
  }

  /// The months to drop, oldest first.
  ///
  /// - Parameters:
  ///   - streams: names of streams whose tables are partitioned by month.
  ///   - keep: the number of months to keep, counted back from the current month (UTC, by the
  ///     server's clock).
  package func months(ofStreams streams: [String], keep: Int) throws -> [Month] {
    try connection.rows(
      of: Month.self,
      """
      select s.stream, p.month, p.partition, z.estimated_rows as rows, z.bytes
        from unnest($1::text[]) s (stream), ingest.month_partitions(s.stream) p,
          ingest.month_size(s.stream, p.partition) z
        where p.month <= date_trunc('month', now() at time zone 'UTC')
          - $2::integer * interval '1 month'
        order by p.month, s.stream
      """, [.texts(streams), .integer(keep)])
  }

  /// Drops one month, under the locks of all streams and the refresh lock, so that no load writes to it
  /// and no refresh reads it at the same time.
  ///
  /// The reports keep the first and last observations of its rows, so they must contain all files
  /// before. The ledger, rejects and conflicts stay, because the files of dropped months still count as
  /// loaded.
  ///
  /// - Throws: `LoadError`; this month then stays, and months that were dropped before stay dropped.
  package func drop(_ month: Month) throws(LoadError) {
    try run(
      during: "dropping \(month.partition)", remedy: "The month is still there; run again"
    ) {
      try connection.holdAllStreamsAndRefresh()
      try refresh()
      // All later queries queue behind a drop that waits for one that reads the table. It is retried.
      try connection.execute("set local lock_timeout = '5s'")
      try connection.waiting(for: [.table(month.partition), .migrations]) {
        try connection.query(
          "select ingest.drop_month($1, $2::date)", [.text(month.stream), .text(month.month)])
      }
    }
  }

  /// The numbers of records that a removal took from the ledger.
  package struct Removed: Decodable {
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

  /// Removes old details of the ledger that no later command needs.
  ///
  /// The reports keep their totals, because the removed lines are counted first. The entries of loaded
  /// files stay, so no file is loaded twice and no horizon moves.
  ///
  /// - Parameter keep: the number of months to keep, counted back from the current month (UTC, by the
  ///   server's clock).
  package func removeFromLedger(keepingMonths keep: Int) throws(LoadError) -> Removed {
    try run(
      during: "removing old entries of the ledger",
      remedy: "Run again: what is gone is not counted twice"
    ) {
      try connection.holdAllStreamsAndRefresh()
      return try connection.onlyRow(
        """
        select * from ingest.prune((date_trunc('month', now() at time zone 'UTC')
          - ($1::integer - 1) * interval '1 month') at time zone 'UTC')
        """, [.integer(keep)])
    }
  }
}
