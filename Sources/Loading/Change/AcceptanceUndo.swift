package import Postgres

/// Undoes an acceptance in one transaction: rows get their previous values back, the conflicts are
/// open again, and the rollups are refreshed.
package final class AcceptanceUndo {
  private let acceptanceID: Int
  private let withLater: Bool
  private let isDryRun: Bool
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - withLater: also undo the files that depend on the accepted values.
  ///   - isDryRun: do all the work but the refresh, and roll it back.
  ///   - connection: to a database at this program's schema.
  ///   - wait: says for whom the command waits.
  package init(
    _ acceptanceID: Int, withLater: Bool = false, isDryRun: Bool = false, connection: Connection,
    wait: LockWait = .silent, interruption: Interruption = Interruption()
  ) {
    self.acceptanceID = acceptanceID
    self.withLater = withLater
    self.isDryRun = isDryRun
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  package struct Report: Sendable {
    package let isDryRun: Bool
    /// The number of lines with conflicts that are open again.
    package internal(set) var lines = 0
    /// The number of values that are restored.
    package internal(set) var changes = 0
    /// Files that were undone because they depend on the accepted values.
    package internal(set) var files: [UndoReport.File] = []
    /// Files that depend on the accepted values.
    ///
    /// If there are any, `withLater` is false and nothing was changed.
    package internal(set) var inTheWay: [DependentFile] = []
    /// False when there was nothing to undo, because the acceptance is already undone, or because
    /// of `inTheWay`.
    package internal(set) var isDone = false
  }

  /// - Throws: `LoadError`, with exit code 64 when there is no such acceptance. Nothing was changed
  ///   then, unless the connection broke after COMMIT was sent and before the answer arrived.
  package func run() throws(LoadError) -> Report {
    try connection.reversibleTransaction(
      during: "undoing an acceptance",
      remedy: "Run again: an acceptance that is undone already is left alone",
      interruption: interruption, isKept: { [isDryRun] in !isDryRun && $0.isDone }, undo)
  }

  private func undo() throws -> Report {
    let streams = try self.streams()
    try Locks(connection: connection, wait: wait).holdAllStreamsAndRefresh()
    var report = Report(isDryRun: isDryRun)
    guard try isInEffect() else { return report }
    let dependence = FileDependence(connection: connection)
    let lanes = Set(try streams.map(dependence.lane))
    for lane in lanes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let later = try dependence.dependents(
        of: [], streams: lane, acceptance: acceptanceID)
      guard !later.isEmpty else { continue }
      guard withLater else {
        report.inTheWay += later
        continue
      }
      report.files += try FileRemoval(connection: connection).remove(
        later.map(\.file.sourceFileID), asked: [], stream: lane[0])
    }
    guard report.inTheWay.isEmpty else { return report }
    let restored = try connection.onlyRow(
      of: Restored.self, "select line_count, value_count from ingest.undo_acceptance($1)",
      [.integer(acceptanceID)])
    report.lines = restored.lineCount
    report.changes = restored.valueCount
    report.isDone = true
    if !isDryRun { try connection.refreshReports() }
    return report
  }

  private struct Restored: Decodable {
    let lineCount: Int
    let valueCount: Int
  }

  private func streams() throws -> [String] {
    let found = try connection.rows(
      of: String.self, "select unnest(streams) from ingest.acceptance where acceptance_id = $1",
      [.integer(acceptanceID)])
    guard !found.isEmpty else {
      throw LoadError(
        .usage,
        "there is no acceptance \(acceptanceID); conflicts list --accepted shows the numbers")
    }
    return found
  }

  /// Read under the locks, because a concurrent command may have undone the acceptance.
  private func isInEffect() throws -> Bool {
    try connection.onlyRow(
      of: Bool.self, "select undone_at is null from ingest.acceptance where acceptance_id = $1",
      [.integer(acceptanceID)])
  }
}
