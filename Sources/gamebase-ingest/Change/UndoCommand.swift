internal import ArgumentParser
internal import Loading

/// `gamebase-ingest undo`: undoes one loaded file, or all files of a run.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo a loaded file: its rows, rejects, conflicts, fills and accepted values.",
    usage: """
      gamebase-ingest undo <file> [options]
      gamebase-ingest undo --load <load-id> [options]
      gamebase-ingest undo receipts/2026-11-20.jsonl.gz --dry-run
      """,
    discussion: """
      Name a file by the path that report.load_history shows, the end of that path from a / on, the \
      source_file_id, or the first digits of the sha256 (at least 8). Its entry stays in the ledger, \
      marked as undone, and the same bytes can be loaded again, by load: run leaves them alone. Until \
      they, or another file of the path, are loaded, it is an open failure; the last line of the output \
      dismisses it. Loads wait meanwhile, and the reports are refreshed in the same transaction.

      Exits with 64 while later files have duplicates, fills or conflicts that may have met the rows of \
      this file, because those lines would be lost. --with-later undoes those files too; load them again \
      afterwards.
      """)

  @Argument(
    help: "A file: its path or the end of it, its source_file_id, or its first sha256 digits.")
  var file: String?

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("Undo all files of one run.", valueName: "load-id"))
  var load: Int?

  @Flag(help: "Also undo later files that depend on these.")
  var withLater = false

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func validate() throws {
    guard (file == nil) != (load == nil), file?.isEmpty != true else {
      throw ValidationError("Name one file, or a run with --load.")
    }
  }

  func run() throws {
    guard let choice = file.map({ FileChoice.file($0) }) ?? load.map({ FileChoice.load($0) })
    else { return }
    let connection = try database.connectToSchema(asOwnerFor: "undo")
    let report = try reportingErrors {
      try Undo(
        choice, withLater: withLater, isDryRun: dryRun, connection: connection,
        wait: DatabaseOptions.wait, interruption: .bySignals()
      ).run()
    }
    if report.isRefused {
      throw DependentFileTable.refusal(report.inTheWay, "these rows and would be lost")
    }
    try Terminal.output(of: dryRun || report.files.isEmpty ? nil : "the undo") {
      try printSummary(report)
    }
  }

  private func printSummary(_ report: UndoReport) throws {
    guard !report.files.isEmpty else {
      return try Terminal.output("nothing to undo: it is undone already")
    }
    var table = TextTable([
      "file", "path", "stream", "why", "rows", "filled values", "rejects", "conflicts",
      "accepted values",
    ])
    for undone in report.files {
      let counts = [
        undone.rows, undone.fills, undone.rejects, undone.conflicts, undone.acceptedValues,
      ]
      table.add(
        [
          String(undone.file.sourceFileID), undone.file.path, undone.file.stream,
          undone.wasAskedFor ? "asked for" : "depends on it",
        ] + counts.map { String($0) })
    }
    for line in table.lines { try Terminal.output(line) }
    let rows = report.files.map(\.rows).reduce(0, +)
    let files = "\(counted(report.files.count, "file")) with \(counted(rows, "row"))"
    try Terminal.output(
      report.isDryRun
        ? "dry run: nothing was kept; \(files) would be undone"
        : "undone: \(files), which load can load again, the oldest first; status lists them until then"
    )
    var seen: Set<String> = []
    let paths = report.files.map(\.file.failurePath).filter { seen.insert($0).inserted }
    try Terminal.output(
      "where none will come: gamebase-ingest failures dismiss "
        + paths.map(shellQuoted).joined(separator: " "))
  }
}
