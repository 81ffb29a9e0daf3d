internal import ArgumentParser
internal import Loading

/// `gamebase-ingest conflicts undo`: undoes an acceptance.
struct ConflictsUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo an acceptance and restore the values that it replaced.",
    discussion: """
      The conflicts are open again, and the acceptance stays in ingest.acceptance, marked as undone. \
      A value of a later acceptance stays. The reports are refreshed in the same transaction.

      Exits with 64 while later files have duplicates, fills or conflicts that may have met the \
      accepted values. --with-later undoes those files too; load them again afterwards.
      """)

  @Argument(help: "The number of the acceptance, as conflicts list --accepted shows it.")
  var acceptance: Int

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also undo later files that depend on the acceptance.")
  var withLater = false

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "conflicts undo")
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let report = try reportingErrors {
      try AcceptanceUndo(
        acceptance, withLater: withLater, isDryRun: dryRun, connection: connection,
        wait: DatabaseOptions.wait, interruption: interruption
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
      "\(counted(report.lines, "line")) with \(counted(report.changes, "change")) of a value"
      + (report.files.isEmpty ? "" : ", and \(counted(report.files.count, "later file"))")
    try Terminal.output(
      report.isDryRun
        ? "dry run: nothing was kept; it would take back \(counts)"
        : "acceptance \(acceptance) is undone: \(counts)")
  }
}
