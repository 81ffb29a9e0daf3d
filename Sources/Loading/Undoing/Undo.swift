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
    if case .file = choice, files.count > 1 { throw choice.ambiguous(files) }
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
