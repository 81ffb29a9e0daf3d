internal import ArgumentParser
internal import Loading

/// `gamebase-ingest conflicts undo`: takes an acceptance back.
struct ConflictsUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take an acceptance back: its rows have the values of before.",
    discussion: """
      The conflicts are open again, and the acceptance stays in ingest.acceptance, marked. A value \
      that a later acceptance gave stays.

      Refused with 64 while later files counted duplicates, fills or conflicts that could be against \
      the accepted values. --with-later takes those files back too; load them again afterwards.
      """)

  @Argument(help: "Its number, as conflicts accept and conflicts list --accepted show it.")
  var acceptance: Int

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also take back later files that depend on it.")
  var withLater = false

  @Flag(help: "Do everything against the database, show what it comes to, and keep nothing.")
  var dryRun = false

  func run() throws {
    let connection = try database.connectToSchema()
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let report = try reportingErrors {
      try AcceptanceUndo(
        acceptance, withLater: withLater, isDryRun: dryRun, connection: connection,
        interruption: interruption
      ).run()
    }
    if !report.inTheWay.isEmpty {
      throw DependentFileTable.refusal(report.inTheWay, "the accepted values")
    }
    guard report.isDone else {
      return try Terminal.output("nothing to undo: acceptance \(acceptance) is undone already")
    }
    try Terminal.output(of: dryRun ? nil : "the undo") { try printResult(report) }
  }

  private func printResult(_ report: AcceptanceUndo.Report) throws {
    if !report.files.isEmpty {
      var table = TextTable(["file", "path", "stream", "rows"])
      for undone in report.files {
        table.add([
          String(undone.file.sourceFileID), undone.file.path, undone.file.stream,
          String(undone.rows),
        ])
      }
      for line in table.lines { try Terminal.output(line) }
    }
    let counts =
      "\(report.lines) lines with \(report.changes) changes of a value"
      + (report.files.isEmpty ? "" : ", and \(report.files.count) later files")
    try Terminal.output(
      report.isDryRun
        ? "dry run: nothing was kept; it would take back \(counts)"
        : "acceptance \(acceptance) is undone: \(counts)")
  }
}
