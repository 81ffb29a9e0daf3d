internal import ArgumentParser
internal import Loading
internal import Postgres

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
    let change = try database.change("undo", isDryRun: dryRun)
    let report = try reportingErrors { try change.undo(choice, withLater: withLater) }
    try report.requireNothingInTheWay("these rows and would be lost")
    guard let files = report.files else {
      return try Terminal.output("nothing to undo: it is undone already")
    }
    let undone = try report.undone
    let text =
      "\(counted(undone.count, "file")) with \(counted(undone.map(\.rows).reduce(0, +), "row"))"
    try Terminal.output(of: dryRun ? nil : "the undo") {
      try printTable(files)
      try Terminal.output(
        dryRun
          ? "dry run: nothing was kept; \(text) would be undone"
          : "undone: \(text), which load can load again, the oldest first; status lists them until then"
      )
      try Terminal.output(
        "where none will come: gamebase-ingest failures dismiss "
          + report.failurePaths.map(shellQuoted).joined(separator: " "))
    }
  }
}

extension UndoneFiles {
  /// The most files that are listed; the message has the number of all.
  private static let listedFiles = 50

  /// Lists the files that depend on the undo on standard error, and ends the command with 64.
  ///
  /// - Parameter met: the end of the clause "lines that may have met", such as "the accepted
  ///   values".
  func requireNothingInTheWay(_ met: String) throws {
    guard let inTheWay else { return }
    for line in TextTable(inTheWay, limit: Self.listedFiles).lines { Terminal.note(line) }
    throw Terminal.failure(
      .usage,
      "\(inTheWay.rowCount) other files have lines that may have met \(met); nothing was undone. "
        + "--with-later takes those files back too; load them again afterwards")
  }
}
