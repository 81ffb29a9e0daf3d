package import Postgres

/// Undoes loaded files in one transaction: their rows, rejects, conflicts, fills and accepted
/// values.
///
/// The rollups are refreshed in the same transaction. The ledger keeps the files' entries with the
/// original counts, marked as undone, and the same bytes can be loaded again. The other tables are
/// then as if only the other files had been loaded.
package final class Undo {
  private let choice: FileChoice
  private let withLater: Bool
  private let isDryRun: Bool
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - withLater: also undo the files that depend on the chosen ones.
  ///   - isDryRun: do all the work but the refresh, and roll it back.
  ///   - connection: to a database at this program's schema.
  ///   - wait: says for whom the command waits.
  package init(
    _ choice: FileChoice, withLater: Bool = false, isDryRun: Bool = false,
    connection: Connection, wait: LockWait = .silent,
    interruption: Interruption = Interruption()
  ) {
    self.choice = choice
    self.withLater = withLater
    self.isDryRun = isDryRun
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  /// - Returns: the undone files, or the dependent files that prevent the undo.
  /// - Throws: `LoadError`. Nothing was changed then, unless the connection broke after COMMIT was
  ///   sent and before the answer arrived.
  package func run() throws(LoadError) -> UndoReport {
    try connection.reversibleTransaction(
      during: "undoing", remedy: "Run again: files that are undone already are left alone",
      interruption: interruption, isKept: { [isDryRun] in !isDryRun && !$0.isRefused }, undo)
  }

  private func undo() throws -> UndoReport {
    let found = try choice.files(connection)
    if found.isEmpty { throw try choice.notFound(connection) }
    try Locks(connection: connection, wait: wait).holdAllStreamsAndRefresh()

    // Read again under the locks, because a load or another undo may have changed the files.
    let files = try choice.files(connection).filter { $0.undoneAt == nil }
    if case .file = choice, files.count > 1 { throw FileChoice.ambiguous(files) }
    var report = UndoReport(isDryRun: isDryRun)
    let dependence = FileDependence(connection: connection)
    let lanes = Set(try Set(files.map(\.stream)).map(dependence.lane))
    for lane in lanes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let chosen = files.filter { lane.contains($0.stream) }.map(\.sourceFileID)
      let later = try dependence.dependents(of: chosen, streams: lane)
      if !later.isEmpty, !withLater {
        report.inTheWay += later
        continue
      }
      try interruption.check()
      report.files += try FileRemoval(connection: connection).remove(
        chosen + later.map(\.file.sourceFileID), asked: Set(chosen), stream: lane[0])
    }
    if !isDryRun, !report.isRefused, !report.files.isEmpty { try connection.refreshReports() }
    return report
  }
}

/// The result of an undo.
package struct UndoReport: Sendable {
  package struct File: Sendable {
    package let file: LedgerFile
    /// False for a file that was undone because it depends on a chosen file.
    package let wasAskedFor: Bool
    /// Removed rows.
    package let rows: Int
    /// Filled values that are absent again.
    package let fills: Int
    package let rejects: Int
    /// Removed conflicts; a line has one for each column that contradicted the stored row.
    package let conflicts: Int
    /// The number of values that accepted lines of the file had replaced and that are restored.
    package let acceptedValues: Int
  }

  package let isDryRun: Bool
  package internal(set) var files: [File] = []
  /// Files that depend on the chosen ones.
  ///
  /// If there are any, `withLater` is false and nothing was changed.
  package internal(set) var inTheWay: [DependentFile] = []

  package var isRefused: Bool { !inTheWay.isEmpty }
}

/// Undoes files of one lane.
///
/// The caller holds the locks of its streams, and passes files that depend on each other in the same call.
struct FileRemoval {
  let connection: Connection

  /// - Parameters:
  ///   - files: the numbers of all files to undo.
  ///   - asked: those of them that the user named; the others depend on them.
  ///   - stream: one of the lane's streams.
  func remove(_ files: [Int], asked: Set<Int>, stream: String) throws -> [UndoReport.File] {
    let accepted = Dictionary(
      uniqueKeysWithValues: try connection.rows(
        of: AcceptedValues.self,
        """
        select source_file_id, count(*) as count
          from ingest.accepted_changes(array(
            select conflict_id from ingest.conflict
              where source_file_id = any ($1::bigint[]) and refused_row is not null))
          group by source_file_id
        """, [.integers(files)]
      ).map { ($0.sourceFileID, $0.count) })
    let result = try connection.query(
      """
      select \(LedgerFile.columns), u.row_count, u.fill_count, u.reject_count, u.conflict_count
        from ingest.undo_files($1, $2::bigint[]) u
        join ingest.source_file f using (source_file_id) order by f.source_file_id
      """, [.text(stream), .integers(files)])
    return zip(try result.decoded(as: LedgerFile.self), try result.decoded(as: Counts.self)).map {
      file, counts in
      UndoReport.File(
        file: file, wasAskedFor: asked.contains(file.sourceFileID), rows: counts.rowCount,
        fills: counts.fillCount, rejects: counts.rejectCount, conflicts: counts.conflictCount,
        acceptedValues: accepted[file.sourceFileID] ?? 0)
    }
  }

  private struct AcceptedValues: Decodable {
    let sourceFileID: Int
    let count: Int
  }

  private struct Counts: Decodable {
    let rowCount: Int
    let fillCount: Int
    let rejectCount: Int
    let conflictCount: Int
  }
}
