package import Postgres

/// Takes loaded files back, in one transaction: their rows, rejects, conflicts and fills.
///
/// The ledger keeps their entries, marked, with the counts of then; the same bytes can be loaded
/// again. What is left is what loading only the other files would have left.
package final class Undo {
  private let choice: FileChoice
  private let withLater: Bool
  private let isDryRun: Bool
  private let connection: Connection
  private let interruption: Interruption

  /// - Parameters:
  ///   - withLater: also take back files whose lines may have met rows of the chosen ones.
  ///   - isDryRun: do all of it and keep nothing.
  ///   - connection: to a database at this program's schema.
  package init(
    _ choice: FileChoice, withLater: Bool = false, isDryRun: Bool = false,
    connection: Connection, interruption: Interruption = Interruption()
  ) {
    self.choice = choice
    self.withLater = withLater
    self.isDryRun = isDryRun
    self.connection = connection
    self.interruption = interruption
  }

  /// - Returns: what was taken back, or what stands in the way of it.
  /// - Throws: `LoadError`; nothing has been changed then, or the commit's answer was lost.
  package func run() throws(LoadError) -> UndoReport {
    do {
      interruption.watch([connection])
      defer { interruption.watch([]) }
      return try RetryPolicy().throughContention(during: "undoing", interruption: interruption) {
        try transaction()
      }
    } catch {
      throw LoadError(
        wrapping: error, during: "undoing",
        remedy: "Run again: what is undone already is left alone")
    }
  }

  private func transaction() throws -> UndoReport {
    try interruption.check()
    try connection.begin()
    do {
      let report = try undo()
      try interruption.check()
      if isDryRun || report.isRefused {
        connection.rollback()
      } else {
        FaultPoint.beforeCommit.reached()
        try connection.commit()
        FaultPoint.afterCommit.reached()
      }
      return report
    } catch {
      connection.rollback()
      // A cancelled statement is how an interruption reaches us when the server is at work.
      try interruption.check()
      throw error
    }
  }

  private func undo() throws -> UndoReport {
    let found = try choice.files(connection)
    if found.isEmpty { throw try choice.notFound(connection) }
    // Always in this order, so that two of us never wait for each other in a circle.
    let streams = Set(found.map(\.stream)).sorted()
    let locks = Locks(connection: connection)
    for stream in streams { try locks.holdStream(stream) }

    // Looked at again behind the locks: a load or another undo may have been faster.
    let files = try choice.files(connection)
      .filter { $0.undoneAt == nil && streams.contains($0.stream) }
    if case .file = choice, files.count > 1 { throw choice.ambiguous(files) }
    var report = UndoReport(isDryRun: isDryRun)
    let dependence = FileDependence(connection: connection)
    for stream in streams {
      let chosen = files.filter { $0.stream == stream }.map(\.sourceFileID)
      guard !chosen.isEmpty else { continue }
      let later = try dependence.dependents(of: chosen, stream: stream)
      if !later.isEmpty, !withLater {
        report.inTheWay += later
        continue
      }
      try interruption.check()
      report.files += try takeBack(
        chosen + later.map(\.file.sourceFileID), asked: Set(chosen), stream: stream)
    }
    return report
  }

  private func takeBack(
    _ files: [Int], asked: Set<Int>, stream: String
  ) throws -> [UndoReport.File] {
    let result = try connection.query(
      """
      select \(LedgerFile.columns), u.row_count, u.fill_count, u.reject_count, u.conflict_count
        from ingest.undo_files($1, $2::bigint[]) u
        join ingest.source_file f using (source_file_id) order by f.source_file_id
      """, [.text(stream), .integers(files)])
    return (0..<result.rowCount).compactMap { row in
      guard let file = LedgerFile(result, row: row) else { return nil }
      let counts = (8...11).map { result.integer(row: row, column: $0) ?? 0 }
      return UndoReport.File(
        file: file, wasAskedFor: asked.contains(file.sourceFileID), rows: counts[0],
        fills: counts[1], rejects: counts[2], conflicts: counts[3])
    }
  }
}

/// What an undo came to.
package struct UndoReport: Sendable {
  package struct File: Sendable {
    package let file: LedgerFile
    /// False for one that came along because it depends on one that was asked for.
    package let wasAskedFor: Bool
    /// Rows that are gone.
    package let rows: Int
    /// Values that are absent again.
    package let fills: Int
    package let rejects: Int
    /// Columns in which lines contradicted a stored row.
    package let conflicts: Int
  }

  package let isDryRun: Bool
  package internal(set) var files: [File] = []
  /// Files that would have to go along, and may not; nothing was done then.
  package internal(set) var inTheWay: [DependentFile] = []

  package var isRefused: Bool { !inTheWay.isEmpty }
}
