package import Postgres

/// Takes loaded files back, in one transaction: their rows, rejects, conflicts, fills and accepted values.
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
    try connection.reversibleTransaction(
      during: "undoing", remedy: "Run again: what is undone already is left alone",
      interruption: interruption, isKept: { [isDryRun] in !isDryRun && !$0.isRefused }, undo)
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
      report.files += try FileRemoval(connection: connection).remove(
        chosen + later.map(\.file.sourceFileID), asked: Set(chosen), stream: stream)
    }
    return report
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
    /// Changes that its lines made by being accepted.
    package let acceptedValues: Int
  }

  package let isDryRun: Bool
  package internal(set) var files: [File] = []
  /// Files that would have to go along, and may not; nothing was done then.
  package internal(set) var inTheWay: [DependentFile] = []

  package var isRefused: Bool { !inTheWay.isEmpty }
}
